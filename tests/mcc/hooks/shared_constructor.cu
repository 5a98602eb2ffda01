// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A __shared__ variable with a constructor: a warning, the constructor does not run.
// RUN: %mcc -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %mcc -simt-ir %s -o - 2>/dev/null | %FileCheck --check-prefix=IR %s
// RUN: %mcc -c -diag-suppress 20054 %s -o %t.o 2>&1 | count 0
struct Counter {
  int value;
  __device__ Counter() : value(3) {}
};
struct Plain {
  int value;
};

__global__ void kernel(int *p) {
  // CHECK: shared_constructor.cu:[[@LINE+1]]:22: warning: the constructor of the __shared__ variable 'counter' is not run
  __shared__ Counter counter;
  __shared__ Plain plain;
  counter.value = p[0];
  plain.value = p[1];
  __syncthreads();
  p[2] = counter.value + plain.value;
}
// CHECK: 1 warning generated.
// IR: addrspace(3) global %struct.Counter undef
// IR-NOT: call {{.*}}CounterC
