// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that use thrust and cooperative groups: CCCL declares the groups itself before it has seen their header.
// REQUIRES: cccl
// RUN: %mcc %s -o %t && %run %t
// RUN: %mcc -rdc=true %s -o %t && %run %t
#include <thrust/device_vector.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <cuda/barrier>

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "check.h"

namespace cg = cooperative_groups;

__global__ void sums(const int *in, int *out) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
  __shared__ int copy[64];
  __shared__ cuda::barrier<cuda::thread_scope_block> arrived;
  if (block.thread_rank() == 0) {
    init(&arrived, block.size());
  }
  block.sync();
  cuda::memcpy_async(block, copy, in + block.group_index().x * 64, sizeof copy, arrived);
  arrived.arrive_and_wait();
  int sum = reduce(tile, copy[block.thread_rank()], cg::plus<int>());  // found by the type of its argument
  if (tile.thread_rank() == 0) {
    atomicAdd(&out[block.group_index().x], sum);
  }
}

int main() {
  thrust::device_vector<int> in(128), out(2);
  thrust::sequence(in.begin(), in.end());
  sums<<<2, 64>>>(thrust::raw_pointer_cast(in.data()), thrust::raw_pointer_cast(out.data()));
  CHECK_CUDA(cudaDeviceSynchronize());
  thrust::sort(in.begin(), in.end(), thrust::greater<int>());
  CHECK_EQ(in[0], 127);
  CHECK_EQ(out[0], 63 * 64 / 2);
  CHECK_EQ(out[1], 127 * 128 / 2 - 63 * 64 / 2);
  return check_report();
}
