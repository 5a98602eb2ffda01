// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A variable of the host named in device code.
// RUN: not %mcc -c %s -o %t.o 2>&1 | %FileCheck %s
// covers: C-4.1.1.1-02
int on_host = 5;
const int constant = 6;

__global__ void kernel(int *out) {
  out[0] = constant;
  // CHECK: host_variable.cu:[[@LINE+1]]:{{[0-9]+}}: error: reference to __host__ variable 'on_host' in __global__ function
  out[1] = on_host;
}
