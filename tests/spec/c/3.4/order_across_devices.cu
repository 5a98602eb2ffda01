// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of two devices at the same time: atomics of the system count together, and what comes before a release on one
// device is seen after the acquire on the other, there and back.
// RUN: %mcc -std=c++17 %s -o %t && env HELICON_CPU_DEVICES=2 %run %t
// covers: C-3.4.2-03
#include "check.h"

__global__ void count(int *total, int times) {
  for (int i = 0; i < times; i++) {
    atomicAdd_system(total, 1);
  }
}

/// Player `me` of two writes its letter, passes the turn on, and checks the other's letter when it comes back.
__global__ void play(volatile int *turn, int *letters, int *wrong, int me, int rounds) {
  for (int round = 0; round < rounds; round++) {
    while (*turn != 2 * round + me) {
    }
    __threadfence_system();
    if (letters[1 - me] != round + me - 1 && !(me == 0 && round == 0)) {
      ++wrong[me];
    }
    letters[me] = round;
    __threadfence_system();
    *turn = 2 * round + me + 1;
  }
}

int main() {
  int devices = 0, *total = nullptr, *turn = nullptr;
  CHECK_CUDA(cudaGetDeviceCount(&devices));
  const int second = devices > 1 ? 1 : 0;
  cudaStream_t streams[2];
  CHECK_CUDA(cudaMallocManaged(&total, sizeof(int)));
  CHECK_CUDA(cudaMallocManaged(&turn, 8 * sizeof(int)));
  *total = 0;
  memset(turn, 0, 8 * sizeof(int));
  int *letters = turn + 2, *wrong = turn + 4;
  for (int d = 0; d < 2; d++) {
    CHECK_CUDA(cudaSetDevice(d == 0 ? 0 : second));
    CHECK_CUDA(cudaStreamCreateWithFlags(&streams[d], cudaStreamNonBlocking));
  }
  for (int d = 0; d < 2; d++) {
    CHECK_CUDA(cudaSetDevice(d == 0 ? 0 : second));
    count<<<4, 64, 0, streams[d]>>>(total, 50);
    play<<<1, 1, 0, streams[d]>>>(turn, letters, wrong, d, 200);
  }
  for (int d = 0; d < 2; d++) {
    CHECK_CUDA(cudaSetDevice(d == 0 ? 0 : second));
    CHECK_CUDA(cudaStreamSynchronize(streams[d]));
    CHECK_CUDA(cudaStreamDestroy(streams[d]));
  }
  CHECK_EQ(*total, 2 * 4 * 64 * 50);
  CHECK_EQ(*turn, 400);
  CHECK(wrong[0] == 0 && wrong[1] == 0);
  return check_report();
}
