// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plain mistakes: each is reported once, though both passes see it, at its line, and no object is written.
// RUN: rm -f %t.o && not %mcc -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=error:
// RUN: not ls %t.o

// CHECK: broken_source.cu:[[@LINE+1]]:{{[0-9]+}}: error: use of undeclared identifier 'undeclared'
__global__ void kernel(int *out) { *out = undeclared; }

void host() {
  // CHECK: broken_source.cu:[[@LINE+1]]:{{[0-9]+}}: error: too many arguments to function call, expected single argument 'out', have 2
  kernel<<<1, 1>>>(1, 2);
  // CHECK: broken_source.cu:[[@LINE+1]]:{{[0-9]+}}: error: expected ';'
  int x = 3
}
