// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What has no form in PTX is no error: the program runs on the CPU, and a warning says what a GPU lacks. -ptx is refused.
// RUN: %mcc -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %mcc -c --no-gpu-code %s -o %t.o 2>&1 | %FileCheck --allow-empty --check-prefix=QUIET %s
// RUN: not %mcc -ptx %s -o %t.ptx 2>&1 | %FileCheck --check-prefix=ERROR %s
// CHECK: refused.cu: warning: no code for NVIDIA GPUs: {{.*}}__hl_clock64
// QUIET-NOT: warning
// ERROR: __hl_clock64
extern "C" __device__ unsigned long long __hl_clock64();
__global__ void k(unsigned long long *out) { *out = __hl_clock64(); }
