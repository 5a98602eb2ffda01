// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A host function that is called has no thread whose index it could ask for; nvcc leaves it to the linker.
// RUN: not %mcc -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %if nvcc %{ not %nvcc -arch=sm_90 %s -o %t %}
// covers: C-5.4.2.2-01
__host__ __device__ inline int index() { return threadIdx.x; }
__global__ void kernel(int *out) { *out = index(); }
int main() {
  return index();
}
// CHECK: error: call to '__hl_sreg_on_host' declared with 'error' attribute: threadIdx, blockIdx, blockDim and gridDim exist in device code only
