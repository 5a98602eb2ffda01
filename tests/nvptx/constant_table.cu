// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A local table of constants is read from where the constants are: a program would have seen an illegal address, or any value.
// RUN: %mcc -ptx %s -o - | %FileCheck %s
// CHECK: .entry k(
// CHECK-NOT: ld.local
// CHECK: ld.global.{{(nc.)?}}b32
extern "C" __global__ void k(unsigned *out, int i) {
  const unsigned special[8] = {0, 1u << 31, 0x7f800000u, 0xff800000u, 0x7fc00000u, 1, 0x7f7fffffu, 0x00800000u};
  out[i] = special[i % 8u];
}
