// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HELICON_COMPARE: every launch on both, differences reported with place and distance, the program unharmed. The stand-in's
// code (-DGPU) is made to differ.
// REQUIRES: engine-warp
// RUN: %mcc -cudart none -shared -Xcompiler -fPIC %S/Inputs/fake_libcuda.cpp -o %t.fake.so && cp %toolkit/lib/libhelicon.so.0 %t.inner.so
// RUN: %mcc %s -o %t && %mcc -fatbin -DGPU %s -o %t.fatbin && %mcc -fatbin %s -o %t.same.fatbin
// RUN: env HELICON_NVIDIA_LIBRARY=%t.fake.so FAKE_GPU_INNER=%t.inner.so FAKE_GPU_IMAGE=%t.fatbin HELICON_COMPARE=1 %run %t 1 2>&1 | %FileCheck %s
// RUN: env HELICON_NVIDIA_LIBRARY=%t.fake.so FAKE_GPU_INNER=%t.inner.so FAKE_GPU_IMAGE=%t.fatbin HELICON_COMPARE=ulp=4 %run %t 1 2>&1 | %FileCheck %s --check-prefix=ULP
// RUN: env HELICON_NVIDIA_LIBRARY=%t.fake.so FAKE_GPU_INNER=%t.inner.so FAKE_GPU_IMAGE=%t.same.fatbin HELICON_COMPARE=1 %run %t 0 2>&1 | %FileCheck %s --check-prefix=SAME
// RUN: not env HELICON_DRIVERS=cpu HELICON_COMPARE=1 %run %t 0 2>&1 | %FileCheck %s --check-prefix=NOGPU
// RUN: not env HELICON_NVIDIA_LIBRARY=%t.fake.so FAKE_GPU_INNER=%t.inner.so HELICON_COMPARE=nonsense %run %t 0 2>&1 | %FileCheck %s --check-prefix=WORD
// CHECK: helicon compare: scale(float*, int), launch 2
// CHECK-NEXT: buffer 1 (4000 bytes at 0x{{[0-9a-f]+}}), byte 68: float GPU 8.50000095, CPU 8.5 (1 ulp)
// CHECK-NEXT: 1 of 1000 elements differ, the worst by 1 ulp
// CHECK: helicon compare: count(int), launch 1
// CHECK-NEXT: variable total, byte 0: int GPU 11 (0x0000000b), CPU 10 (0x0000000a)
// CHECK: launches  compared  different  kernel
// CHECK-NEXT: 1 1 1 count(int)
// CHECK-NEXT: 2 2 1 scale(float*, int)
// ULP-NOT: scale(float*, int), launch
// ULP: 2 2 0 scale(float*, int)
// SAME: launches  compared  different  kernel
// SAME-NEXT: 1 1 0 count(int)
// SAME-NEXT: 2 2 0 scale(float*, int)
// NOGPU: HELICON_COMPARE compares an NVIDIA GPU with the CPU; in use is only cpu
// WORD: HELICON_COMPARE is 'nonsense'
#include "check.h"

#include <cstdlib>

__device__ int total;

__global__ void scale(float *values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = values[i] * 0.5f;
#ifdef GPU
  if (i == 17 && v == 8.5f) v = __uint_as_float(__float_as_uint(v) + 1);
#endif
  values[i] = v;
}

__global__ void count(int n) {
#ifdef GPU
  n++;
#endif
  total = n;
}

int main(int, char **argv) {
  constexpr int kCount = 1000;
  int differs = atoi(argv[1]), seen = 0, devices = 0;
  float host[kCount], *unused, *values;
  REQUIRE_CUDA(cudaMalloc(&unused, 100));
  CHECK_CUDA(cudaMalloc(&values, sizeof host));
  for (int i = 0; i < kCount; ++i) host[i] = 2.0f * i;
  CHECK_CUDA(cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice));
  for (int i = 0; i < 2; ++i) scale<<<8, 128>>>(values, kCount);
  CHECK_CUDA(cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost));
  // The program goes on with the GPU's results.
  CHECK_EQ(host[16], 8.0f);
  CHECK_EQ(host[17] != 8.5f, differs != 0);
  CHECK_CUDA(cudaMemcpyToSymbol(total, &seen, sizeof seen));
  count<<<1, 1>>>(10);
  CHECK_CUDA(cudaMemcpyFromSymbol(&seen, total, sizeof seen));
  CHECK_EQ(seen, 10 + differs);
  CHECK_CUDA(cudaGetDeviceCount(&devices));
  CHECK_EQ(devices, 1);
  CHECK_CUDA(cudaFree(values));
  CHECK_CUDA(cudaFree(unused));
  return check_report();
}
