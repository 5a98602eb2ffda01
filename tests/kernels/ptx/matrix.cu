// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix instructions of inline PTX: mma.sync of all element types, and fragments by ldmatrix, stmatrix and movmatrix, against
// plain loops over the matrices.
// RUN: %mcc %s -o %t && %run %t
// covers: C-3.2.1-01
#include "check.h"

#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>

typedef uint16_t u16;
typedef uint32_t u32;

__device__ u32 address(const void *p) { return (u32)__cvta_generic_to_shared(p); }

// D = A * B + C with A 16 x 16 (row by row), B 16 x 8 (column by column), loaded by ldmatrix.
__global__ void halves(const u16 *a, const u16 *b, const float *c, float *d, u32 *d16, int is_bfloat) {
  __shared__ __align__(16) u16 sa[16 * 16], sb[8 * 16];
  int lane = threadIdx.x, g = lane / 4, t = lane % 4;
  for (int i = lane; i < 256; i += 32) sa[i] = a[i];
  for (int i = lane; i < 128; i += 32) sb[i] = b[i];
  __syncwarp();
  u32 x[4], y[2];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
               : "r"(address(sa + lane % 16 * 16 + lane / 16 * 8)));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
               : "=r"(y[0]), "=r"(y[1])
               : "r"(address(sb + lane % 8 * 16 + lane / 8 % 2 * 8)));
  float s[4] = {c[g * 8 + 2 * t], c[g * 8 + 2 * t + 1], c[(g + 8) * 8 + 2 * t], c[(g + 8) * 8 + 2 * t + 1]};
  if (is_bfloat) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
  } else {
    u32 h[2] = {0, 0};
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
                 : "+r"(h[0]), "+r"(h[1])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
    d16[g * 4 + t] = h[0];
    d16[(g + 8) * 4 + t] = h[1];
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
                 : "=f"(s[0]), "=f"(s[1]), "=f"(s[2]), "=f"(s[3])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]), "f"(s[0]), "f"(s[1]), "f"(s[2]), "f"(s[3]));
  }
  d[g * 8 + 2 * t] = s[0];
  d[g * 8 + 2 * t + 1] = s[1];
  d[(g + 8) * 8 + 2 * t] = s[2];
  d[(g + 8) * 8 + 2 * t + 1] = s[3];
}

__global__ void singles(const float *a, const float *b, float *d) {  // 16 x 8 times 8 x 8, tf32
  int g = threadIdx.x / 4, t = threadIdx.x % 4;
  auto bits = [](float x) { return __float_as_uint(x); };
  float s[4];
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %10, %10, %10};"
               : "=f"(s[0]), "=f"(s[1]), "=f"(s[2]), "=f"(s[3])
               : "r"(bits(a[g * 8 + t])), "r"(bits(a[(g + 8) * 8 + t])), "r"(bits(a[g * 8 + t + 4])), "r"(bits(a[(g + 8) * 8 + t + 4])),
                 "r"(bits(b[g * 8 + t])), "r"(bits(b[g * 8 + t + 4])), "f"(0.0f));
  d[g * 8 + 2 * t] = s[0];
  d[g * 8 + 2 * t + 1] = s[1];
  d[(g + 8) * 8 + 2 * t] = s[2];
  d[(g + 8) * 8 + 2 * t + 1] = s[3];
}

__global__ void bytes(const u32 *a, const u32 *b, int *d) {  // 16 x 32 times 32 x 8
  int g = threadIdx.x / 4, t = threadIdx.x % 4, s[4] = {1, 2, 3, 0x7fffffff};
  asm volatile("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+r"(s[0]), "+r"(s[1]), "+r"(s[2]), "+r"(s[3])
               : "r"(a[g * 8 + t]), "r"(a[(g + 8) * 8 + t]), "r"(a[g * 8 + t + 4]), "r"(a[(g + 8) * 8 + t + 4]), "r"(b[g * 8 + t]),
                 "r"(b[g * 8 + t + 4]));
  for (int i = 0; i < 4; ++i) d[(g + i / 2 * 8) * 8 + 2 * t + i % 2] = s[i];
}

__global__ void doubles(const double *a, const double *b, double *d) {  // 8 x 4 times 4 x 8
  int g = threadIdx.x / 4, t = threadIdx.x % 4;
  double s[2];
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};"
               : "=d"(s[0]), "=d"(s[1])
               : "d"(a[g * 4 + t]), "d"(b[g * 4 + t]), "d"(0.5), "d"(0.25));
  d[g * 8 + 2 * t] = s[0];
  d[g * 8 + 2 * t + 1] = s[1];
}

__global__ void transposes(const u16 *in, u16 *out) {  // 8 x 8 by three ways
  __shared__ __align__(16) u16 box[64], back[64];
  u32 lane = threadIdx.x, x, y;
  for (u32 i = lane; i < 64; i += 32) box[i] = in[i];
  __syncwarp();
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(x) : "r"(address(box + lane % 8 * 8)));
  memcpy(out + lane * 2, &x, 4);
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared::cta.b16 {%0}, [%1];" : "=r"(y) : "r"(address(box + lane % 8 * 8)));
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(x) : "r"(y));
  memcpy(out + 64 + lane * 2, &x, 4);
  asm volatile("stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%0], {%1};" ::"r"(address(back + lane % 8 * 8)), "r"(y) : "memory");
  __syncwarp();
  for (u32 i = lane; i < 64; i += 32) out[128 + i] = back[i];
}

template <typename T> static T *managed(int n) {
  T *p;
  cudaMallocManaged(&p, n * sizeof(T));
  memset((void *)p, 0, n * sizeof(T));
  return p;
}
static int small(int i) { return (i * 37 + 11) % 19 - 9; }  // products and sums of these are exact in every type
static u16 half(float x) { _Float16 h = (_Float16)x; u16 b; memcpy(&b, &h, 2); return b; }
static u16 bfloat(float x) { u32 w; memcpy(&w, &x, 4); return (u16)(w >> 16); }

int main() {
  u16 *a = managed<u16>(256), *b = managed<u16>(128);
  float *c = managed<float>(128), *d = managed<float>(128);
  u32 *d16 = managed<u32>(64);
  for (int is_bfloat = 0; is_bfloat < 2; ++is_bfloat) {
    for (int i = 0; i < 256; ++i) a[i] = (is_bfloat ? bfloat : half)((float)small(i));
    for (int i = 0; i < 128; ++i) b[i] = (is_bfloat ? bfloat : half)((float)small(3 * i + 1));
    for (int i = 0; i < 128; ++i) c[i] = (float)i;
    halves<<<1, 32>>>(a, b, c, d, d16, is_bfloat);
    CHECK_CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < 128; ++i) {
      int row = i / 8, column = i % 8, sum = 0;
      for (int k = 0; k < 16; ++k) sum += small(row * 16 + k) * small(3 * (column * 16 + k) + 1);
      CHECK_EQ(d[i], (float)(sum + i));
      if (!is_bfloat) CHECK_EQ((u16)(d16[i / 2] >> (16 * (i % 2))), half((float)sum));
    }
  }
  float *fa = managed<float>(128), *fb = managed<float>(64);
  for (int i = 0; i < 128; ++i) fa[i] = (float)small(i) + 0x1p-13f;  // below tf32's last bit for all but the smallest
  for (int i = 0; i < 64; ++i) fb[i] = (float)small(5 * i);
  singles<<<1, 32>>>(fa, fb, d);
  CHECK_CUDA(cudaDeviceSynchronize());
  auto cut = [](float x) { u32 w; memcpy(&w, &x, 4); w &= 0xffffe000; memcpy(&x, &w, 4); return x; };
  for (int i = 0; i < 128; ++i) {
    double sum = 0;
    for (int k = 0; k < 8; ++k) sum += (double)cut(fa[i / 8 * 8 + k]) * cut(fb[i % 8 * 8 + k]);
    CHECK_NEAR(d[i], (float)sum, 1e-3);
  }
  u32 *ba = managed<u32>(128), *bb = managed<u32>(64);
  int *bd = managed<int>(128);
  signed char *sa = (signed char *)ba, *sb = (signed char *)bb;
  for (int i = 0; i < 512; ++i) sa[i] = (signed char)(i * 71 + 3);
  for (int i = 0; i < 256; ++i) sb[i] = (signed char)(i * 29 + 100);
  bytes<<<1, 32>>>(ba, bb, bd);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 128; ++i) {
    int row = i / 8, column = i % 8;
    long long sum = row < 8 ? 1 + column % 2 : column % 2 ? 0x7fffffffll : 3;
    for (int k = 0; k < 32; ++k) sum += sa[row * 32 + k] * sb[column * 32 + k];
    CHECK_EQ(bd[i], (int)(sum > 0x7fffffffll ? 0x7fffffffll : sum));
  }
  double *da = managed<double>(32), *db = managed<double>(32), *dd = managed<double>(64);
  for (int i = 0; i < 32; ++i) {
    da[i] = small(i) / 8.0;
    db[i] = small(7 * i) / 4.0;
  }
  doubles<<<1, 32>>>(da, db, dd);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 64; ++i) {
    double sum = i % 2 ? 0.25 : 0.5;
    for (int k = 0; k < 4; ++k) sum += da[i / 8 * 4 + k] * db[i % 8 * 4 + k];
    CHECK_EQ(dd[i], sum);
  }
  u16 *out = managed<u16>(192);
  transposes<<<1, 32>>>(a, out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 192; ++i) CHECK_EQ(out[i], a[i % 8 * 8 + i % 64 / 8]);
  return check_report();
}
