// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers with a number that is the same in each warp, which nobody sees in the code: groups of 64 threads meet at their own.
// A warp whose lanes name different ones is told so.
// gpu: no (its last launch is of no defined outcome there)
// RUN: %mcc -O3 %s -o %t && %run %t
// RUN: env HELICON_ENGINE= HELICON_LOG=engine %t 2>&1 | %FileCheck %s
#include "check.h"

#include <cstdlib>

__device__ void meet(int number, int threads) {
  asm volatile("barrier.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

// CHECK-DAG: kernel=groups{{.*}} engine=warp
__global__ void groups(int *out, int rounds) {
  __shared__ int cells[256];
  int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x, group = thread / 64;
  cells[thread] = thread;
  for (int i = 0; i < rounds * (group + 1); i++) {
    meet(group + 1, 64);
    int next = cells[group * 64 + (thread + 33) % 64];
    meet(group + 1, 64);
    cells[thread] = next + 1;
  }
  out[thread] = cells[thread];
}

// Two warps fill what two others read: each side waits for the other one, and tells it without waiting.
// CHECK-DAG: kernel=fill_and_read{{.*}} engine=warp
__global__ void fill_and_read(int *out, int rounds) {
  __shared__ int box[64];
  const int thread = threadIdx.x;
  int sum = 0;
  for (int round = 0; round < rounds; round++) {
    if (thread < 64) {
      meet(1, 128);
      box[thread] = round * 100 + thread;
      asm volatile("barrier.arrive 2, 128;" ::: "memory");
    } else {
      asm volatile("barrier.arrive 1, 128;" ::: "memory");
      meet(2, 128);
      sum += box[(thread + round) % 64];
    }
  }
  out[thread] = sum;
}

// CHECK-DAG: kernel=one_of_a_warp{{.*}} engine=warp
__global__ void one_of_a_warp(int *out) {
  int elected;
  asm volatile("{ .reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0, 1, 0, p; }" : "=r"(elected));
  out[threadIdx.x] = elected;
}

// CHECK-DAG: kernel=halves_of_a_warp{{.*}} engine=warp
// CHECK-DAG: a barrier whose number differs between the lanes of a warp (without HELICON_ENGINE=thread) is not supported
__global__ void halves_of_a_warp(int *out) {
  meet(1 + threadIdx.x % 2, 32);
  out[threadIdx.x] = threadIdx.x;
}

int main() {
  int *out;
  CHECK_CUDA(cudaMallocManaged(&out, 256 * sizeof(int)));
  for (dim3 block : {dim3(256), dim3(16, 16), dim3(8, 4, 8)}) {
    int threads = block.x * block.y * block.z;
    groups<<<1, block>>>(out, 3);
    CHECK_CUDA(cudaDeviceSynchronize());
    for (int t = 0; t < threads; t++) {
      int turns = 3 * (t / 64 + 1);
      CHECK_EQ(out[t], t / 64 * 64 + (t + 33 * turns) % 64 + turns);
    }
  }
  fill_and_read<<<1, 128>>>(out, 7);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int t = 64; t < 128; t++) {
    int sum = 0;
    for (int round = 0; round < 7; round++) {
      sum += round * 100 + (t + round) % 64;
    }
    CHECK_EQ(out[t], sum);
  }
  one_of_a_warp<<<1, 96>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int t = 0; t < 96; t++) {
    CHECK_EQ(out[t], t % 32 == 0);
  }
  halves_of_a_warp<<<1, 64>>>(out);
  const char *engine = getenv("HELICON_ENGINE");
  if (engine != nullptr && engine[0] == 't') {
    CHECK_CUDA(cudaDeviceSynchronize());
    CHECK_EQ(out[63], 63);
  } else {
    CHECK_ERROR(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
  }
  return check_report();
}
