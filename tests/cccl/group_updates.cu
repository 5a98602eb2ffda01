// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Group functions that work on a cuda::atomic or cuda::atomic_ref: reductions that update or replace it, scans that begin at its
// value and add their sum to it.
// REQUIRES: cccl
// RUN: %mcc %s -o %t && %run %t
// covers: C-5.6.3.4.1-02 C-5.6.3.5.1-02
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>

#include "check.h"

namespace cg = cooperative_groups;

constexpr int kThreads = 256, kBlocks = 8;
typedef cuda::atomic<int, cuda::thread_scope_device> Atomic;

__global__ void reductions(Atomic *sum, int *greatest, Atomic *stored, int *plain) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  cg::reduce_update_async(tile, *sum, i, cg::plus<int>());
  cuda::atomic_ref<int, cuda::thread_scope_device> of_greatest(*greatest);
  cg::reduce_update_async(tile, of_greatest, i * 7919 % 10007, cg::greater<int>());
  int number = i / 32;
  cg::reduce_store_async(tile, stored[number], i, cg::less<int>());
  cg::reduce_store_async(tile, &plain[number], i, [](int x, int y) { return x ^ y; });
}

// Each thread takes `i % 5` places of a buffer; a place has one owner. Odd threads take theirs as a coalesced group, tiles of 64 too.
__global__ void places(Atomic *used, int *owner) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, needed = i % 5, at;
  auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  at = cg::exclusive_scan_update(tile, *used, needed);
  for (int k = 0; k < needed; ++k) atomicAdd(&owner[at + k], i + 1);
  if (i % 2 == 1) {
    auto group = cg::coalesced_threads();
    at = cg::inclusive_scan_update(group, *used, needed) - needed;
    for (int k = 0; k < needed; ++k) atomicAdd(&owner[at + k], i + 1);
  }
}

// In front of the least so far stands the atomic's value.
__global__ void least(Atomic *atomic, int *inclusive, int *exclusive) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int value = 1000 - 3 * static_cast<int>(tile.thread_rank());
  inclusive[threadIdx.x] = cg::inclusive_scan_update(tile, atomic[0], value, cg::less<int>());
  exclusive[threadIdx.x] = cg::exclusive_scan_update(tile, atomic[1], value, cg::less<int>());
}

int main() {
  constexpr int kAll = kThreads * kBlocks;
  int *memory;
  CHECK_CUDA(cudaMallocManaged(&memory, 65536));
  Atomic *atomics = reinterpret_cast<Atomic *>(memory);
  int *plain = memory + 1024, *owner = memory + 2048;
  memory[0] = 5;
  memory[1] = -1;
  reductions<<<kBlocks, kThreads>>>(atomics, memory + 1, atomics + 2, plain);
  CHECK_CUDA(cudaDeviceSynchronize());
  int greatest = -1;
  for (int i = 0; i < kAll; ++i) greatest = i * 7919 % 10007 > greatest ? i * 7919 % 10007 : greatest;
  CHECK_EQ(memory[0], 5 + kAll * (kAll - 1) / 2);
  CHECK_EQ(memory[1], greatest);
  for (int w = 0; w < kAll / 32; ++w) {
    int parity = 0;
    for (int i = 32 * w; i < 32 * w + 32; ++i) parity ^= i;
    CHECK_EQ(memory[2 + w], 32 * w);
    CHECK_EQ(plain[w], parity);
  }

  memory[0] = 0;
  for (int i = 0; i < 8192; ++i) owner[i] = 0;
  places<<<kBlocks, kThreads>>>(atomics, owner);
  CHECK_CUDA(cudaDeviceSynchronize());
  int all = 0;
  for (int i = 0; i < kAll; ++i) all += i % 5 * (i % 2 == 1 ? 2 : 1);
  CHECK_EQ(memory[0], all);
  int count[kAll + 1] = {};
  for (int i = 0; i < all; ++i) {
    CHECK(owner[i] >= 1 && owner[i] <= kAll);
    if (owner[i] >= 1 && owner[i] <= kAll) ++count[owner[i]];
  }
  for (int i = 0; i < kAll; ++i) CHECK_EQ(count[i + 1], i % 5 * (i % 2 == 1 ? 2 : 1));

  memory[0] = 980;
  memory[1] = 990;
  int *inclusive = memory + 64, *exclusive = memory + 128;
  least<<<1, 16>>>(atomics, inclusive, exclusive);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 16; ++i) {
    int value = 1000 - 3 * i, before = i == 0 ? 990 : value + 3;
    CHECK_EQ(inclusive[i], value < 980 ? value : 980);
    CHECK_EQ(exclusive[i], before < 990 ? before : 990);
  }
  CHECK_EQ(memory[0], 955);
  CHECK_EQ(memory[1], 955);
  return check_report();
}
