// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function that two files declare with different parameters is found by the link, a type that is not complete by the compiler.
// RUN: not %mcc -rdc=true %s %S/Inputs/library.cu -o %t 2>&1 | %FileCheck %s
// RUN: not %mcc -rdc=true -DINCOMPLETE -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=INCOMPLETE %s
// covers: C-5.3.10.5-02
// CHECK: error: {{.*}}times_three(long)
extern __device__ int times_three(long x);

struct Later;
extern __device__ Later later;

__global__ void kernel(int *out) {
  *out = times_three(4);
#ifdef INCOMPLETE
  // INCOMPLETE: mismatched.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}incomplete type 'Later'
  *out += later.value;
#endif
}

int main() {
  int *out = nullptr;
  kernel<<<1, 1>>>(out);
  return cudaDeviceSynchronize();
}
