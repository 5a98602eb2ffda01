// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating point to integer in all lanes: clamped at both ends of every type, NaN as in a single conversion. The right
// values are computed on the host from the bounds.
// covers: C-5.5.3-01
// RUN: %mcc %s -o %t && %run %t
#include "check.h"

#include <cmath>
#include <limits>
#include <vector>

template <typename To, typename From> __global__ void convert(const From *in, To *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = static_cast<To>(in[i]);
  }
}

template <typename To, typename From> To expected(From x) {
  using Limits = std::numeric_limits<To>;
  if (std::isnan(x)) {
    constexpr bool is_wide = sizeof(To) == 8 || sizeof(From) == 8;
    return is_wide ? static_cast<To>(static_cast<To>(1) << (8 * sizeof(To) - 1)) : 0;
  }
  if (x >= std::ldexp(static_cast<From>(1), Limits::digits)) {
    return Limits::max();
  }
  if (x <= static_cast<From>(Limits::min())) {
    return Limits::min();
  }
  return static_cast<To>(x);
}

template <typename To, typename From> void check_pair(const std::vector<From> &values) {
  const int n = static_cast<int>(values.size());
  From *in;
  To *out;
  CHECK_CUDA(cudaMallocManaged(&in, n * sizeof(From)));
  CHECK_CUDA(cudaMallocManaged(&out, n * sizeof(To)));
  std::copy(values.begin(), values.end(), in);
  convert<<<(n + 127) / 128, 128>>>(in, out, n);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < n; i++) {
    CHECK_EQ(out[i], (expected<To, From>(values[i])));
  }
  cudaFree(in);
  cudaFree(out);
}

template <typename From> void check_from() {
  std::vector<From> values{0, -0.0, NAN, -NAN, INFINITY, -INFINITY, From(0.5), From(-0.5), From(-0.999), From(1.999)};
  for (int bits : {0, 7, 8, 15, 16, 22, 23, 24, 31, 32, 52, 53, 62, 63, 64, 70}) {
    const From edge = std::ldexp(static_cast<From>(1), bits);
    for (From x : {edge, std::nextafter(edge, From(0)), std::nextafter(edge, From(INFINITY)), edge - 1, edge + 1}) {
      values.push_back(x);
      values.push_back(-x);
    }
  }
  check_pair<int>(values);
  check_pair<unsigned>(values);
  check_pair<long long>(values);
  check_pair<unsigned long long>(values);
}

int main() {
  check_from<float>();
  check_from<double>();
  return check_report();
}
