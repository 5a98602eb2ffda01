// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Many threads launch their first kernel at once; each has its own default device, stream and last error.
// RUN: %mcc %s -o %t && env HELICON_CPU_DEVICES=2 %run %t
// RUN: env HELICON_CPU_DEVICES=2 CUDA_MODULE_LOADING=EAGER %run %t
#include "check.h"

#include <thread>
#include <vector>

__device__ int base;
__global__ void add(int *out, int n) { *out = base + n; }

static void work(int n, int *wrong) {
  int device = n % 2;
  int *memory = nullptr;
  int result = 0;
  *wrong += cudaSetDevice(device) != cudaSuccess;
  *wrong += cudaMalloc(&memory, sizeof(int)) != cudaSuccess;
  for (int i = 0; i < 20; ++i) {
    add<<<1, 1>>>(memory, n + i);
    *wrong += cudaMemcpy(&result, memory, sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess;
    *wrong += result != n + i + 100 * device;
  }
  *wrong += cudaFree(memory) != cudaSuccess;
  *wrong += cudaGetLastError() != cudaSuccess;
}

int main() {
  int base_of_second = 100;
  CHECK_CUDA(cudaSetDevice(1));
  CHECK_CUDA(cudaMemcpyToSymbol(base, &base_of_second, sizeof(int)));
  CHECK_CUDA(cudaSetDevice(0));
  std::vector<std::thread> threads;
  std::vector<int> wrong(8);
  for (int n = 0; n < 8; ++n) {
    threads.emplace_back(work, n, &wrong[n]);
  }
  for (int n = 0; n < 8; ++n) {
    threads[n].join();
    CHECK_EQ(wrong[n], 0);
  }
  return check_report();
}
