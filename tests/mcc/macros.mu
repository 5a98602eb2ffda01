// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MUSA code sees MUSA's macros and none of CUDA's.
// RUN: %mcc -c -Wall -Werror all-warnings %s -o %t.o
// covers: M-3.3-01
#include <cmath>
#include <vector>
#if !defined(__MUSACC__) || !defined(__MUSA__) || !defined(__HELICON__)
#error "the compiler's macros"
#endif
#if defined(__CUDACC__) || defined(__CUDA__) || defined(__CUDA_ARCH__) || defined(__CUDA_ARCH_LIST__) || defined(__CUDACC_VER_MAJOR__)
#error "macros of another language"
#endif
#if defined(__MUSA_ARCH__) && __MUSA_ARCH__ != 310
#error "the architecture"
#endif

#ifdef __MUSA_ARCH__
#define ON_DEVICE 1
#else
#define ON_DEVICE 0
#endif
__global__ void kernel(int *p) { *p = ON_DEVICE; }
int main() {
  std::vector<double> values(3, std::sqrt(4.0));
  kernel<<<1, 1>>>(nullptr);
  return ON_DEVICE + (values[0] == 2.0 ? 0 : 1);
}
