// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __nv_bfloat16: all values through the conversions, arithmetic on many pairs, pairs and math functions.
// RUN: %mcc %s -o %t && %run %t
// covers: C-5.5.2-01 C-5.5.5-01 C-5.5.7-02
#include <cuda_bf16.h>

#include "check.h"

// The nearest bfloat16 of a float, ties to even.
unsigned nearest(float f) {
  unsigned b;
  __builtin_memcpy(&b, &f, 4);
  if (f != f) return 0x7fff;
  return (b + 0x7fff + (b >> 16 & 1)) >> 16;
}
float wide(unsigned b) {
  float f;
  b <<= 16;
  __builtin_memcpy(&f, &b, 4);
  return f;
}
bool same(unsigned got, unsigned want) {
  return got == want || ((got & 0x7fff) > 0x7f80 && (want & 0x7fff) > 0x7f80);
}
#define SAME(got, want)            \
  if (!same((got), (want))) {      \
    CHECK_EQ(int(got), int(want)); \
  }

struct Row {
  unsigned short narrowed, sum, product, quotient, fused, root, floor, greatest;
  float widened;
  int whole;
};
__host__ __device__ unsigned random_at(unsigned i) {
  i = (i ^ i >> 16) * 0x7feb352du;
  i = (i ^ i >> 15) * 0x846ca68bu;
  return i ^ i >> 16;
}
__global__ void run(Row *rows) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  __nv_bfloat16 a = __ushort_as_bfloat16(i), b = __ushort_as_bfloat16(random_at(i)), c = __ushort_as_bfloat16(random_at(~i));
  if (i % 2) b = __float2bfloat16(__bfloat162float(a) * 0.7f);
  Row r;
  r.narrowed = __bfloat16_as_ushort(__float2bfloat16(__bfloat162float(a) * 1.003f));
  r.sum = __bfloat16_as_ushort(a + b);
  r.product = __bfloat16_as_ushort(a * b);
  r.quotient = __bfloat16_as_ushort(a / b);
  r.fused = __bfloat16_as_ushort(__hfma(a, b, c));
  r.root = __bfloat16_as_ushort(hsqrt(a));
  r.floor = __bfloat16_as_ushort(hfloor(a));
  r.greatest = __bfloat16_as_ushort(__hmax(a, b));
  r.widened = a;
  r.whole = __bfloat162int_rn(a);
  rows[i] = r;
}

__global__ void vectors(__nv_bfloat162 *v, __nv_bfloat16 *cell) {
  __nv_bfloat162 a = __floats2bfloat162_rn(1.5f, -2.0f), b = __halves2bfloat162(__float2bfloat16(0.25f), __int2bfloat16_rn(4));
  v[0] = a + b;
  v[1] = __hfma2(a, b, a);
  v[2] = __bfloat162bfloat162(__high2bfloat16(b));
  v[3] = __shfl_down_sync(0xffffffff, __floats2bfloat162_rn(threadIdx.x, 0), 1);
  atomicAdd(cell, __float2bfloat16(0.5f));
}

int main() {
  Row *rows;
  CHECK_CUDA(cudaMallocManaged(&rows, 65536 * sizeof(Row)));
  run<<<256, 256>>>(rows);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (unsigned i = 0; i < 65536; ++i) {
    float a = wide(i), b = i % 2 ? wide(nearest(a * 0.7f)) : wide(random_at(i) & 0xffff), c = wide(random_at(~i) & 0xffff);
    const Row &r = rows[i];
    CHECK(r.widened == a || a != a);
    SAME(r.narrowed, nearest(a * 1.003f));
    SAME(r.sum, nearest(a + b));
    SAME(r.product, nearest(a * b));
    SAME(r.quotient, nearest(a / b));
    SAME(r.root, nearest(sqrtf(a)));
    SAME(r.floor, nearest(floorf(a)));
    float fused = wide(r.fused);
    double exact = static_cast<double>(a) * b + static_cast<double>(c);
    if (exact == exact && fabs(exact) < 1e38 && fabs(exact) > 1e-36) CHECK_NEAR(fused, exact, fabs(exact) * (0x1p-8 + 0x1p-40));
    if (a == a && b == b && a != b) SAME(r.greatest, nearest(a > b ? a : b));
    if (fabsf(a) < 1e9f) CHECK_EQ(r.whole, static_cast<int>(rintf(a)));
  }
  __nv_bfloat162 *v;
  CHECK_CUDA(cudaMallocManaged(&v, 8 * sizeof(__nv_bfloat162)));
  v[4] = __floats2bfloat162_rn(0, 0);
  vectors<<<1, 32>>>(v, &v[4].x);
  CHECK_CUDA(cudaDeviceSynchronize());
  const float expected[3][2] = {{1.75f, 2}, {1.875f, -10}, {4, 4}};
  for (int i = 0; i < 3; ++i) {
    CHECK_EQ(__low2float(v[i]), expected[i][0]);
    CHECK_EQ(__high2float(v[i]), expected[i][1]);
  }
  CHECK_EQ(__bfloat162float(v[4].x), 16.0f);
  nv_bfloat16 h = 1.0f;
  h += 2;
  CHECK_EQ(static_cast<float>(h * h), 9.0f);
  CHECK_EQ(__bfloat162float(__double2bfloat16(1 + 0x1p-8 + 0x1p-40)), 1 + 0x1p-7f);
  // Between the two small types: rounded once, to nearest even; what does not fit is infinite.
  CHECK_EQ(static_cast<float>(static_cast<__half>(nv_bfloat16(3.140625f))), 3.140625f);
  CHECK_EQ(static_cast<float>(nv_bfloat16(__half(1 + 0x1p-8f + 0x1p-9f))), 1 + 0x1p-7f);
  CHECK(isinf(static_cast<float>(__half(nv_bfloat16(1e6f)))));
  __nv_bfloat162 pair = __floats2bfloat162_rn(1, 2);
  pair = {};
  CHECK_EQ(__low2float(pair), 0.0f);
  CHECK_EQ(__high2float(pair), 0.0f);
  pair = __nv_bfloat162_raw{0x3f80, 0xc000};
  CHECK_EQ(__low2float(pair), 1.0f);
  CHECK_EQ(__high2float(pair), -2.0f);
  return check_report();
}
