// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dynamic shared memory whose type depends on a template: two types under one name are an error, as for nvcc; bytes that are cast and
// a function that picks the type are what people write instead.
// report: CUDA Shared Memory Templated Kernel
// RUN: %mcc -O3 %s -o %t && %run %t
// RUN: not %mcc -DCONFLICT -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %if nvcc %{ not %nvcc -arch=sm_90 -DCONFLICT -I%source/tests/support -c %s -o %t.o %}
// covers: C-2.3.3.2-01
#include "check.h"

#ifdef CONFLICT
template <typename T> __global__ void conflict(T *out) {
// CHECK: shared_arrays_of_templates.cu:[[@LINE+1]]:{{[0-9]+}}: error: redeclaration of 'box' with a different type: 'double[]' vs 'int[]'
  extern __shared__ T box[];
  box[threadIdx.x] = *out;
}
template __global__ void conflict<int>(int *);
template __global__ void conflict<double>(double *);
#endif

template <typename T> __global__ void reversed_in_bytes(T *values) {
  extern __shared__ __align__(sizeof(double)) unsigned char bytes[];
  T *box = reinterpret_cast<T *>(bytes);
  box[threadIdx.x] = values[threadIdx.x];
  __syncthreads();
  values[threadIdx.x] = box[blockDim.x - 1 - threadIdx.x];
}

template <typename T> struct SharedMemory;
template <> struct SharedMemory<int> {
  __device__ int *pointer() {
    extern __shared__ int of_int[];
    return of_int;
  }
};
template <> struct SharedMemory<double> {
  __device__ double *pointer() {
    extern __shared__ double of_double[];
    return of_double;
  }
};
template <typename T> __global__ void reversed_by_type(T *values) {
  T *box = SharedMemory<T>().pointer();
  box[threadIdx.x] = values[threadIdx.x];
  __syncthreads();
  values[threadIdx.x] = box[blockDim.x - 1 - threadIdx.x];
}

template <typename T> void test() {
  T *values;
  CHECK_CUDA(cudaMallocManaged(&values, 64 * sizeof(T)));
  for (int i = 0; i < 64; ++i) values[i] = T(i) / 2;
  reversed_in_bytes<<<1, 64, 64 * sizeof(T)>>>(values);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 64; ++i) CHECK_EQ(values[i], T(63 - i) / 2);
  reversed_by_type<<<1, 64, 64 * sizeof(T)>>>(values);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 64; ++i) CHECK_EQ(values[i], T(i) / 2);
}

int main() {
  test<int>();
  test<double>();
  return check_report();
}
