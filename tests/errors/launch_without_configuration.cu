// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel is called with a configuration.
// RUN: not %mcc -c %s -o %t.o 2>&1 | %FileCheck %s
__global__ void kernel() {}
int main() {
  // CHECK: launch_without_configuration.cu:[[@LINE+1]]:{{[0-9]+}}: error: call to global function 'kernel' not configured
  kernel();
}
