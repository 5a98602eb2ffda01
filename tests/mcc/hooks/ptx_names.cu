// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Special registers in PTX assembly with one % or two.
// RUN: %mcc -simt-ir %s -o - | %FileCheck %s
// covers: C-5.3-01
__global__ void kernel(unsigned *p) {
  unsigned one, two, mask, tail;
  // CHECK: asm "mov.u32 $0, %laneid;"
  asm("mov.u32 %0, %laneid;" : "=r"(one));
  // CHECK: asm "mov.u32 $0, %laneid;"
  asm("mov.u32 %0, %%laneid;" : "=r"(two));
  // CHECK: asm sideeffect "{ {{.*}}mov.u32 t, %lanemask_lt;{{ *}}add.u32 $0, t, $1; }"
  asm volatile(
      "{\n"
      " .reg .u32 t; // not an operand: %foo\n"
      " mov.u32 t, %lanemask_lt;\n"
      " add.u32 %0, t, %1;\n"
      "}"
      : "=r"(mask)
      : "r"(two));
  // CHECK: asm "add.u32 $0, $1, 1;"
  asm("add.u32 %[out], %[in], 1;" : [out] "=r"(tail) : [in] "r"(one));
  p[0] = one + two + mask + tail;
}
