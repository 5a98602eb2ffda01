// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cg::memcpy_async in its forms: bytes, bytes of a known alignment, counts of elements on both sides; waiting for all copies and for
// all but the latest.
// REQUIRES: cccl
// RUN: %mcc %s -o %t && %run %t
// covers: C-5.6.3.2.1-01
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>

#include "check.h"

namespace cg = cooperative_groups;

constexpr int kThreads = 96, kEach = 128;

// Four copies of kEach ints into their own places; of the last one only `present` elements exist.
__global__ void copies(const int *in, int *out, int present) {
  __shared__ __align__(16) int box[4][kEach];
  const int each = kEach, more = 10 * kEach;  // counts are taken by reference
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  for (int i = block.thread_rank(); i < 4 * kEach; i += block.size()) box[i / kEach][i % kEach] = -1;
  block.sync();
  cg::memcpy_async(block, box[0], in, sizeof(int) * kEach);
  cg::memcpy_async(block, box[1], in + kEach, cuda::aligned_size_t<16>(sizeof(int) * kEach));
  cg::wait_prior<1>(block);
  int first = box[0][kEach - 1 - block.thread_rank()];
  if (block.thread_rank() < 32) {
    cg::memcpy_async(tile, box[2], each, in + 2 * kEach, more);  // the smaller of both counts
    cg::wait(tile);
  }
  cg::memcpy_async(block, box[3], each, in + 3 * kEach, present);
  cg::wait(block);
  for (int i = block.thread_rank(); i < 4 * kEach; i += block.size()) out[i] = box[i / kEach][i % kEach];
  out[4 * kEach + block.thread_rank()] = first;
}

int main() {
  int *in, *out;
  CHECK_CUDA(cudaMallocManaged(&in, 16 * kEach * sizeof(int)));
  CHECK_CUDA(cudaMallocManaged(&out, 8 * kEach * sizeof(int)));
  for (int i = 0; i < 16 * kEach; ++i) in[i] = 7 * i + 3;
  for (int present : {kEach, 50, 0}) {
    copies<<<1, kThreads>>>(in, out, present);
    CHECK_CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < 4 * kEach; ++i) CHECK_EQ(out[i], i < 3 * kEach + present ? 7 * i + 3 : -1);
    for (int i = 0; i < kThreads; ++i) CHECK_EQ(out[4 * kEach + i], 7 * (kEach - 1 - i) + 3);
  }
  return check_report();
}
