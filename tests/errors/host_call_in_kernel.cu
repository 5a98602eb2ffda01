// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel cannot call a host function.
// RUN: not %mcc -c %s -o %t.o 2>&1 | %FileCheck %s
void on_host();
__global__ void kernel() {
  // CHECK: host_call_in_kernel.cu:[[@LINE+1]]:3: error: no matching function for call to 'on_host'
  on_host();
}
// CHECK: note: candidate function not viable: call to __host__ function from __global__ function
