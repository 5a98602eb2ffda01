// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declarations that the language forbids.
// RUN: not %mcc -c %s -o %t.o 2>&1 | %FileCheck %s
// covers: B-3-02
// CHECK: kernel_declarations.cu:[[@LINE+1]]:{{[0-9]+}}: error: kernel function type 'int ()' must have void return type
__global__ int returns() { return 0; }

// CHECK: kernel_declarations.cu:[[@LINE+1]]:{{[0-9]+}}: error: 'host' and 'global' attributes are not compatible
__global__ __host__ void both() {}

struct Members {
  // CHECK: kernel_declarations.cu:[[@LINE+1]]:{{[0-9]+}}: error: kernel function 'member' must be a free function or static member function
  __global__ void member() {}
};

__global__ void shared() {
  // CHECK: kernel_declarations.cu:[[@LINE+1]]:{{[0-9]+}}: error: initialization is not supported for __shared__ variables
  __shared__ int value = 3;
}

__device__ void thrower() {
  // CHECK: kernel_declarations.cu:[[@LINE+1]]:{{[0-9]+}}: error: cannot use 'throw' in __device__ function
  throw 1;
}
