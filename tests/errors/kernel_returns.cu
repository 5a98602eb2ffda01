// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel returns nothing.
// RUN: not %mcc -c %s -o %t.o 2>&1 | %FileCheck %s
// CHECK: kernel_returns.cu:[[@LINE+1]]:{{.*}}error: kernel function type 'int ()' must have void return type
__global__ int kernel() { return 1; }
