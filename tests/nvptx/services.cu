// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the vendor's driver supplies is called by its name; managed variables are managed memory; the rest is in the module.
// RUN: %mcc -ptx %s -o - | %FileCheck %s
// RUN: %mcc -ptx -rdc=true %s -o - | %FileCheck --check-prefix=RDC %s
#include <cassert>
#include <cstdio>

// CHECK-DAG: .extern .func {{.*}} vprintf
// CHECK-DAG: .extern .func __assertfail
// CHECK-DAG: .extern .func {{.*}} malloc
// CHECK-DAG: .attribute(.managed) .align 4 .u32 counter__hl_managed = 3
// CHECK-DAG: .visible .global .align 8 .u64 counter = counter__hl_managed
// CHECK-DAG: .visible .const .align 4 .b8 weights
// CHECK-NOT: __hl_sinf
// CHECK: .entry all(
// CHECK: cvt.rzi.s32.f32
__managed__ int counter = 3;
__constant__ float weights[4] = {1, 2, 3, 4};

// RDC-DAG: .extern .func {{.*}} _Z9elsewherei
// RDC-DAG: .visible .func {{.*}} _Z4herei
#ifdef __CUDACC_RDC__
extern __device__ int elsewhere(int);
__device__ int here(int x) { return elsewhere(x) + 1; }
#else
__device__ int here(int x) { return x + 1; }
#endif

extern "C" __global__ void all(float *out, int n) {
  assert(n > 0);
  printf("%d\n", n);
  int *heap = static_cast<int *>(malloc(4));
  out[0] = sinf(out[1]) + weights[n] + counter + here(n) + static_cast<int>(out[2]);
  free(heap);
}
