// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names that are not declared: one error each, at its place, in device and host code, and no crash.
// report: spectral-compute/scale-validation#47
// RUN: not %mcc -c %s -o %t.o 2>&1 | %FileCheck %s
__global__ void kernel(int *out) {
// CHECK: undeclared_names.cu:[[@LINE+1]]:{{[0-9]+}}: error: use of undeclared identifier 'undeclared_function'
  out[0] = undeclared_function(3);
// CHECK: undeclared_names.cu:[[@LINE+1]]:{{[0-9]+}}: error: use of undeclared identifier 'another'
  out[1] = another::thing;
}
template <typename T> void launch(T value) {
// CHECK: undeclared_names.cu:[[@LINE+1]]:{{[0-9]+}}: error: use of undeclared identifier 'missing_kernel'
  missing_kernel<<<1, 1>>>(value);
}
int main() {
  launch(3);
// CHECK: undeclared_names.cu:[[@LINE+1]]:{{[0-9]+}}: error: use of undeclared identifier 'undeclared_object'
  undeclared_object.call();
}
// CHECK: {{^}}4 errors generated
