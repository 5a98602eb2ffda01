// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline PTX that is not understood is refused with its name and text, not guessed.
// covers: C-3.2.1-01
// report: MooreThreads/torchada#87
// RUN: not %mcc %s -o %t 2>&1 | %FileCheck %s
// CHECK: unknown_asm.cu:[[@LINE+4]]:{{[0-9]+}}: error: inline PTX: unknown PTX instruction 'fancy.u32' in "fancy.u32 $0, $1, $2, $3;"
#include <cuda_runtime.h>

__global__ void k(unsigned *p) {
  asm("fancy.u32 %0, %1, %2, %3;" : "=r"(p[0]) : "r"(p[1]), "r"(p[2]), "r"(p[3]));
}

int main() { k<<<1, 1>>>(nullptr); }
