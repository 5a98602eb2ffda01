// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses of functions and variables in their own execution space: device tables of device functions, addresses of device variables
// that the host asks for by symbol, kernels that are named on both sides.
// RUN: %mcc -std=c++17 %s -o %t && %run %t
// covers: C-5.3.10.3-01 C-2.1.9-01
#include "check.h"

#include <cuda_runtime.h>

typedef int (*Operation)(int, int);
__host__ __device__ int add(int a, int b) {
#ifdef __CUDA_ARCH__
  return a + b + 1000;
#else
  return a + b;
#endif
}
__device__ int multiply(int a, int b) { return a * b; }
__device__ Operation table[2] = {add, multiply};
__device__ int variable = 5;
__device__ int *device_address = &variable;

__global__ void call(int *out, int which) {
  out[threadIdx.x] = table[(which + threadIdx.x) % 2](threadIdx.x, 3);
}
__global__ void call_given(int *out, Operation operation) { *out = operation(20, 3); }
__global__ void take(Operation *out) { *out = multiply; }
__global__ void through(int *out) {
  *out = *device_address;
  *device_address = 9;
}
__global__ void kernel_of_table(int *out) { *out = 31; }
using Kernel = void (*)(int *);
constexpr Kernel kernels[] = {through, kernel_of_table};

int main() {
  int *out;
  Operation *operation;
  CHECK_CUDA(cudaMallocManaged(&out, 64 * sizeof(int)));
  CHECK_CUDA(cudaMallocManaged(&operation, sizeof *operation));
  call<<<1, 64>>>(out, 1);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 64; ++i) {
    CHECK_EQ(out[i], (i + 1) % 2 == 0 ? i + 3 + 1000 : i * 3);
  }
  // A device address travels through the host and means the same on the device.
  take<<<1, 1>>>(operation);
  CHECK_CUDA(cudaDeviceSynchronize());
  call_given<<<1, 1>>>(out, *operation);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*out, 60);
  Operation from_symbol;
  CHECK_CUDA(cudaMemcpyFromSymbol(&from_symbol, table, sizeof from_symbol));
  CHECK(from_symbol != add);
  call_given<<<1, 1>>>(out, from_symbol);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*out, 1023);
  CHECK_EQ(add(1, 2), 3);

  void *address, *seen;
  CHECK_CUDA(cudaGetSymbolAddress(&address, variable));
  CHECK_CUDA(cudaMemcpyFromSymbol(&seen, device_address, sizeof seen));
  CHECK(address == seen);
  CHECK(address != &variable);
  kernels[0]<<<1, 1>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*out, 5);
  int now;
  CHECK_CUDA(cudaMemcpy(&now, address, sizeof now, cudaMemcpyDefault));
  CHECK_EQ(now, 9);
  kernels[1]<<<1, 1>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*out, 31);
  return check_report();
}
