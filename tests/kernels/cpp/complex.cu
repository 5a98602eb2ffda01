// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products and quotients of `_Complex` numbers, whose rare cases are library functions; kernels were refused for want of
// __mulsc3 and its kin. The host's values, which are those of annex G of the C standard, are the reference.
// RUN: %mcc %s -o %t && %run %t
// covers: C-5.3-01
#include "check.h"

#include <cmath>
#include <limits>

template <typename T> struct ComplexOf;
template <> struct ComplexOf<float> {
  using Type = _Complex float;
};
template <> struct ComplexOf<double> {
  using Type = _Complex double;
};
template <typename T> struct Results {
  T product[2], quotient[2];
};
template <typename T> __host__ __device__ Results<T> compute(T a, T b, T c, T d) {
  typename ComplexOf<T>::Type x, y;
  __real__ x = a, __imag__ x = b, __real__ y = c, __imag__ y = d;
  typename ComplexOf<T>::Type p = x * y, q = x / y;
  return {{__real__ p, __imag__ p}, {__real__ q, __imag__ q}};
}
template <typename T> __global__ void kernel(const T *values, Results<T> *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n * n * n * n) {
    out[i] = compute(values[i % n], values[i / n % n], values[i / n / n % n], values[i / n / n / n]);
  }
}

/// The same kind of number, and near where it is finite. An infinite number may have a NaN beside the infinity.
template <typename T> bool agree(const T *x, const T *y) {
  bool is_infinite = std::isinf(y[0]) || std::isinf(y[1]);
  if (is_infinite || std::isnan(y[0]) || std::isnan(y[1])) {
    return is_infinite == (std::isinf(x[0]) || std::isinf(x[1])) && (is_infinite || std::isnan(x[0]) == std::isnan(y[0]));
  }
  T size = std::hypot(y[0], y[1]);
  return std::hypot(x[0] - y[0], x[1] - y[1]) <= 8 * std::numeric_limits<T>::epsilon() * size;
}

template <typename T> void test() {
  const T inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  const T given[] = {0, T(-0.0), 1, T(-2.5), T(1e-3), 700, inf, -inf, nan};
  const int n = sizeof(given) / sizeof(T);
  T *values;
  Results<T> *out;
  CHECK_CUDA(cudaMallocManaged(&values, sizeof(given)));
  CHECK_CUDA(cudaMallocManaged(&out, n * n * n * n * sizeof(*out)));
  for (int i = 0; i < n; ++i) {
    values[i] = given[i];
  }
  kernel<<<(n * n * n * n + 127) / 128, 128>>>(values, out, n);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < n * n * n * n; ++i) {
    Results<T> host = compute(values[i % n], values[i / n % n], values[i / n / n % n], values[i / n / n / n]);
    CHECK(agree(out[i].product, host.product));
    CHECK(agree(out[i].quotient, host.quotient));
  }
  // Neither large nor small divisors overflow on the way.
  const T large = std::numeric_limits<T>::max() / 4, small = std::numeric_limits<T>::min() * 4;
  values[0] = large, values[1] = small;
  kernel<<<1, 16>>>(values, out, 2);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(out[0].quotient[0], T(1));
  CHECK_EQ(out[0].quotient[1], T(0));
  CHECK_EQ(out[15].quotient[0], T(1));
  CHECK_EQ(out[15].quotient[1], T(0));
}

int main() {
  test<float>();
  test<double>();
  return check_report();
}
