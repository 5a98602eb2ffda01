// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mcc %s -o %t && %run %t
// Sums of blocks whose warps run jointly, which would be wrong where one warp's index is taken to follow from another's
// although it wraps around between them, where warps go on with different things behind a loop, or where only the first
// warp is thought to have work.
// covers: C-2.5.3-01
#include <cstdint>
#include <vector>

#include "check.h"

constexpr int kMost = 5000;

// i wraps around inside a block: the warps behind go on from 0.
__global__ void from_far(const uint32_t *in, uint32_t *out, unsigned first, unsigned n) {
  uint32_t sum = 0;
  for (unsigned i = first + threadIdx.x; i < n; i += blockDim.x) {
    sum += in[i] ^ i;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// A signed index that begins below 0, where nothing is read.
__global__ void from_below(const uint32_t *in, uint32_t *out, int first, int n) {
  uint32_t sum = 0;
  for (int i = first + static_cast<int>(threadIdx.x); i < n; i += static_cast<int>(blockDim.x)) {
    sum += i < 0 ? 7u : in[i];
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Some warps end in the guard, the others meet at barriers; the first one alone adds up what they left.
__global__ void blocks(const uint32_t *in, uint32_t *out, int n, int *voted) {
  __shared__ uint32_t part[32];
  __shared__ uint32_t more[32];
  uint32_t sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    sum += in[i];
  }
  for (int offset = 16; offset > 0; offset /= 2) {
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
  }
  if (threadIdx.x % 32 == 0) {
    part[threadIdx.x / 32] = sum;
    more[threadIdx.x / 32] = threadIdx.x;
  }
  const int some = __syncthreads_count(sum != 0);
  if (threadIdx.x < 32) {
    sum = threadIdx.x < (blockDim.x + 31) / 32 ? part[threadIdx.x] : 0;
    for (int offset = 16; offset > 0; offset /= 2) {
      sum += __shfl_down_sync(0xffffffffu, sum, offset);
    }
    if (threadIdx.x == 0) {
      part[0] = sum;
    }
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = part[0] + more[threadIdx.x / 32];
  if (threadIdx.x >= 64) {
    return;
  }
  __syncthreads();
  if (threadIdx.x == 33 % blockDim.x) {
    voted[blockIdx.x] = some;
  }
}

static uint32_t value(int i) { return static_cast<uint32_t>(i) * 2654435761u >> 7; }

int main() {
  std::vector<uint32_t> in(kMost);
  for (int i = 0; i < kMost; i++) {
    in[i] = value(i);
  }
  uint32_t *from, *out;
  int *voted;
  CHECK_CUDA(cudaMalloc(&from, kMost * 4));
  CHECK_CUDA(cudaMalloc(&out, 8 * 1024 * 4));
  CHECK_CUDA(cudaMalloc(&voted, 8 * 4));
  CHECK_CUDA(cudaMemcpy(from, in.data(), kMost * 4, cudaMemcpyHostToDevice));
  std::vector<uint32_t> got(8 * 1024);
  std::vector<int> votes(8);
  auto fetch = [&] {
    CHECK_CUDA(cudaDeviceSynchronize());
    CHECK_CUDA(cudaMemcpy(got.data(), out, got.size() * 4, cudaMemcpyDeviceToHost));
  };
  for (unsigned threads : {32u, 128u, 160u, 256u, 416u, 1024u}) {
    for (unsigned n : {0u, 1u, 100u, 333u, 1024u, 4999u}) {
      for (unsigned back : {0u, 16u, 96u, 130u, 1000u}) {
        from_far<<<1, threads>>>(from, out, 0u - back, n);
        fetch();
        for (unsigned t = 0; t < threads; t++) {
          uint32_t sum = 0;
          for (unsigned i = 0u - back + t; i < n; i += threads) {
            sum += in[i] ^ i;
          }
          CHECK_EQ(got[t], sum);
        }
        from_below<<<1, threads>>>(from, out, -static_cast<int>(back), static_cast<int>(n));
        fetch();
        for (unsigned t = 0; t < threads; t++) {
          uint32_t sum = 0;
          for (int i = static_cast<int>(t) - static_cast<int>(back); i < static_cast<int>(n); i += static_cast<int>(threads)) {
            sum += i < 0 ? 7u : in[i];
          }
          CHECK_EQ(got[t], sum);
        }
      }
      blocks<<<3, threads>>>(from, out, static_cast<int>(n), voted);
      fetch();
      CHECK_CUDA(cudaMemcpy(votes.data(), voted, votes.size() * 4, cudaMemcpyDeviceToHost));
      for (unsigned b = 0; b < 3; b++) {
        uint32_t total = 0;
        for (unsigned t = 0; t < threads; t++) {
          for (unsigned i = b * threads + t; i < n; i += 3 * threads) {
            total += in[i];
          }
        }
        for (unsigned t = 0; t < threads; t++) {
          CHECK_EQ(got[b * threads + t], total + t / 32 * 32);
        }
        // Lane k of a warp has the sum of the lanes from k on that the tree reaches: not 0 where one of them has read.
        CHECK(votes[b] >= 0 && votes[b] <= static_cast<int>(threads));
        CHECK_EQ(votes[b] != 0, total != 0);
      }
    }
  }
  return check_report();
}
