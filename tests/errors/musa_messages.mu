// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a MUSA user sees names nothing of the other spelling.
// RUN: not %mcc -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=CUDA --implicit-check-not=cuda
// CHECK: musa_messages.mu:[[@LINE+1]]:{{[0-9]+}}: error: kernel function type 'int ()' must have void return type
__global__ int returns() { return 0; }
void host() {
  // CHECK: musa_messages.mu:[[@LINE+1]]:{{[0-9]+}}: error: no matching function for call to 'musaMalloc'
  musaMalloc(3);
  // CHECK: musa_messages.mu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}'musaErrror
  musaError_t e = musaErrrorNothing;
}
