// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Between barriers only some warps of a block have something to do: the first ones, the last ones, or those that a
// bound tells which is not the same for all. What the others hold stays theirs.
// RUN: %mcc -O2 %s -o %t && %run %t
// covers: C-3.2.2-01
#include "check.h"

#include <vector>

constexpr int kMost = 1024, kBlocks = 3;

// The sum so far stays in a register; threads that are not added to keep theirs.
__global__ void halve(const int *in, int *sums, int *kept) {
  __shared__ int shared[kMost];
  const unsigned t = threadIdx.x, place = blockIdx.x * blockDim.x + t;
  int mine = in[place];
  shared[t] = mine;
  __syncthreads();
  for (unsigned s = kMost / 2; s > 0; s >>= 1) {
    if (t < s && t + s < blockDim.x) {
      shared[t] = mine = mine + shared[t + s];
    }
    __syncthreads();
  }
  kept[place] = mine;
  if (t == 0) {
    sums[blockIdx.x] = mine;
  }
}

// The same with what each thread counts itself, also while its warp has nothing else to do.
__global__ void count(const int *in, int *sums, int *kept) {
  __shared__ int shared[kMost];
  const unsigned t = threadIdx.x, place = blockIdx.x * blockDim.x + t;
  unsigned turns = t;
  shared[t] = in[place];
  __syncthreads();
  for (unsigned s = blockDim.x; s > 1;) {
    const unsigned half = (s + 1) / 2;
    if (!(t >= s - half)) {
      shared[t] += shared[t + half];
    }
    turns = turns * 3 + 1;
    s = half;
    __syncthreads();
  }
  kept[place] = static_cast<int>(turns);
  if (t == 0) {
    sums[blockIdx.x] = shared[0];
  }
}

// From the other end: the last warps have something to do.
__global__ void from_above(const int *in, int *sums, int *kept) {
  __shared__ int shared[kMost];
  const int t = static_cast<int>(threadIdx.x), place = static_cast<int>(blockIdx.x * blockDim.x) + t;
  shared[t] = in[place];
  for (int step = 1; step < static_cast<int>(blockDim.x); step *= 2) {
    __syncthreads();
    int before = 0;
    if (t >= step) {
      before = shared[t - step];
    }
    __syncthreads();
    if (t >= step) {
      shared[t] += before;
    }
  }
  kept[place] = shared[t];
  if (t == static_cast<int>(blockDim.x) - 1) {
    sums[blockIdx.x] = shared[t];
  }
}

// The bound is read from memory, goes up and down, and is another one in each warp.
__global__ void by_bounds(const int *in, const int *bounds, int rounds, int *kept) {
  __shared__ int shared[kMost];
  const int t = static_cast<int>(threadIdx.x), place = static_cast<int>(blockIdx.x * blockDim.x) + t;
  shared[t] = in[place];
  for (int i = 0; i < rounds; i++) {
    __syncthreads();
    if (t < bounds[i]) {
      shared[t] += i;
    }
    __syncthreads();
    if (t < bounds[i + t / 32]) {
      shared[t] ^= i * 5;
    }
  }
  kept[place] = shared[t];
}

int main() {
  const std::vector<int> bounds = {0, 1, 31, 32, 33, 64, 500, 2000, 7, 0, -3, 96, 1024, 40, 128, 129};
  constexpr int kRounds = 16;
  int *in, *sums, *kept, *bound;
  CHECK_CUDA(cudaMallocManaged(&in, kBlocks * kMost * sizeof(int)));
  CHECK_CUDA(cudaMallocManaged(&kept, kBlocks * kMost * sizeof(int)));
  CHECK_CUDA(cudaMallocManaged(&sums, kBlocks * sizeof(int)));
  CHECK_CUDA(cudaMallocManaged(&bound, 2 * kMost * sizeof(int)));
  for (int i = 0; i < kBlocks * kMost; i++) {
    in[i] = i * 7919 % 1000 - 300;
  }
  for (int i = 0; i < 2 * kMost; i++) {
    bound[i] = bounds[static_cast<size_t>(i) % bounds.size()];
  }
  for (int threads : {1024, 512, 256, 230, 96, 64, 33, 32, 5, 1}) {
    auto sum = [&](int block) {
      int total = 0;
      for (int t = 0; t < threads; t++) {
        total += in[block * threads + t];
      }
      return total;
    };
    halve<<<kBlocks, threads>>>(in, sums, kept);
    CHECK_CUDA(cudaDeviceSynchronize());
    for (int block = 0; block < kBlocks; block++) {
      std::vector<int> mine(in + block * threads, in + (block + 1) * threads);
      for (int s = kMost / 2; s > 0; s /= 2) {
        for (int t = 0; t < s && t + s < threads; t++) {
          mine[t] += mine[t + s];
        }
      }
      CHECK_EQ(sums[block], sum(block));
      for (int t = 0; t < threads; t++) {
        CHECK_EQ(kept[block * threads + t], mine[t]);
      }
    }
    count<<<kBlocks, threads>>>(in, sums, kept);
    CHECK_CUDA(cudaDeviceSynchronize());
    for (int block = 0; block < kBlocks; block++) {
      CHECK_EQ(sums[block], sum(block));
      for (int t = 0; t < threads; t++) {
        unsigned turns = t;
        for (int s = threads; s > 1; s = (s + 1) / 2) {
          turns = turns * 3 + 1;
        }
        CHECK_EQ(kept[block * threads + t], static_cast<int>(turns));
      }
    }
    from_above<<<kBlocks, threads>>>(in, sums, kept);
    CHECK_CUDA(cudaDeviceSynchronize());
    for (int block = 0; block < kBlocks; block++) {
      CHECK_EQ(sums[block], sum(block));
      for (int t = 0, total = 0; t < threads; t++) {
        CHECK_EQ(kept[block * threads + t], total += in[block * threads + t]);
      }
    }
    by_bounds<<<kBlocks, threads>>>(in, bound, kRounds, kept);
    CHECK_CUDA(cudaDeviceSynchronize());
    for (int place = 0; place < kBlocks * threads; place++) {
      int t = place % threads, value = in[place];
      for (int i = 0; i < kRounds; i++) {
        value += t < bound[i] ? i : 0;
        value ^= t < bound[i + t / 32] ? i * 5 : 0;
      }
      CHECK_EQ(kept[place], value);
    }
  }
  return check_report();
}
