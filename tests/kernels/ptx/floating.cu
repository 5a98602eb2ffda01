// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point instructions, comparisons and conversions of inline PTX: NaN, zeros, denormals, saturation, rounding.
// RUN: %mcc %s -o %t && %run %t
// covers: C-3.2.1-01
#include "check.h"

#include <cuda_runtime.h>

#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstring>

typedef uint32_t u32;
typedef uint64_t u64;

static u32 bits(float x) { u32 b; memcpy(&b, &x, 4); return b; }
static float of(u32 b) { float x; memcpy(&x, &b, 4); return x; }

const int kResults = 32;

__device__ void put(u32 *out, int i, float x) { out[i] = __float_as_uint(x); }

#define F2(i, text) { float d; asm(text " %0, %1, %2;" : "=f"(d) : "f"(a), "f"(b)); put(out, i, d); }
#define F1(i, text) { float d; asm(text " %0, %1;" : "=f"(d) : "f"(a)); put(out, i, d); }
#define P2(i, text) { u32 d; asm("{ .reg .pred p; " text " p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(d) : "f"(a), "f"(b)); out[i] = d; }
#define S2(i, text) { u32 d; asm(text " %0, %1, %2;" : "=r"(d) : "f"(a), "f"(b)); out[i] = d; }
#define I1(i, text) { int d; asm(text " %0, %1;" : "=r"(d) : "f"(a)); out[i] = (u32)d; }

__global__ void arithmetic(const float *values, u32 *results, int n) {
  float a = values[blockIdx.x], b = values[threadIdx.x];
  u32 *out = results + (blockIdx.x * n + threadIdx.x) * kResults;
  F2(0, "add.f32") F2(1, "add.rz.f32") F2(2, "add.rp.ftz.f32") F2(3, "mul.sat.f32") F2(4, "sub.rm.f32")
  F2(5, "min.f32") F2(6, "max.NaN.f32") F2(7, "max.ftz.f32") F2(8, "div.rn.f32") F2(9, "copysign.f32")
  F2(10, "min.xorsign.abs.f32")
  F1(11, "abs.f32") F1(12, "neg.ftz.f32") F1(13, "rcp.rn.f32") F1(14, "sqrt.rn.f32") F1(15, "cvt.rni.f32.f32")
  F1(16, "cvt.sat.f32.f32")
  P2(17, "setp.lt.f32") P2(18, "setp.neu.f32") P2(19, "setp.ne.f32") P2(20, "setp.num.f32") P2(21, "setp.geu.ftz.f32")
  S2(22, "set.le.u32.f32")
  I1(23, "cvt.rni.sat.s32.f32") I1(24, "cvt.rzi.u32.f32") I1(25, "cvt.rpi.s32.f32")
  I1(26, "cvt.rna.tf32.f32")
  { short d; asm("cvt.rzi.s8.f32 %0, %1;" : "=h"(d) : "f"(a)); out[27] = (u32)(int)d; }
  { float d; asm("fma.rz.f32 %0, %1, %2, %3;" : "=f"(d) : "f"(a), "f"(b), "f"(1.0f)); put(out, 28, d); }
  { u32 d; asm("{.reg .pred p; testp.subnormal.f32 p, %1; selp.u32 %0, 1, 0, p;}" : "=r"(d) : "f"(a)); out[29] = d; }
  { u32 d; asm("slct.u32.f32 %0, 7, 8, %1;" : "=r"(d) : "f"(a)); out[30] = d; }
  { u32 d; asm("{.reg .pred p, q; setp.gt.and.f32 p|q, %1, %2, 1; selp.u32 %0, 1, 2, q;}" : "=r"(d) : "f"(a), "f"(b)); out[31] = d; }
}

static float flush(float x) { return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.f, x) : x; }
static float sat(float x) { return !(x > 0) ? 0 : x > 1 ? 1 : x; }
static bool is_negative_zero(float x) { return x == 0 && std::signbit(x); }
static float fmin2(float a, float b) { return std::isnan(a) ? b : std::isnan(b) ? a : a < b || (a == b && is_negative_zero(a)) ? a : b; }
static float fmax2(float a, float b) { return std::isnan(a) ? b : std::isnan(b) ? a : a > b || (a == b && is_negative_zero(b)) ? a : b; }
// The host's arithmetic under another rounding mode.
template <typename F> static float rounded(int mode, F f) {
  fesetround(mode);
  volatile float result = f();
  fesetround(FE_TONEAREST);
  return result;
}
static u32 to_int(double x, double low, double high) { return (u32)(int64_t)(std::isnan(x) ? 0 : x < low ? low : x > high ? high : x); }

int main() {
  const float values[] = {0.f, -0.f, 1.f, -1.f, 0.5f, 1.5f, 2.5f, -2.5f, 3.75f, 1e-40f, -1e-40f, 1e-38f, 127.6f, 129.f, 2147483648.f, -3e9f, 5e9f,
                          1.0000001f, 16777217.f, INFINITY, -INFINITY, NAN};
  const int n = sizeof values / sizeof *values;
  float *in;
  u32 *out;
  cudaMallocManaged(&in, sizeof values);
  cudaMallocManaged(&out, n * n * kResults * 4);
  memcpy(in, values, sizeof values);
  arithmetic<<<n, n>>>(in, out, n);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const u32 *r = out + (i * n + j) * kResults;
      float a = values[i], b = values[j];
      auto same = [&](int k, float want) {
        bool good = std::isnan(want) ? std::isnan(of(r[k])) : r[k] == bits(want);
        if (!good) fprintf(stderr, "result %d of %g, %g: %g, want %g\n", k, a, b, of(r[k]), want);
        CHECK(good);
      };
      auto equal = [&](int k, u32 want) {
        if (r[k] != want) fprintf(stderr, "result %d of %g, %g\n", k, a, b);
        CHECK_EQ(r[k], want);
      };
      double x = a;
      same(0, a + b);
      volatile float va = a, vb = b, fa = flush(a), fb = flush(b);
      same(1, rounded(FE_TOWARDZERO, [&] { return va + vb; }));
      same(2, flush(rounded(FE_UPWARD, [&] { return fa + fb; })));
      same(3, sat(a * b));
      same(4, rounded(FE_DOWNWARD, [&] { return va - vb; }));
      same(5, fmin2(a, b));
      same(6, std::isnan(a) || std::isnan(b) ? NAN : fmax2(a, b));
      same(7, flush(fmax2(flush(a), flush(b))));
      same(8, a / b);
      if (!std::isnan(b)) same(9, std::copysign(b, a));
      if (!std::isnan(a) && !std::isnan(b)) same(10, std::copysign(fmin2(std::fabs(a), std::fabs(b)), std::signbit(a) != std::signbit(b) ? -1.f : 1.f));
      same(11, std::fabs(a));
      same(12, -flush(a));
      same(13, 1 / a);
      same(14, std::sqrt(a));
      same(15, std::nearbyint(a));
      same(16, sat(a));
      equal(17, a < b);
      equal(18, a != b);
      equal(19, a < b || a > b);
      equal(20, !std::isnan(a) && !std::isnan(b));
      equal(21, !(flush(a) < flush(b)));
      equal(22, a <= b ? 0xffffffffu : 0);
      equal(23, to_int(std::nearbyint(x), INT32_MIN, INT32_MAX));
      equal(24, to_int(std::trunc(x), 0, UINT32_MAX));
      equal(25, to_int(std::ceil(x), INT32_MIN, INT32_MAX));
      if (std::isfinite(a)) equal(26, (bits(a) + 0x1000) & 0xffffe000);
      equal(27, to_int(std::trunc(x), -128, 127));
      same(28, rounded(FE_TOWARDZERO, [&] { return fmaf(va, vb, 1.0f); }));
      equal(29, std::fpclassify(a) == FP_SUBNORMAL);
      equal(30, a >= 0 ? 7 : 8);
      equal(31, !(a > b) ? 1 : 2);
    }
  }
  return check_report();
}
