// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// long double has the same layout on both sides; device code may carry it, and arithmetic with it is refused.
// RUN: %mcc -c %s -o %t.o
// RUN: not %mcc -c -DUSE %s -o %t.o 2>&1 | %FileCheck %s
struct Record {
  char c;
  long double d;
  int i;
};
static_assert(sizeof(long double) == 16 && alignof(long double) == 16 && sizeof(Record) == 48, "the host's layout");

__global__ void copy(Record *to, const Record *from) { to->i = from->i; }

#ifdef USE
// CHECK: error: 'd' requires 128 bit size 'long double' type support
__global__ void use(Record *r) { r->d = r->d + 1; }
#endif
