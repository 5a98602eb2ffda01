// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The combined minimum and maximum functions, on the device and on the host; min and max of mixed types.
// RUN: %mcc %s -o %t && %run %t
// covers: C-5.4.8.6-01
#include "check.h"

__host__ __device__ unsigned fold(unsigned a, unsigned b, unsigned c) {
  int sa = a, sb = b, sc = c;
  unsigned h = 2166136261u;
  auto mix = [&h](unsigned v) { h = (h ^ v) * 16777619u; };
  bool p = false, q = false;
  mix(__vimax3_s32(sa, sb, sc)); mix(__vimax3_s32_relu(sa, sb, sc)); mix(__vimin3_s32(sa, sb, sc));
  mix(__vimin3_s32_relu(sa, sb, sc)); mix(__vimax3_u32(a, b, c)); mix(__vimin3_u32(a, b, c));
  mix(__vimax_s32_relu(sa, sb)); mix(__vimin_s32_relu(sa, sb));
  mix(__viaddmax_s32(sa, sb, sc)); mix(__viaddmax_s32_relu(sa, sb, sc)); mix(__viaddmax_u32(a, b, c));
  mix(__viaddmin_s32(sa, sb, sc)); mix(__viaddmin_s32_relu(sa, sb, sc)); mix(__viaddmin_u32(a, b, c));
  mix(__vimax3_s16x2(a, b, c)); mix(__vimax3_u16x2(a, b, c)); mix(__vimax3_s16x2_relu(a, b, c));
  mix(__vimin3_s16x2(a, b, c)); mix(__vimin3_u16x2(a, b, c)); mix(__vimin3_s16x2_relu(a, b, c));
  mix(__vimax_s16x2_relu(a, b)); mix(__vimin_s16x2_relu(a, b));
  mix(__viaddmax_s16x2(a, b, c)); mix(__viaddmax_u16x2(a, b, c)); mix(__viaddmax_s16x2_relu(a, b, c));
  mix(__viaddmin_s16x2(a, b, c)); mix(__viaddmin_u16x2(a, b, c)); mix(__viaddmin_s16x2_relu(a, b, c));
  mix(__vibmax_s32(sa, sb, &p) + p); mix(__vibmin_s32(sa, sb, &p) + p);
  mix(__vibmax_u32(a, b, &p) + p); mix(__vibmin_u32(a, b, &p) + p);
  mix(__vibmax_s16x2(a, b, &p, &q) + p + 2 * q); mix(__vibmin_s16x2(a, b, &p, &q) + p + 2 * q);
  mix(__vibmax_u16x2(a, b, &p, &q) + p + 2 * q); mix(__vibmin_u16x2(a, b, &p, &q) + p + 2 * q);
  return h;
}

__global__ void run(unsigned *out) {
  unsigned i = threadIdx.x;
  out[i] = fold(i * 2654435761u, i * 40503u * 65521u, ~i * 97u);
}

__global__ void mixed(double *out) {
  out[0] = max(3, 7u);
  out[1] = min(-1, 7u);                 // the unsigned comparison
  out[2] = max(-5ll, 4ll);
  out[3] = min(2.5f, 2.25);
  out[4] = max(1.0f, NAN);
  out[5] = min(3ul, 9ul);
  out[6] = umax(4u, 6u);
  out[7] = llmin(-1ll, 1ll);
}

int main() {
  // By hand: the guide's kind of example.
  CHECK_EQ(__vimax3_s32(-3, 9, 4), 9);
  CHECK_EQ(__vimin3_s32_relu(-3, 9, 4), 0);
  CHECK_EQ(__viaddmax_s32(2, 3, 4), 5);
  CHECK_EQ(__viaddmin_u32(0xffffffffu, 2u, 7u), 1u);  // the sum wraps
  CHECK_EQ(__vimax3_s16x2(0x0001fffeu, 0x00020003u, 0xffff0000u), 0x00020003u);
  CHECK_EQ(__vimax_s16x2_relu(0x8000fff0u, 0x8001fff1u), 0u);
  bool high, low;
  CHECK_EQ(__vibmax_u16x2(0x00050001u, 0x00040002u, &high, &low), 0x00050002u);
  CHECK(high);
  CHECK(!low);

  unsigned *out;
  CHECK_CUDA(cudaMallocManaged(&out, 256 * sizeof(unsigned)));
  run<<<1, 256>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (unsigned i = 0; i < 256; ++i) CHECK_EQ(out[i], fold(i * 2654435761u, i * 40503u * 65521u, ~i * 97u));

  double *values;
  CHECK_CUDA(cudaMallocManaged(&values, 8 * sizeof(double)));
  mixed<<<1, 1>>>(values);
  CHECK_CUDA(cudaDeviceSynchronize());
  const double expected[8] = {7, 7, 4, 2.25, 1, 3, 6, -1};
  for (int i = 0; i < 8; ++i) CHECK_EQ(values[i], expected[i]);
  CHECK_EQ(max(3, 7u), 7u);
  CHECK_EQ(min(-1, 7u), 7u);
  return check_report();
}
