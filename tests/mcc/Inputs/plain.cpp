// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A host file without device code.
#include <cstdio>
#if defined(__CUDACC__) || defined(__CUDA_ARCH__)
#error "a plain file is no device code"
#endif
extern "C" int twice(int);
int main() {
  printf("twice %d\n", twice(21));
  return 0;
}
