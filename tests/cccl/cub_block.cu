// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cub's parts for warps and blocks, and the occupancy call that its launches use.
// REQUIRES: cccl
// RUN: %mcc %s -o %t && %run %t
#include "check.h"

#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cub/util_device.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>

#include <algorithm>

constexpr int kThreads = 96, kItems = 4;

__global__ void sort_tile(const int *in, int *out) {
  using Load = cub::BlockLoad<int, kThreads, kItems, cub::BLOCK_LOAD_TRANSPOSE>;
  using Sort = cub::BlockRadixSort<int, kThreads, kItems>;
  using Store = cub::BlockStore<int, kThreads, kItems, cub::BLOCK_STORE_WARP_TRANSPOSE>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Sort::TempStorage sort;
    typename Store::TempStorage store;
  } shared;
  int items[kItems];
  Load(shared.load).Load(in, items);
  __syncthreads();
  Sort(shared.sort).Sort(items);
  __syncthreads();
  Store(shared.store).Store(out, items);
}

__global__ void sums(int *out, int *totals) {
  using Reduce = cub::BlockReduce<int, kThreads>;
  using Scan = cub::BlockScan<int, kThreads, cub::BLOCK_SCAN_WARP_SCANS>;
  using WarpScan = cub::WarpScan<int, 8>;
  using WarpReduce = cub::WarpReduce<int>;
  __shared__ typename Reduce::TempStorage reduce;
  __shared__ typename Scan::TempStorage scan;
  __shared__ typename WarpScan::TempStorage warp_scan[kThreads / 8];
  __shared__ typename WarpReduce::TempStorage warp_reduce[kThreads / 32];
  int t = threadIdx.x, total = Reduce(reduce).Sum(t), before, inclusive;
  if (t == 0) totals[0] = total;
  Scan(scan).ExclusiveSum(t, before);
  WarpScan(warp_scan[t / 8]).InclusiveSum(t, inclusive);
  int most = WarpReduce(warp_reduce[t / 32]).Reduce(t * 7 % 31, cuda::maximum<>());
  if (t % 32 == 0) totals[1 + t / 32] = most;
  out[t] = before;
  out[kThreads + t] = inclusive;
}

int main() {
  constexpr int n = kThreads * kItems;
  int *in, *out, *totals;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  cudaMallocManaged(&totals, 4 * sizeof(int));
  for (int i = 0; i < n; ++i) in[i] = (i * 7919) % 1009 - 500;
  sort_tile<<<1, kThreads>>>(in, out);
  CHECK_CUDA(cudaDeviceSynchronize());
  std::sort(in, in + n);
  CHECK(std::equal(in, in + n, out));

  sums<<<1, kThreads>>>(out, totals);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(totals[0], kThreads * (kThreads - 1) / 2);
  for (int t = 0; t < kThreads; ++t) {
    int first = t / 8 * 8, inclusive = 0, most = 0;
    for (int i = first; i <= t; ++i) inclusive += i;
    for (int i = t / 32 * 32; i < t / 32 * 32 + 32; ++i) most = std::max(most, i * 7 % 31);
    CHECK_EQ(out[t], t * (t - 1) / 2);
    CHECK_EQ(out[kThreads + t], inclusive);
    CHECK_EQ(totals[1 + t / 32], most);
  }
  int version = 0, blocks = 0;
  CHECK_CUDA(cub::PtxVersion(version));
  CHECK_EQ(version, 900);
  CHECK_CUDA(cub::MaxSmOccupancy(blocks, sort_tile, kThreads));
  CHECK(blocks > 0);
  return check_report();
}
