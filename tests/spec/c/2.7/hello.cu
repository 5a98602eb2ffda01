// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shortest program, built in the ways that a command line allows.
// RUN: %mcc %s -o %t && %run %t | %FileCheck %s
// RUN: %mcc -c %s -o %t.o && %mcc %t.o -o %t.linked && %run %t.linked | %FileCheck %s
// RUN: %mcc -x cu -O0 -g %s -o %t.debug && %run %t.debug | %FileCheck %s
// RUN: %mcc -G %s -o %t.device-debug && %run %t.device-debug | %FileCheck %s
// RUN: %mcc -DGREETING=5 -UNOTHING -I. -L. -lm %s -o %t.options && %run %t.options | %FileCheck %s --check-prefix=FIVE
// RUN: rm -rf %t.dir && mkdir -p %t.dir && cd %t.dir && %mcc %s && %run ./a.out | %FileCheck %s
// RUN: %mcc -odir %t.dir -c %s && %mcc %t.dir/hello.o -o %t.dir/hello && %run %t.dir/hello | %FileCheck %s
// covers: C-2.7-01 C-2.7.2-01 C-2.7.3-01 C-2.7.4-02
#include <cstdio>

#ifndef GREETING
#define GREETING 4
#endif

__global__ void kernel() { printf("hello %d from thread %d\n", GREETING, threadIdx.x); }

int main() {
  kernel<<<1, 2>>>();
  return cudaDeviceSynchronize();
}
// CHECK-DAG: hello 4 from thread 0
// CHECK-DAG: hello 4 from thread 1
// FIVE-DAG: hello 5 from thread 1
