// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cvt of inline PTX to and from floating-point numbers of 6 and 4 bits and exponents (ue8m0) against lists of all values, tf32
// that saturates, and integers of 4 and 2 bits.
// RUN: %mcc --no-gpu-code -std=c++17 %s -o %t && %run %t
// ptx: no (these conversions are of sm_100a and later)
// gpu: no (these conversions are of sm_100a and later)
// covers: C-3.2.1-01
#include "check.h"

#include <cuda_fp16.h>

#include <cmath>
#include <cstring>
#include <vector>

typedef unsigned short u16;
typedef unsigned int u32;

struct Row {
  u16 e2m3, e3m2, relu, e2m1, down, up, unsaturated, of_bfloats;
  u32 tf32;
};

__global__ void narrow(Row *out, const float *in, int pairs) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs) return;
  float low = in[2 * i], high = in[2 * i + 1];
  Row r;
  asm("cvt.rn.satfinite.e2m3x2.f32 %0, %1, %2;" : "=h"(r.e2m3) : "f"(high), "f"(low));
  asm("cvt.rn.satfinite.e3m2x2.f32 %0, %1, %2;" : "=h"(r.e3m2) : "f"(high), "f"(low));
  asm("cvt.rn.satfinite.relu.e3m2x2.f32 %0, %1, %2;" : "=h"(r.relu) : "f"(high), "f"(low));
  asm("{ .reg .b8 pair, none; mov.b16 {pair, none}, 0; cvt.rn.satfinite.e2m1x2.f32 pair, %1, %2; mov.b16 %0, {pair, none}; }"
      : "=h"(r.e2m1) : "f"(high), "f"(low));
  asm("cvt.rz.satfinite.ue8m0x2.f32 %0, %1, %2;" : "=h"(r.down) : "f"(high), "f"(low));
  asm("cvt.rp.satfinite.ue8m0x2.f32 %0, %1, %2;" : "=h"(r.up) : "f"(high), "f"(low));
  asm("cvt.rp.ue8m0x2.f32 %0, %1, %2;" : "=h"(r.unsaturated) : "f"(high), "f"(low));
  u32 bfloats = __float_as_uint(low) >> 16 | (__float_as_uint(high) & 0xffff0000);
  asm("cvt.rz.satfinite.ue8m0x2.bf16x2 %0, %1;" : "=h"(r.of_bfloats) : "r"(bfloats));
  asm("cvt.rna.satfinite.tf32.f32 %0, %1;" : "=r"(r.tf32) : "f"(low));
  out[i] = r;
}

__global__ void widen(u32 *out) {
  u32 i = threadIdx.x;
  u16 pair = static_cast<u16>((i & 63) | (63 - (i & 63)) << 8), exponents = static_cast<u16>(i | (255 - i) << 8);
  u16 nibbles = static_cast<u16>(i);
  asm("cvt.rn.f16x2.e2m3x2 %0, %1;" : "=r"(out[i]) : "h"(pair));
  asm("cvt.rn.f16x2.e3m2x2 %0, %1;" : "=r"(out[256 + i]) : "h"(pair));
  asm("{ .reg .b8 low, high; mov.b16 {low, high}, %1; cvt.rn.f16x2.e2m1x2 %0, low; }" : "=r"(out[512 + i]) : "h"(nibbles));
  asm("cvt.rn.bf16x2.ue8m0x2 %0, %1;" : "=r"(out[768 + i]) : "h"(exponents));
}

__global__ void pack(u32 *out, int a, int b, u32 rest) {
  asm("cvt.pack.sat.s4.s32.b32 %0, %1, %2, %3;" : "=r"(out[0]) : "r"(a), "r"(b), "r"(rest));
  asm("cvt.pack.sat.u4.s32.b32 %0, %1, %2, %3;" : "=r"(out[1]) : "r"(a), "r"(b), "r"(rest));
  asm("cvt.pack.sat.s2.s32.b32 %0, %1, %2, %3;" : "=r"(out[2]) : "r"(a), "r"(b), "r"(rest));
  asm("cvt.pack.sat.u2.s32.b32 %0, %1, %2, %3;" : "=r"(out[3]) : "r"(a), "r"(b), "r"(rest));
}

struct Format {
  int bits, fraction, bias;
  /// The value of a pattern, by the definition of the format.
  double value(int pattern) const {
    int size = pattern & ((1 << (bits - 1)) - 1), exponent = size >> fraction, rest = size & ((1 << fraction) - 1);
    double x = exponent == 0 ? std::ldexp(rest, 1 - bias - fraction) : std::ldexp((1 << fraction) + rest, exponent - bias - fraction);
    return pattern >> (bits - 1) & 1 ? -x : x;
  }
  /// The nearest value, the even pattern of two; not-a-number is the largest.
  int nearest(float x) const {
    int largest = (1 << (bits - 1)) - 1, best = 0;
    if (std::isnan(x)) return largest;
    for (int i = 1; i <= largest; ++i) {
      double was = std::fabs(std::fabs(x) - value(best)), is = std::fabs(std::fabs(x) - value(i));
      if (is < was || (is == was && i % 2 == 0)) best = i;
    }
    return (std::fabs(x) > value(largest) ? largest : best) | (std::signbit(x) ? 1 << (bits - 1) : 0);
  }
};
constexpr Format kE2M3{6, 3, 1}, kE3M2{6, 2, 3}, kE2M1{4, 1, 1};

/// The power of two, as an exponent, below or above |x|.
int power(float x, bool up, bool saturates) {
  if (std::isnan(x)) return 255;
  for (int i = 0; i < 255; ++i) {
    double at = std::ldexp(1.0, i - 127), next = std::ldexp(1.0, i + 1 - 127);
    if (up ? std::fabs(x) <= at : std::fabs(x) < next) return i;
  }
  return saturates ? 254 : 255;
}

double half_value(u32 bits) { return __half2float(__ushort_as_half(static_cast<u16>(bits))); }
double bfloat_value(u32 bits) {
  float x;
  bits <<= 16;
  memcpy(&x, &bits, 4);
  return x;
}
bool same(double a, double b) { return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b); }

void check_pair(u16 got, int low, int high, int bits) { CHECK_EQ(static_cast<int>(got), low | high << bits); }

int main() {
  std::vector<float> numbers = {0.f, -0.f, INFINITY, -INFINITY, NAN, 3e38f, -3.4e38f, 1e-40f, 1.5e-38f, -1e-30f, 3.4028235e38f, 1e-45f};
  for (Format f : {kE2M3, kE3M2, kE2M1}) {
    for (int i = 0; i + 1 < 1 << (f.bits - 1); ++i) {
      float at = static_cast<float>(f.value(i)), middle = static_cast<float>((f.value(i) + f.value(i + 1)) / 2);
      for (float x : {at, middle, std::nextafter(middle, 0.0f), std::nextafter(middle, 100.0f)}) {
        numbers.push_back(x);
        numbers.push_back(-x);
      }
    }
  }
  for (int e = -149; e < 128; ++e) {
    float x = std::ldexp(1.0f, e);
    numbers.insert(numbers.end(), {x, std::nextafter(x, 0.0f), std::nextafter(x, INFINITY), 1.5f * x});
  }
  int pairs = static_cast<int>(numbers.size() / 2);
  float *in;
  Row *out;
  u32 *wide;
  CHECK_CUDA(cudaMallocManaged(&in, numbers.size() * sizeof(float)));
  CHECK_CUDA(cudaMallocManaged(&out, pairs * sizeof(Row)));
  CHECK_CUDA(cudaMallocManaged(&wide, 1024 * sizeof(u32)));
  std::copy(numbers.begin(), numbers.end(), in);
  narrow<<<(pairs + 63) / 64, 64>>>(out, in, pairs);
  widen<<<1, 256>>>(wide);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < pairs; ++i) {
    float low = in[2 * i], high = in[2 * i + 1];
    auto positive = [](float x) { return x <= 0 ? 0.0f : x; };
    check_pair(out[i].e2m3, kE2M3.nearest(low), kE2M3.nearest(high), 8);
    check_pair(out[i].e3m2, kE3M2.nearest(low), kE3M2.nearest(high), 8);
    check_pair(out[i].relu, kE3M2.nearest(positive(low)), kE3M2.nearest(positive(high)), 8);
    check_pair(out[i].e2m1 & 255, kE2M1.nearest(low), kE2M1.nearest(high), 4);
    check_pair(out[i].down, power(low, false, true), power(high, false, true), 8);
    check_pair(out[i].up, power(low, true, true), power(high, true, true), 8);
    check_pair(out[i].unsaturated, power(low, true, false), power(high, true, false), 8);
    auto cut = [](float x) {
      u32 bits;
      memcpy(&bits, &x, 4);
      return static_cast<float>(bfloat_value(bits >> 16));
    };
    check_pair(out[i].of_bfloats, power(cut(low), false, true), power(cut(high), false, true), 8);
    if (!std::isnan(low)) {
      // Ten bits of fraction, ties away from zero; what would be infinite is the largest number.
      int exponent = std::fabs(low) < 0x1p-126f || low == 0 ? -126 : std::ilogb(low);
      double step = std::ldexp(1.0, exponent - 10), rounded = std::floor(std::fabs(low) / step + 0.5) * step;
      double largest = std::ldexp(2047.0, 117);
      float result;
      memcpy(&result, &out[i].tf32, 4);
      CHECK(same(result, std::copysign(std::isinf(low) || rounded > largest ? largest : rounded, low)));
    }
  }
  for (int i = 0; i < 256; ++i) {
    CHECK(same(half_value(wide[i] & 0xffff), kE2M3.value(i & 63)) && same(half_value(wide[i] >> 16), kE2M3.value(63 - (i & 63))));
    CHECK(same(half_value(wide[256 + i] & 0xffff), kE3M2.value(i & 63)) && same(half_value(wide[256 + i] >> 16), kE3M2.value(63 - (i & 63))));
    CHECK(same(half_value(wide[512 + i] & 0xffff), kE2M1.value(i & 15)) && same(half_value(wide[512 + i] >> 16), kE2M1.value(i >> 4)));
    auto exponent = [](int x) { return x == 255 ? NAN : std::ldexp(1.0, x - 127); };
    CHECK(same(bfloat_value(wide[768 + i] & 0xffff), exponent(i)) && same(bfloat_value(wide[768 + i] >> 16), exponent(255 - i)));
  }
  pack<<<1, 1>>>(wide, 100, -3, 0x12345678);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(wide[0], 0x3456787du);
  CHECK_EQ(wide[1], 0x345678f0u);
  CHECK_EQ(wide[2], 0x23456786u);
  CHECK_EQ(wide[3], 0x2345678cu);
  return check_report();
}
