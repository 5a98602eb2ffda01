// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device code with its own operator new and delete: of a class, and in place of the global ones, which the forms that the program
// leaves alone (arrays, sizes) then call. The host's stay the host's.
// RUN: %mcc -std=c++17 %s -o %t && %run %t
// RUN: %mcc -std=c++17 -rdc=true %s -o %t && %run %t
// RUN: %if nvcc %{ %nvcc -std=c++17 -I%source/tests/support -arch=sm_90 -c %s -o %t.o %}
// covers: C-5.3.7.5-01
#include "check.h"

__device__ int taken, given_back, of_class;

__device__ void *operator new(size_t bytes) {
  atomicAdd(&taken, 1);
  return malloc(bytes);
}
__device__ void operator delete(void *p) noexcept {
  atomicAdd(&given_back, 1);
  free(p);
}

struct Own {
  int value = 3;
  __device__ static void *operator new(size_t bytes) {
    atomicAdd(&of_class, 1);
    return malloc(bytes);
  }
  __device__ static void operator delete(void *p) {
    atomicAdd(&of_class, 100);
    free(p);
  }
};

struct Plain {
  int values[3] = {1, 2, 3};
};

__global__ void kernel(int *bad) {
  auto *plain = new Plain;
  auto *array = new int[5];
  auto *own = new Own;
  array[4] = 7;
  if (plain->values[2] + array[4] + own->value != 13) atomicAdd(bad, 1);
  delete plain;
  delete[] array;
  delete own;
}

int main() {
  int *bad;
  CHECK_CUDA(cudaMallocManaged(&bad, sizeof *bad));
  *bad = 0;
  kernel<<<1, 40>>>(bad);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*bad, 0);
  int counts[3];
  CHECK_CUDA(cudaMemcpyFromSymbol(&counts[0], taken, sizeof(int)));
  CHECK_CUDA(cudaMemcpyFromSymbol(&counts[1], given_back, sizeof(int)));
  CHECK_CUDA(cudaMemcpyFromSymbol(&counts[2], of_class, sizeof(int)));
  CHECK_EQ(counts[0], 80);
  CHECK_EQ(counts[1], 80);
  CHECK_EQ(counts[2], 40 * 101);
  Plain *on_host = new Plain;
  CHECK_EQ(on_host->values[1], 2);
  delete on_host;
  return check_report();
}
