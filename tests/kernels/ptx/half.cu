// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Half and bfloat instructions of inline PTX, as the half headers use them: arithmetic on pairs, conversions, packing.
// RUN: %mcc %s -o %t && %run %t
// covers: C-3.2.1-01
#include "check.h"

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstring>

typedef uint16_t u16;
typedef uint32_t u32;

static float value(u16 h) { _Float16 x; memcpy(&x, &h, 2); return (float)x; }
static u16 half(float x) { _Float16 h = (_Float16)x; u16 b; memcpy(&b, &h, 2); return b; }
static float bvalue(u16 b) { u32 w = (u32)b << 16; float x; memcpy(&x, &w, 4); return x; }
static u16 bfloat(float x) { u32 w; memcpy(&w, &x, 4); return (u16)((w + 0x7fff + (w >> 16 & 1)) >> 16); }

__global__ void pairs(u32 *out, u32 a, u32 b, u32 c) {
  asm("{add.f16x2 %0,%1,%2;\n}" : "=r"(out[0]) : "r"(a), "r"(b));
  asm("{ sub.f16x2 %0,%1,%2; }" : "=r"(out[1]) : "r"(a), "r"(b));
  asm("{ fma.rn.f16x2 %0,%1,%2,%3; }" : "=r"(out[2]) : "r"(a), "r"(b), "r"(c));
  asm("{ max.f16x2 %0,%1,%2; }" : "=r"(out[3]) : "r"(a), "r"(b));
  asm("{ set.gt.f16x2.f16x2 %0,%1,%2; }" : "=r"(out[4]) : "r"(a), "r"(b));
  asm("{ set.gt.u32.f16x2 %0,%1,%2; }" : "=r"(out[5]) : "r"(a), "r"(b));
  asm("{ neg.f16x2 %0,%1; }" : "=r"(out[6]) : "r"(a));
  asm("{.reg .f16 low,high;\n mov.b32 {low,high}, %1;\n mov.b32 %0, {high,low};}" : "=r"(out[7]) : "r"(a));
  asm("{.reg .pred p,q; setp.lt.f16x2 p|q, %1, %2; selp.u32 %0, 1, 0, p; @q or.b32 %0, %0, 2; }" : "=r"(out[8]) : "r"(a), "r"(b));
  asm("{ mul.sat.f16x2 %0,%1,%2; }" : "=r"(out[9]) : "r"(a), "r"(b));
}

__global__ void convert(u32 *out, float x, float y, u16 h, u16 b) {
  u16 r;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(r) : "f"(x));
  out[0] = r;
  asm("cvt.rz.f16.f32 %0, %1;" : "=h"(r) : "f"(x));
  out[1] = r;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(out[2]) : "f"(x), "f"(y));
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(out[3]) : "f"(x), "f"(y));
  float f;
  asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h));
  out[4] = __float_as_uint(f);
  int i;
  asm("cvt.rni.s32.f16 %0, %1;" : "=r"(i) : "h"(h));
  out[5] = (u32)i;
  asm("cvt.rn.f16.s32 %0, %1;" : "=h"(r) : "r"(2049));
  out[6] = r;
  asm("cvt.f32.bf16 %0, %1;" : "=f"(f) : "h"(b));
  out[7] = __float_as_uint(f);
  asm("fma.rn.bf16 %0, %1, %2, %3;" : "=h"(r) : "h"(b), "h"(b), "h"(b));
  out[8] = r;
  asm("{ .reg .b32 t; cvt.f32.f16 t, %1; ex2.approx.ftz.f32 t, t; cvt.rn.f16.f32 %0, t; }" : "=h"(r) : "h"(h));
  out[9] = r;
  asm("cvt.rn.satfinite.f16.f32 %0, %1;" : "=h"(r) : "f"(1e6f));
  out[10] = r;
  asm("cvt.rn.relu.bf16.f32 %0, %1;" : "=h"(r) : "f"(-3.0f));
  out[11] = r;
  asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;" : "=r"(out[12]) : "r"(300), "r"(-5), "r"(0x1234abcd));
}

int main() {
  u32 *out;
  cudaMallocManaged(&out, 16 * 4);
  u16 al = half(1.5f), ah = half(-70.25f), bl = half(0.3333f), bh = half(1000.f), cl = half(-0.5f), ch = half(60000.f);
  pairs<<<1, 1>>>(out, al | ah << 16, bl | bh << 16, cl | ch << 16);
  CHECK_CUDA(cudaDeviceSynchronize());
  auto both = [](u16 low, u16 high) { return (u32)low | (u32)high << 16; };
  CHECK_EQ(out[0], both(half(value(al) + value(bl)), half(value(ah) + value(bh))));
  CHECK_EQ(out[1], both(half(value(al) - value(bl)), half(value(ah) - value(bh))));
  CHECK_EQ(out[2], both(half(value(al) * value(bl) + value(cl)), half(value(ah) * value(bh) + value(ch))));
  CHECK_EQ(out[3], both(al, bh));
  CHECK_EQ(out[4], both(half(1), 0));
  CHECK_EQ(out[5], both(0xffff, 0));
  CHECK_EQ(out[6], both(al ^ 0x8000, ah ^ 0x8000));
  CHECK_EQ(out[7], both(ah, al));
  CHECK_EQ(out[8], 2u);
  CHECK_EQ(out[9], both(half(value(al) * value(bl)), 0));

  float x = 1.0f + 0x1.8p-11f, y = -3.14159f;
  u16 h = half(-2.5f), b = bfloat(1.3f);
  convert<<<1, 1>>>(out, x, y, h, b);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(out[0], (u32)half(x));
  CHECK_EQ(out[1], 0x3c00u);
  CHECK_EQ(out[2], both(half(y), half(x)));
  CHECK_EQ(out[3], both(bfloat(y), bfloat(x)));
  u32 w;
  float f = value(h);
  memcpy(&w, &f, 4);
  CHECK_EQ(out[4], w);
  CHECK_EQ((int)out[5], -2);
  CHECK_EQ(out[6], (u32)half(2048.f));
  CHECK_EQ(out[7], (u32)b << 16);
  CHECK_EQ(out[8], (u32)bfloat(fmaf(bvalue(b), bvalue(b), bvalue(b))));
  CHECK_EQ(out[9], (u32)half(exp2f(-2.5f)));
  CHECK_EQ(out[10], 0x7bffu);
  CHECK_EQ(out[11], 0u);
  CHECK_EQ(out[12], 0xabcdff00u);
  return check_report();
}
