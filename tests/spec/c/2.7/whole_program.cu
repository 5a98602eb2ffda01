// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two files with kernels of one name, compiled as whole programs and linked by g++ with -lcudart.
// RUN: %mcc -c -DNAME=first -DVALUE=1 %s -o %t.1.o && %mcc -c -DNAME=second -DVALUE=2 -DMAIN %s -o %t.2.o
// RUN: g++ %t.1.o %t.2.o -L%toolkit/lib64 -Wl,-rpath,%toolkit/lib64 -lcudart -o %t.shared && %run %t.shared
// RUN: g++ %t.1.o %t.2.o -L%toolkit/lib64 -lcudart_static -lrt -lpthread -ldl -o %t.static && %run %t.static
// RUN: %mcc -shared -Xcompiler -fPIC -DNAME=first -DVALUE=1 %s -o %t.so && %mcc -DNAME=second -DVALUE=2 -DMAIN %s %t.so -o %t.dynamic && %run %t.dynamic
// covers: C-2.7.3-03 C-2.7.3-04
#include "check.h"

static __device__ int value = VALUE;
static __global__ void kernel(int *out) { *out = value; }

extern "C" int NAME() {
  int *device = nullptr, host = 0;
  CHECK_CUDA(cudaMalloc(&device, sizeof(int)));
  kernel<<<1, 1>>>(device);
  CHECK_CUDA(cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost));
  CHECK_CUDA(cudaFree(device));
  return host;
}

#ifdef MAIN
extern "C" int first();
int main() {
  CHECK_EQ(first(), 1);
  CHECK_EQ(second(), 2);
  return check_report();
}
#endif
