// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Without -rdc=true, an `extern` variable of the device that its file does not define is a definition, as nvcc says in a warning. It
// was an unresolved variable.
// RUN: %mcc -std=c++17 %s -o %t 2>%t.messages && %run %t && %FileCheck %s <%t.messages
// RUN: %mcc -std=c++17 -diag-suppress 20044 -c %s -o %t.o 2>&1 | %FileCheck --allow-empty --check-prefix QUIET %s
// RUN: %if nvcc %{ %nvcc -std=c++17 -arch=sm_90 -I%source/tests/support -c %s -o %t.o %}
// covers: C-5.3.10.4-05
#include "check.h"

#include <cuda_runtime.h>

// QUIET-NOT: warning
// CHECK-DAG: external_variables.cu:[[@LINE+1]]:{{[0-9]+}}: warning: no other file can define 'number' without -rdc=true: it is defined here
extern __device__ int number;
// CHECK-DAG: external_variables.cu:[[@LINE+1]]:{{[0-9]+}}: warning: no other file can define 'table'
extern __constant__ float table[4];
extern __managed__ int managed;
extern "C" __device__ int of_c;
extern "C" {
extern __device__ long in_braces;
}
namespace space {
extern __device__ double number;
extern __device__ int unused;
}  // namespace space
struct Made {
  int member;
  __device__ Made() : member(3) {}
};
extern __device__ Made made;

__global__ void kernel(double *out) {
  extern __device__ int local;
  out[0] = number + table[2] + managed + of_c + in_braces + space::number + made.member;
  out[1] = local;
  number += 1;
}

int main() {
  double *out;
  CHECK_CUDA(cudaMallocManaged(&out, 2 * sizeof *out));
  kernel<<<1, 1>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(out[0], 0);
  CHECK_EQ(out[1], 0);
  const float values[] = {1, 2, 4, 8};
  const double precise = 0.5;
  const int one = 100;
  CHECK_CUDA(cudaMemcpyToSymbol(table, values, sizeof values));
  CHECK_CUDA(cudaMemcpyToSymbol(space::number, &precise, sizeof precise));
  CHECK_CUDA(cudaMemcpyToSymbol(of_c, &one, sizeof one));
  managed = 1000;
  kernel<<<1, 1>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(out[0], 1 + 4 + 1000 + 100 + 0.5);
  return check_report();
}
