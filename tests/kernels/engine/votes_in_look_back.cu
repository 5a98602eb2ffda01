// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Look-back over the blocks before, each thread for its own counter, in which a warp votes who still looks: as radix sorts
// do it. The lanes that are through write their sum, for which later blocks wait, while others of their warp go on.
// These kernels ran on the thread engine alone: sorting a million numbers took twenty times as long as on one core.
// RUN: %mcc %s -o %t && timeout 120 %run %t
// RUN: env HELICON_ENGINE= HELICON_LOG=engine timeout 120 %t 2>&1 | %FileCheck %s
// CHECK: kernel=look_back({{.*}}engine=warp
// CHECK: kernel=look_back_of_some({{.*}}engine=warp
// CHECK: kernel=ends_early({{.*}}engine=warp
// covers: C-5.4.6.2-01 C-5.4.6.6-01
#include "check.h"

#include <vector>

constexpr unsigned kPart = 0x40000000, kWhole = 0x80000000, kValue = kPart - 1;

__device__ unsigned sum_before(volatile unsigned *seen, int block, int digit, int digits, unsigned sum) {
  unsigned looking = ~0u;
  for (int before = block - 1; before >= 0; before--) {
    unsigned value;
    do {
      __threadfence_block();
      value = seen[before * digits + digit];
    } while (value == 0);
    sum += value & kValue;
    looking = __ballot_sync(looking, (value & kWhole) == 0);
    if (value & kWhole) {
      break;
    }
  }
  return sum;
}

__device__ int next_block(int *next) {
  __shared__ int block;
  if (threadIdx.x == 0) {
    block = atomicAdd(next, 1);
  }
  __syncthreads();
  return block;
}

__global__ void look_back(volatile unsigned *seen, const unsigned *counts, unsigned *sums, int *next) {
  __shared__ unsigned before[128];
  int block = next_block(next), digit = threadIdx.x;
  unsigned mine = counts[block * 128 + digit];
  seen[block * 128 + digit] = mine | (block == 0 ? kWhole : kPart);
  unsigned sum = sum_before(seen, block, digit, 128, mine);
  seen[block * 128 + digit] = sum | kWhole;
  before[digit] = sum - mine;
  __syncthreads();
  sums[block * 128 + digit] = before[digit ^ 1];
}

// Warps 4 and 5 have no counter; what follows the look-back they do too.
__global__ void look_back_of_some(volatile unsigned *seen, const unsigned *counts, unsigned *sums, int *next) {
  __shared__ unsigned before[192];
  int block = next_block(next), digit = threadIdx.x;
  unsigned mine = 0, sum = 1000 + digit;
  if (digit < 128) {
    mine = counts[block * 128 + digit];
    seen[block * 128 + digit] = mine | (block == 0 ? kWhole : kPart);
    sum = sum_before(seen, block, digit, 128, mine);
    seen[block * 128 + digit] = sum | kWhole;
  }
  before[digit] = sum - mine;
  if (digit % 3 == 0) {
    before[digit] += 5;
  }
  __syncthreads();
  if (digit < 128) {
    sums[block * 128 + digit] = before[digit] + before[128 + digit % 64];
  }
}

// A block with nothing to do ends by an instruction.
__global__ void ends_early(const unsigned *counts, unsigned *sums) {
  __shared__ unsigned all[128];
  if (__syncthreads_or(counts[blockIdx.x * 128 + threadIdx.x] > 14) == 0) {
    sums[blockIdx.x * 128 + threadIdx.x] = 1;
    asm volatile("exit;");
  }
  all[threadIdx.x] = counts[blockIdx.x * 128 + threadIdx.x];
  __syncthreads();
  sums[blockIdx.x * 128 + threadIdx.x] = all[127 - threadIdx.x];
}

constexpr int kBlocks = 150, kCounts = kBlocks * 128;

std::vector<unsigned> sums_before(const unsigned *counts) {
  std::vector<unsigned> sums(kCounts);
  for (int i = 128; i < kCounts; i++) {
    sums[i] = sums[i - 128] + counts[i - 128];
  }
  return sums;
}

int main() {
  unsigned *seen, *counts, *sums;
  int *next;
  CHECK_CUDA(cudaMallocManaged(&seen, kCounts * sizeof *seen));
  CHECK_CUDA(cudaMallocManaged(&counts, kCounts * sizeof *counts));
  CHECK_CUDA(cudaMallocManaged(&sums, kCounts * sizeof *sums));
  CHECK_CUDA(cudaMallocManaged(&next, 2 * sizeof *next));
  next[0] = next[1] = 0;
  for (int i = 0; i < kCounts; i++) {
    counts[i] = (i / 128) % 10 == 3 ? 0 : (i * 2654435761u) >> 28;
  }
  const std::vector<unsigned> expected = sums_before(counts);
  CHECK_CUDA(cudaMemset(seen, 0, kCounts * sizeof *seen));
  look_back<<<kBlocks, 128>>>(seen, counts, sums, next);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < kCounts; i++) {
    CHECK_EQ(sums[i], expected[i ^ 1]);
  }
  CHECK_CUDA(cudaMemset(seen, 0, kCounts * sizeof *seen));
  look_back_of_some<<<kBlocks, 192>>>(seen, counts, sums, next + 1);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < kCounts; i++) {
    const int digit = i % 128, other = 128 + digit % 64;
    CHECK_EQ(sums[i], expected[i] + (digit % 3 ? 0 : 5) + 1000 + other + (other % 3 ? 0 : 5));
  }
  ends_early<<<kBlocks, 128>>>(counts, sums);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < kCounts; i++) {
    CHECK_EQ(sums[i], (i / 128) % 10 == 3 ? 1 : counts[i / 128 * 128 + 127 - i % 128]);
  }
  return check_report();
}
