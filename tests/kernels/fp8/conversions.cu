// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 8-bit floating-point types on host and device: every bit pattern to half and back, rounding to nearest even against
// the list of all values, saturation, infinity and not-a-number, the power-of-two scale.
// RUN: %mcc %s -o %t && %run %t
// covers: C-5.5.5-01
#include "check.h"

#include <cmath>
#include <cuda_fp8.h>
#include <cuda_runtime.h>
#include <vector>

constexpr int kCount = 4096;
__managed__ float inputs[kCount];
__managed__ unsigned char outputs[4][kCount];
__managed__ float widened[2][256];

__global__ void narrow() {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 4; ++k)
    outputs[k][i] = __nv_cvt_float_to_fp8(inputs[i], k & 1 ? __NV_SATFINITE : __NV_NOSAT, k & 2 ? __NV_E5M2 : __NV_E4M3);
}

__global__ void widen() {
  __nv_fp8_e4m3 a;
  __nv_fp8_e5m2 b;
  a.__x = b.__x = static_cast<unsigned char>(threadIdx.x);
  widened[0][threadIdx.x] = float(a);
  widened[1][threadIdx.x] = float(__half(b));
}

// The value of a bit pattern, by the definition of the format.
double value(int bits, bool e5m2) {
  int mantissa = e5m2 ? 2 : 3, bias = e5m2 ? 15 : 7, e = (bits & 0x7f) >> mantissa, m = bits & ((1 << mantissa) - 1);
  double size = e == 0 ? std::ldexp(m, 1 - bias - mantissa) : std::ldexp((1 << mantissa) + m, e - bias - mantissa);
  if (e5m2 && e == 31) size = m == 0 ? INFINITY : NAN;
  if (!e5m2 && (bits & 0x7f) == 0x7f) size = NAN;
  return bits & 0x80 ? -size : size;
}

// The nearest finite value, the even pattern of two; too large when it is nearer to the next power than to the largest.
int expected(float x, bool saturate, bool e5m2) {
  int largest = e5m2 ? 0x7b : 0x7e, sign = std::signbit(x) ? 0x80 : 0;
  if (std::isnan(x)) return 0x7f;
  double size = std::fabs(x), step = value(largest, e5m2) - value(largest - 1, e5m2);
  double limit = value(largest, e5m2) + step / 2;
  if (size > limit || (size == limit && (largest & 1))) return sign | (saturate ? largest : e5m2 ? 0x7c : 0x7f);
  int best = 0;
  for (int i = 1; i <= largest; ++i) {
    double was = std::fabs(size - value(best, e5m2)), is = std::fabs(size - value(i, e5m2));
    if (is < was || (is == was && i % 2 == 0)) best = i;
  }
  return sign | best;
}

int main() {
  int n = 0;
  for (int e5m2 = 0; e5m2 < 2; ++e5m2)
    for (int i = 0; i < 256; ++i) {
      float at = static_cast<float>(value(i, e5m2)), next = static_cast<float>(value((i + 1) & 0xff, e5m2));
      float middle = (at + next) / 2;
      for (float x : {at, middle, std::nextafter(middle, 0.0f), std::nextafter(middle, 1e9f)}) inputs[n++] = x;
    }
  for (float x : {1e9f, -1e9f, 464.0f, 465.0f, 61440.0f, 61439.0f, INFINITY, -INFINITY, 1e-30f, -0.0f}) inputs[n++] = x;
  narrow<<<kCount / 256, 256>>>();
  widen<<<1, 256>>>();
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int k = 0; k < 4; ++k)
    for (int i = 0; i < n; ++i) {
      int want = expected(inputs[i], k & 1, k & 2);
      CHECK_EQ(int(outputs[k][i]), want);
      CHECK_EQ(int(__nv_cvt_float_to_fp8(inputs[i], k & 1 ? __NV_SATFINITE : __NV_NOSAT, k & 2 ? __NV_E5M2 : __NV_E4M3)), want);
    }
  for (int i = 0; i < 256; ++i)
    for (int k = 0; k < 2; ++k) CHECK_NEAR(widened[k][i], value(i, k), 0);

  __nv_fp8x4_e4m3 four(make_float4(1, -2, 0.5f, 1000));
  float4 back = float4(four);
  CHECK_EQ(back.x, 1.0f);
  CHECK_EQ(back.y, -2.0f);
  CHECK_EQ(back.z, 0.5f);
  CHECK_EQ(back.w, 448.0f);
  __nv_fp8x2_e5m2 two(__floats2half2_rn(3.0f, -0.25f));
  CHECK_EQ(float2(two).x, 3.0f);
  CHECK_EQ(float2(two).y, -0.25f);
  CHECK_EQ(int(__nv_fp8_e4m3(3.7f)), 3);
  CHECK_EQ(int(static_cast<signed char>(__nv_fp8_e4m3(300.0f))), 127);
  CHECK_EQ(int(__nv_cvt_float_to_e8m0(3.0f, __NV_SATFINITE, cudaRoundPosInf)), 129);
  CHECK_EQ(int(__nv_cvt_float_to_e8m0(-3.0f, __NV_SATFINITE, cudaRoundZero)), 128);
  CHECK_EQ(int(__nv_cvt_float_to_e8m0(INFINITY, __NV_SATFINITE, cudaRoundZero)), 254);
  CHECK_EQ(int(__nv_cvt_float_to_e8m0(INFINITY, __NV_NOSAT, cudaRoundZero)), 255);
  CHECK_EQ(int(__nv_cvt_float_to_e8m0(NAN, __NV_SATFINITE, cudaRoundZero)), 255);
  CHECK_EQ(float(__nv_fp8_e8m0(5.0f)), 8.0f);
  return check_report();
}
