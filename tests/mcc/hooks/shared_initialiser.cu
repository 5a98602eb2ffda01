// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A __shared__ variable with an initialiser stays an error.
// RUN: not %mcc -c %s -o %t.o 2>&1 | %FileCheck %s
__global__ void kernel(int *p) {
  // CHECK: shared_initialiser.cu:[[@LINE+1]]:{{.*}}error: initialization is not supported for __shared__ variables
  __shared__ int x = 3;
  *p = x;
}
