// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A host function and main write one variable, and nothing says in which order.
#include <cuda_runtime.h>

static int count = 0;
static void add_one(void *) { count++; }

int main() {
  for (int i = 0; i < 100; i++) {
    cudaLaunchHostFunc(nullptr, add_one, nullptr);
    count++;
  }
  return cudaDeviceSynchronize();
}
