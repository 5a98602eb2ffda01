// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warp functions that name all lanes, in branches: of one warp of the block, in turns, on both sides of a branch, beside
// lanes that leave. Right values by the documents, and as an H200 gave them.
// gpu: no (its last launch waits for ever there)
// RUN: %mcc -O3 %s -o %t && %run %t
// RUN: env HELICON_ENGINE= HELICON_LOG=engine %t 2>&1 | %FileCheck %s
#include "check.h"

#include <algorithm>

constexpr unsigned kAll = 0xffffffff;

__device__ int thread_of_block() { return (threadIdx.z * 4 + threadIdx.y) * 8 + threadIdx.x; }

// The compiler cannot know that the sizes are the block's: that a warp does not part at the branch is seen when it runs.
// CHECK-DAG: kernel=one_warp{{.*}} engine=warp
__global__ void one_warp(int *out, int warps) {
  __shared__ int sums[32];
  int thread = thread_of_block(), lane = thread % 32, warp = thread / 32;
  int sum = thread;
  for (int d = 16; d > 0; d /= 2) {
    sum += __shfl_down_sync(kAll, sum, d);
  }
  if (lane == 0) {
    sums[warp] = sum;
  }
  __syncthreads();
  if (warp == 0) {
    int all = lane < warps ? sums[lane] : 0;
    for (int d = 1; d < warps; d *= 2) {
      all += __shfl_xor_sync(kAll, all, d);
    }
    sums[lane] = all;
  }
  __syncthreads();
  out[thread] = sums[0];
}

// Which of the two functions a warp comes to does not depend on the lane.
// CHECK-DAG: kernel=alternatives{{.*}} engine=warp
__global__ void alternatives(int *out, int which) {
  int thread = thread_of_block(), warp = thread / 32, v = thread;
  if (which == 0) {
    if (warp == 1) {
      v = __shfl_xor_sync(kAll, v, 1);
    }
  } else if (warp == 2) {
    while (__any_sync(kAll, v < 1000)) {
      v += 100;
    }
  }
  __syncthreads();
  out[thread] = v;
}

// In a round all lanes of the first warps come, or none does.
// CHECK-DAG: kernel=in_some_rounds{{.*}} engine=warp
__global__ void in_some_rounds(int *out, int rounds, int warps) {
  int thread = thread_of_block(), warp = thread / 32, v = thread;
  for (int i = 0; i < rounds; i++) {
    if (warp < warps && i % 3 != 1) {
      v += __shfl_xor_sync(kAll, v, 1 << i % 5);
    }
  }
  __syncthreads();
  out[thread] = v;
}

// CHECK-DAG: kernel=in_turns{{.*}} engine=thread{{.*}}reason=warp function for all lanes
__global__ void in_turns(int *out, int n) {
  int v = threadIdx.x * 10;
  for (int i = 0; i < n; i++) {
    if ((int)threadIdx.x % n == i) {
      v = __shfl_xor_sync(kAll, v, 1);
    }
  }
  __syncthreads();
  out[threadIdx.x] = v;
}

// CHECK-DAG: kernel=both_sides{{.*}} engine=warp
__global__ void both_sides(int *out, int n) {
  int v = threadIdx.x * 10;
  if ((int)threadIdx.x < n) {
    v = __shfl_xor_sync(kAll, v, 16);
    out[64] = v;
  } else {
    v = __shfl_xor_sync(kAll, v + 1, 16);
  }
  __syncthreads();
  out[threadIdx.x] = v;
}

// CHECK-DAG: kernel=others_leave{{.*}} engine=warp
__global__ void others_leave(int *out, int n) {
  int v = threadIdx.x;
  if ((int)threadIdx.x < n) {
    for (int d = 4; d > 0; d /= 2) {
      v += __shfl_xor_sync(kAll, v, d);
    }
  }
  out[threadIdx.x] = v;
}

// CHECK-DAG: kernel=others_stay{{.*}} engine=warp
__global__ void others_stay(int *out, int n) {
  int v = threadIdx.x;
  if ((int)threadIdx.x < n) {
    v = __shfl_xor_sync(kAll, v, 1);
  }
  __syncthreads();
  out[threadIdx.x] = v;
}

int main() {
  int *out;
  cudaMallocManaged(&out, 256 * sizeof(int));
  one_warp<<<1, dim3(8, 4, 4)>>>(out, 4);
  CHECK_EQ(cudaDeviceSynchronize(), cudaSuccess);
  for (int i = 0; i < 128; i++) {
    CHECK_EQ(out[i], 127 * 128 / 2);
  }
  for (int which : {0, 1}) {
    alternatives<<<1, dim3(8, 4, 4)>>>(out, which);
    CHECK_EQ(cudaDeviceSynchronize(), cudaSuccess);
    for (int i = 0; i < 128; i++) {
      int together = 64 + (1000 - 64 + 99) / 100 * 100 - 64 + i;
      CHECK_EQ(out[i], which == 0 ? (i / 32 == 1 ? i ^ 1 : i) : (i / 32 == 2 ? together : i));
    }
  }
  in_some_rounds<<<1, dim3(8, 4, 4)>>>(out, 7, 2);
  CHECK_EQ(cudaDeviceSynchronize(), cudaSuccess);
  int sums[128], before[128];
  for (int i = 0; i < 128; i++) {
    sums[i] = i;
  }
  for (int i = 0; i < 7; i++) {
    std::copy(sums, sums + 128, before);
    for (int t = 0; t < 64 && i % 3 != 1; t++) {
      sums[t] += before[t ^ (1 << i % 5)];
    }
  }
  for (int i = 0; i < 128; i++) {
    CHECK_EQ(out[i], sums[i]);
  }
  in_turns<<<1, 32>>>(out, 4);
  CHECK_EQ(cudaDeviceSynchronize(), cudaSuccess);
  for (int i = 0; i < 32; i++) {
    CHECK_EQ(out[i], (i ^ 1) * 10);
  }
  both_sides<<<1, 32>>>(out, 16);
  CHECK_EQ(cudaDeviceSynchronize(), cudaSuccess);
  for (int i = 0; i < 32; i++) {
    CHECK_EQ(out[i], i < 16 ? (i ^ 16) * 10 + 1 : (i ^ 16) * 10);
  }
  others_leave<<<1, 32>>>(out, 8);
  CHECK_EQ(cudaDeviceSynchronize(), cudaSuccess);
  for (int i = 0; i < 32; i++) {
    CHECK_EQ(out[i], i < 8 ? 28 : i);
  }
  others_stay<<<1, 32>>>(out, 32);
  CHECK_EQ(cudaDeviceSynchronize(), cudaSuccess);
  for (int i = 0; i < 32; i++) {
    CHECK_EQ(out[i], i ^ 1);
  }
  // Lanes that are waited for and never come.
  others_stay<<<1, 32>>>(out, 16);
  CHECK_EQ(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
  return check_report();
}
