// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All lanes of a warp take part in warp functions that stand on both sides of a branch, or in the arms of a switch: those of one
// side meet those of the other. Such kernels ran on the thread engine only.
// RUN: %mcc %s -o %t && %run %t
// RUN: env HELICON_ENGINE=warp %t
// covers: C-5.8-01
#include "check.h"

#include <vector>

constexpr unsigned kAll = 0xffffffffu;
constexpr int kThreads = 128;

__host__ __device__ int input(int i) { return (i * 2654435761u >> 9) % 1000; }

// Each side shuffles by another distance; what it has computed before it needs again after it.
__global__ void two_shuffles(int *out) {
  const int tid = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  int x = input(tid), result;
  if (input(tid) % 3 == 0) {
    const int twice = x * 2;
    result = __shfl_xor_sync(kAll, twice + 1, 5) + twice;
  } else {
    const int less = x - lane;
    result = __shfl_xor_sync(kAll, less, 9) - less;
  }
  out[tid] = result;
}

int after_two_shuffles(int tid) {
  auto given = [](int t) { return input(t) % 3 == 0 ? input(t) * 2 + 1 : input(t) - (t & 31); };
  return input(tid) % 3 == 0 ? given(tid ^ 5) + input(tid) * 2 : given(tid ^ 9) - (input(tid) - (tid & 31));
}

// Two meetings a side, a nested branch, and no shuffle in between that only some would come to.
__global__ void three_ways(int *out) {
  const int tid = blockIdx.x * blockDim.x + threadIdx.x, x = input(tid);
  int result = 0;
  for (int round = 0; round < 3; round++) {
    if ((x + round) % 2 == 0) {
      result += __popc(__ballot_sync(kAll, x > 300));
      result += __shfl_sync(kAll, x, round);
    } else if (x % 5 == 0) {
      result -= __popc(__ballot_sync(kAll, x > 500));
      result ^= __shfl_sync(kAll, x + 1, (tid + round) & 31);
    } else {
      int many = 0;
      for (int i = 0; i < x % 7; i++) many += input(i);
      result += 3 * __popc(__ballot_sync(kAll, many > 1000));
      out[gridDim.x * blockDim.x + tid] = many;
      result += __shfl_sync(kAll, many, 31 - round);
    }
  }
  out[tid] = result;
}

std::vector<int> after_three_ways(int first) {  // of a warp
  std::vector<int> result(32);
  for (int round = 0; round < 3; round++) {
    unsigned ballot = 0;
    int given[32], many[32];
    for (int lane = 0; lane < 32; lane++) {
      const int x = input(first + lane);
      many[lane] = 0;
      for (int i = 0; i < x % 7; i++) many[lane] += input(i);
      const bool even = (x + round) % 2 == 0, fifth = !even && x % 5 == 0;
      ballot |= (even ? x > 300 : fifth ? x > 500 : many[lane] > 1000) ? 1u << lane : 0;
      given[lane] = even ? x : fifth ? x + 1 : many[lane];
    }
    for (int lane = 0; lane < 32; lane++) {
      const int x = input(first + lane), count = __builtin_popcount(ballot);
      if ((x + round) % 2 == 0) {
        result[lane] = (result[lane] + count) + given[round];
      } else if (x % 5 == 0) {
        result[lane] = (result[lane] - count) ^ given[(lane + round) & 31];
      } else {
        result[lane] = result[lane] + 3 * count + given[31 - round];
      }
    }
  }
  return result;
}

// The lanes that a mask names, wherever they are: the mask is another one in each warp.
__global__ void some_lanes(int *out) {
  const int tid = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  const unsigned lanes = __ballot_sync(kAll, input(tid) < 700);
  int result = -1;
  if (lanes >> lane & 1) {
    switch (lane % 3) {
      case 0:
        result = __reduce_add_sync(lanes, input(tid));
        break;
      case 1:
        result = 1 + __reduce_add_sync(lanes, 1);
        break;
      default:
        result = 2 + __reduce_add_sync(lanes, lane);
    }
  }
  out[tid] = result;
}

// Barriers of the block on both sides, and one that counts. A warp arrives as a whole.
__global__ void barriers(int *out) {
  __shared__ int box[kThreads];
  const int t = threadIdx.x, tid = blockIdx.x * blockDim.x + t;
  box[t] = input(tid);
  int result;
  if (input(tid) % 2 == 0) {
    __syncthreads();
    result = box[blockDim.x - 1 - t] + __syncthreads_count(t % 3 == 0);
  } else {
    __syncthreads();
    result = box[t ^ 1] - __syncthreads_count(t % 5 == 0);
  }
  out[tid] = result;
}

int counted(int first) {
  int count = 0;
  for (int t = 0; t < kThreads; t++) count += input(first + t) % 2 == 0 ? t % 3 == 0 : t % 5 == 0;
  return count;
}

int main() {
  constexpr int kCount = 2 * kThreads;
  int *out;
  CHECK_CUDA(cudaMallocManaged(&out, 2 * kCount * sizeof(int)));
  two_shuffles<<<2, kThreads>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < kCount; i++) CHECK_EQ(out[i], after_two_shuffles(i));
  three_ways<<<2, kThreads>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < kCount; i++) CHECK_EQ(out[i], after_three_ways(i & ~31)[i & 31]);
  some_lanes<<<2, kThreads>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < kCount; i++) {
    int sum = 0;
    for (int j = i & ~31; j < (i | 31) + 1; j++) {
      const int lane = j & 31;
      sum += input(j) >= 700 ? 0 : lane % 3 == 0 ? input(j) : lane % 3 == 1 ? 1 : lane;
    }
    CHECK_EQ(out[i], input(i) >= 700 ? -1 : sum + (i & 31) % 3);
  }
  barriers<<<2, kThreads>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < kCount; i++) {
    const int first = i / kThreads * kThreads, t = i - first;
    CHECK_EQ(out[i], input(i) % 2 == 0 ? input(first + kThreads - 1 - t) + counted(first) : input(i ^ 1) - counted(first));
  }
  return check_report();
}
