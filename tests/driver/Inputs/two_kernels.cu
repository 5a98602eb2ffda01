// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two kernels of a program.
__global__ void first(int *p) { *p = 1; }
__global__ void second(int *p) { *p = 2; }
int main() {
  first<<<1, 1>>>(nullptr);
  second<<<1, 1>>>(nullptr);
}
