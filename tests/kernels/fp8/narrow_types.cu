// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The 6- and 4-bit floating-point types and the scale e8m0, on host and device: every bit pattern's value, rounding to nearest and
// towards zero against the list of all values, what is too large, integers, and the places of numbers in vectors.
// RUN: %mcc %s -o %t && %run %t
#include "check.h"

#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

#include <cmath>
#include <vector>

struct Format {
  int bits, mantissa, bias;
  int patterns() const { return 1 << bits; }
  double value(int pattern) const {
    int e = (pattern & (patterns() / 2 - 1)) >> mantissa, m = pattern & ((1 << mantissa) - 1);
    double size = e == 0 ? std::ldexp(m, 1 - bias - mantissa) : std::ldexp((1 << mantissa) + m, e - bias - mantissa);
    return pattern & patterns() / 2 ? -size : size;
  }
  int rounded(double x, bool towards_zero) const {
    int largest = patterns() / 2 - 1, best = 0;
    if (x != x) return largest;
    double size = std::fabs(x);
    for (int i = 1; i <= largest; ++i) {
      double was = std::fabs(size - value(best)), is = std::fabs(size - value(i));
      if (towards_zero ? value(i) <= size : is < was || (is == was && i % 2 == 0)) best = i;
    }
    return (size > value(largest) ? largest : best) | (std::signbit(x) ? patterns() / 2 : 0);
  }
};

struct E2M3 {
  typedef __nv_fp6_e2m3 One;
  typedef __nv_fp6x2_e2m3 Two;
  typedef __nv_fp6x4_e2m3 Four;
  static constexpr int width = 8;
  static constexpr Format format = {6, 3, 1};
  static __host__ __device__ int of(double x, cudaRoundMode mode) { return __nv_cvt_double_to_fp6(x, __NV_E2M3, mode); }
};
struct E3M2 {
  typedef __nv_fp6_e3m2 One;
  typedef __nv_fp6x2_e3m2 Two;
  typedef __nv_fp6x4_e3m2 Four;
  static constexpr int width = 8;
  static constexpr Format format = {6, 2, 3};
  static __host__ __device__ int of(double x, cudaRoundMode mode) { return __nv_cvt_double_to_fp6(x, __NV_E3M2, mode); }
};
struct E2M1 {
  typedef __nv_fp4_e2m1 One;
  typedef __nv_fp4x2_e2m1 Two;
  typedef __nv_fp4x4_e2m1 Four;
  static constexpr int width = 4;
  static constexpr Format format = {4, 1, 1};
  static __host__ __device__ int of(double x, cudaRoundMode mode) { return __nv_cvt_double_to_fp4(x, __NV_E2M1, mode); }
};

// What one number makes on host or device.
struct Row {
  int of_float, of_half, of_bfloat, nearest, cut, of_integer, two, four;
  float back, third;
};
template <typename T> __host__ __device__ Row row(float x) {
  Row r;
  r.of_float = typename T::One(x).__x;
  r.of_half = typename T::One(__float2half_rn(x)).__x;
  r.of_bfloat = typename T::One(__float2bfloat16_rn(x)).__x;
  r.nearest = T::of(x, cudaRoundNearest);
  r.cut = T::of(x, cudaRoundZero);
  r.of_integer = typename T::One(static_cast<int>(x > -1000 && x < 1000 ? x : 0)).__x;
  float2 two;
  two.x = x;
  two.y = 1;
  r.two = typename T::Two(two).__x;
  float4 four;
  four.x = four.w = 0.5f;
  four.y = 2;
  four.z = x;
  typename T::Four packed(four);
  r.four = packed.__x;
  r.back = float(typename T::One(x));
  r.third = float4(packed).z;
  return r;
}
template <typename T> __global__ void rows(Row *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = row<T>(in[i]);
}

template <typename T> void check_row(const Row &r, float x) {
  const Format &f = T::format;
  int want = f.rounded(x, false), one = f.rounded(1, false), half = f.rounded(0.5, false), two = f.rounded(2, false);
  CHECK_EQ(r.of_float, want);
  CHECK_EQ(r.of_half, f.rounded(__half2float(__float2half_rn(x)), false));
  CHECK_EQ(r.of_bfloat, f.rounded(__bfloat162float(__float2bfloat16_rn(x)), false));
  CHECK_EQ(r.nearest, want);
  CHECK_EQ(r.cut, f.rounded(x, true));
  CHECK_EQ(r.of_integer, f.rounded(x > -1000 && x < 1000 ? static_cast<int>(x) : 0, false));
  CHECK_EQ(r.two, want | one << T::width);
  CHECK_EQ(r.four, half | two << T::width | want << 2 * T::width | half << 3 * T::width);
  CHECK_EQ(r.back, static_cast<float>(f.value(want)));
  CHECK_EQ(r.third, static_cast<float>(f.value(want)));
}

template <typename T> void test() {
  const Format &f = T::format;
  std::vector<float> numbers = {0.f, -0.f, 1e9f, -1e9f, INFINITY, -INFINITY, NAN, 1e-30f, -1e-30f, 3.f, -5.f};
  for (int i = 0; i < f.patterns(); ++i) {
    typename T::One one;
    one.__x = static_cast<unsigned char>(i);
    double value = f.value(i);
    CHECK_EQ(double(one), value);
    CHECK_EQ(__half2float(__half(one)), static_cast<float>(value));
    CHECK_EQ(int(one), static_cast<int>(value));
    CHECK_EQ(static_cast<unsigned char>(one), value < 0 ? 0 : static_cast<int>(value));
    CHECK_EQ(bool(one), value != 0);
    float middle = static_cast<float>((value + f.value((i & f.patterns() / 2) | ((i + 1) & (f.patterns() / 2 - 1)))) / 2);
    for (float x : {static_cast<float>(value), middle, std::nextafter(middle, 0.f), std::nextafter(middle, 2 * middle)}) numbers.push_back(x);
  }
  int n = static_cast<int>(numbers.size());
  float *in;
  Row *out;
  CHECK_CUDA(cudaMallocManaged(&in, n * sizeof(float)));
  CHECK_CUDA(cudaMallocManaged(&out, n * sizeof(Row)));
  std::copy(numbers.begin(), numbers.end(), in);
  rows<T><<<(n + 63) / 64, 64>>>(out, in, n);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i) {
    check_row<T>(out[i], in[i]);
    check_row<T>(row<T>(in[i]), in[i]);
  }
}

// Powers of two, from integers upwards.
void test_scale() {
  for (int i = 0; i < 255; ++i) {
    __nv_fp8_e8m0 one;
    one.__x = static_cast<unsigned char>(i);
    CHECK_EQ(double(one), std::ldexp(1.0, i - 127));
    CHECK(bool(one));
    double value = std::trunc(double(one));
    CHECK_EQ(int(one), value > 2147483647.0 ? 2147483647 : static_cast<int>(value));
    CHECK_EQ(static_cast<unsigned char>(one), value > 255 ? 255 : static_cast<int>(value));
  }
  CHECK_EQ(int(__nv_fp8_e8m0(-5).__x), 130);
  CHECK_EQ(int(__nv_fp8_e8m0(4294967295u).__x), 159);
  CHECK_EQ(int(__nv_fp8x2_e8m0(make_float2(0.7f, 0.91f)).__x), 0x7f7f);
  CHECK_EQ(__nv_fp8x4_e8m0(make_float4(3, 6, 9, 15)).__x, 0x83838281u);
  CHECK_EQ(float4(__nv_fp8x4_e8m0(make_float4(3, 6, 9, 15))).y, 8.0f);
  CHECK_EQ(__bfloat162float(__nv_bfloat162(__nv_fp8x2_e8m0(make_float2(3, 6))).y), 8.0f);
}

int main() {
  test<E2M3>();
  test<E3M2>();
  test<E2M1>();
  test_scale();
  return check_report();
}
