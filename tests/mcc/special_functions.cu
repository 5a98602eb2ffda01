// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C++ library's special math functions are there for host code that includes <cmath>, before or after other headers, and
// what the compiler's own headers bring along stays.
// RUN: %mcc -std=c++17 %s -o %t && %run %t
// RUN: %mcc -std=c++17 -DEARLY %s -o %t && %run %t
// RUN: %mcc -std=c++17 -DONLY_MATH_H %s -o %t && %run %t
// RUN: %mcc -std=c++11 -DNONE %s -o %t && %run %t
#ifdef EARLY
#include <cmath>
#include <random>
#elif defined(ONLY_MATH_H)
#include <math.h>
#else
#include <vector>
#include <complex>
#include <cmath>
#endif
#include "check.h"

__global__ void root(double *p) { *p = sqrt(*p) + std::abs(-1.5); }

int main() {
  double *p = nullptr;
  double value = 16;
  CHECK_CUDA(cudaMalloc(&p, sizeof(double)));
  CHECK_CUDA(cudaMemcpy(p, &value, sizeof value, cudaMemcpyHostToDevice));
  root<<<1, 1>>>(p);
  CHECK_CUDA(cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost));
  CHECK_EQ(value, 5.5);
  CHECK_EQ(std::max(1, 2), 2);
#if !defined(NONE) && !defined(ONLY_MATH_H)
  CHECK_NEAR(std::cyl_bessel_j(0, 0.0), 1.0, 1e-12);
#endif
  return check_report();
}
