// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Diagnostics have file, line, column, the line itself and a caret.
// RUN: not %mcc -c %s -o %t.o 2>&1 | %FileCheck %s
__global__ void kernel(int *p) { *p = 0; }
int main() {
  kernel<<<1, 1>>>("text");
  // CHECK: wrong_argument.cu:[[@LINE-1]]:{{[0-9]+}}: error: cannot initialize a parameter of type 'int *' with an lvalue of type 'const char[5]'
  // CHECK-NEXT: kernel<<<1, 1>>>("text");
  // CHECK-NEXT: {{^ *[|] *\^}}
}
// CHECK: 1 error generated.
