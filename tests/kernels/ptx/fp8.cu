// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cvt of 8-bit floating-point numbers in inline PTX: every pattern to half, floats and halves to both formats against the list
// of all values, saturation, .relu.
// RUN: %mcc -arch=sm_90 %s -o %t && %run %t
#include "check.h"

#include <cmath>
#include <cuda_fp16.h>
#include <vector>

typedef unsigned short u16;
typedef unsigned int u32;

// The kinds of results of one pair of floats.
struct Row {
  u16 e4m3, e5m2, relu, of_halves;
};

__global__ void narrow(Row *out, const float *in, int pairs) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs) return;
  float low = in[2 * i], high = in[2 * i + 1];
  Row r;
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(r.e4m3) : "f"(high), "f"(low));
  asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(r.e5m2) : "f"(high), "f"(low));
  asm("cvt.rn.satfinite.relu.e4m3x2.f32 %0, %1, %2;" : "=h"(r.relu) : "f"(high), "f"(low));
  u32 halves = __half_as_ushort(__float2half_rn(low)) | u32(__half_as_ushort(__float2half_rn(high))) << 16;
  asm("cvt.rn.satfinite.e5m2x2.f16x2 %0, %1;" : "=h"(r.of_halves) : "r"(halves));
  out[i] = r;
}

__global__ void widen(u32 *out) {
  u16 pair = static_cast<u16>(threadIdx.x | (255 - threadIdx.x) << 8);
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(out[threadIdx.x]) : "h"(pair));
  asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(out[256 + threadIdx.x]) : "h"(pair));
  asm("cvt.rn.relu.f16x2.e4m3x2 %0, %1;" : "=r"(out[512 + threadIdx.x]) : "h"(pair));
}

// The value of a pattern, by the definition of the format.
double value(int bits, bool e5m2) {
  int mantissa = e5m2 ? 2 : 3, bias = e5m2 ? 15 : 7, e = (bits & 0x7f) >> mantissa, m = bits & ((1 << mantissa) - 1);
  double size = e == 0 ? std::ldexp(m, 1 - bias - mantissa) : std::ldexp((1 << mantissa) + m, e - bias - mantissa);
  if (e5m2 && e == 31) size = m == 0 ? INFINITY : NAN;
  if (!e5m2 && (bits & 0x7f) == 0x7f) size = NAN;
  return bits & 0x80 ? -size : size;
}

// The nearest finite value, the even pattern of two.
int nearest(float x, bool e5m2) {
  if (std::isnan(x)) return 0x7f;
  int largest = e5m2 ? 0x7b : 0x7e, best = 0;
  double size = std::fabs(x);
  for (int i = 1; i <= largest; ++i) {
    double was = std::fabs(size - value(best, e5m2)), is = std::fabs(size - value(i, e5m2));
    if (is < was || (is == was && i % 2 == 0)) best = i;
  }
  return (size > value(largest, e5m2) ? largest : best) | (std::signbit(x) ? 0x80 : 0);
}

double half_value(u32 bits) { return __half2float(__ushort_as_half(static_cast<u16>(bits))); }
bool same(double a, double b) { return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b); }

int main() {
  std::vector<float> numbers = {0.f, -0.f, INFINITY, -INFINITY, NAN, 1e9f, -1e9f, 449.f, 464.f, 465.f, 61440.f, -1e-30f};
  for (int e5m2 = 0; e5m2 < 2; ++e5m2)
    for (int i = 0; i < 256; ++i) {
      double at = value(i, e5m2), next = value((i & 0x80) | ((i + 1) & 0x7f), e5m2);
      float middle = static_cast<float>((at + next) / 2);
      for (float x : {static_cast<float>(at), middle, std::nextafter(middle, 0.0f), std::nextafter(middle, 2 * middle)}) numbers.push_back(x);
    }
  int pairs = static_cast<int>(numbers.size() / 2);
  float *in;
  Row *out;
  u32 *wide;
  CHECK_CUDA(cudaMallocManaged(&in, numbers.size() * sizeof(float)));
  CHECK_CUDA(cudaMallocManaged(&out, pairs * sizeof(Row)));
  CHECK_CUDA(cudaMallocManaged(&wide, 768 * sizeof(u32)));
  std::copy(numbers.begin(), numbers.end(), in);
  narrow<<<(pairs + 63) / 64, 64>>>(out, in, pairs);
  widen<<<1, 256>>>(wide);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < pairs; ++i)
    for (int k = 0; k < 2; ++k) {
      float x = in[2 * i + k], rounded = __half2float(__float2half_rn(x));
      auto byte = [&](u16 word) { return word >> (8 * k) & 0xff; };
      CHECK_EQ(byte(out[i].e4m3), nearest(x, false));
      CHECK_EQ(byte(out[i].e5m2), nearest(x, true));
      CHECK_EQ(byte(out[i].relu), x <= 0 ? 0 : nearest(x, false));
      CHECK_EQ(byte(out[i].of_halves), nearest(rounded, true));
    }
  for (int i = 0; i < 256; ++i)
    for (int k = 0; k < 2; ++k) {
      int bits = k ? 255 - i : i;
      double e4m3 = value(bits, false);
      CHECK(same(half_value(wide[i] >> (16 * k)), e4m3));
      CHECK(same(half_value(wide[256 + i] >> (16 * k)), value(bits, true)));
      CHECK(same(half_value(wide[512 + i] >> (16 * k)), e4m3 <= 0 ? 0.0 : e4m3));
    }
  return check_report();
}
