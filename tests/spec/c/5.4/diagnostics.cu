// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pragmas that set the level of nvcc's diagnostics: numbers and names, states that are pushed and popped, errors.
// RUN: %mcc -c %s -o %t.o -Xcompiler -Wall 2>&1 | %FileCheck %s
// RUN: not %mcc -c -DAS_ERROR %s -o %t.o 2>&1 | %FileCheck --check-prefix=ERROR %s
// covers: C-5.4.10.3-01
#ifndef __NVCC_DIAG_PRAGMA_SUPPORT__
#error "the macro says that the pragmas work"
#endif

#pragma nv_diagnostic push
#pragma nv_diag_suppress 177
// CHECK-NOT: quiet
static __device__ void suppressed() { int quiet = 0; }
#pragma nv_diag_suppress declared_but_not_referenced
static __device__ void by_name() { int quiet_too = 0; }
#pragma nv_diagnostic pop

// CHECK: diagnostics.cu:[[@LINE+1]]:{{[0-9]+}}: warning: unused variable 'loud'
static __device__ void shown() { int loud = 0; }

#ifdef AS_ERROR
#pragma nv_diag_error 177
// ERROR: diagnostics.cu:[[@LINE+1]]:{{[0-9]+}}: error: unused variable 'forbidden'
static __device__ void refused() { int forbidden = 0; }
#pragma nv_diag_default 177
#endif

#pragma nv_diag_suppress 1, 2, 20012
#pragma nv_diag_once 177
__global__ void kernel() {
  suppressed();
  by_name();
  shown();
#ifdef AS_ERROR
  refused();
#endif
}
