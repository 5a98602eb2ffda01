// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device code has no exceptions.
// RUN: not %mcc -c %s -o %t.o 2>&1 | %FileCheck %s
// CHECK: throw_in_kernel.cu:[[@LINE+1]]:{{.*}}error: cannot use 'throw' in __global__ function
__global__ void kernel() { throw 1; }
