// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SIMD-in-a-word functions (__vadd2, __vcmpgts4 …) against the same operation on each lane in plain C++.
// RUN: %mcc %s -o %t && %run %t
#include "check.h"

__host__ __device__ unsigned random_at(unsigned i) {
  i = (i ^ i >> 16) * 0x7feb352du;
  i = (i ^ i >> 15) * 0x846ca68bu;
  i ^= i >> 16;
  // Extreme lanes are common: what saturation and signs are about.
  return i % 5 == 0 ? i | 0x7fff7f80u : i % 5 == 1 ? i & 0x80008080u : i;
}

// name, signed lanes, the value of a lane from x and y; `low` and `high` are the lane type's limits.
#define ALL(OP)                                                                                     \
  OP(vabsdiffs, true, x > y ? x - y : y - x)                                                        \
  OP(vabsdiffu, false, x > y ? x - y : y - x)                                                       \
  OP(vadd, false, x + y)                                                                            \
  OP(vaddss, true, clamp(x + y, low, high))                                                         \
  OP(vaddus, false, clamp(x + y, low, high))                                                        \
  OP(vsub, false, x - y)                                                                            \
  OP(vsubss, true, clamp(x - y, low, high))                                                         \
  OP(vsubus, false, clamp(x - y, low, high))                                                        \
  OP(vavgu, false, (x + y + 1) / 2)                                                                 \
  OP(vhaddu, false, (x + y) / 2)                                                                    \
  OP(vmaxs, true, x > y ? x : y)                                                                    \
  OP(vmaxu, false, x > y ? x : y)                                                                   \
  OP(vmins, true, x < y ? x : y)                                                                    \
  OP(vminu, false, x < y ? x : y)                                                                   \
  OP(vcmpeq, false, x == y ? -1 : 0)                                                                \
  OP(vcmpne, false, x != y ? -1 : 0)                                                                \
  OP(vcmpges, true, x >= y ? -1 : 0)                                                                \
  OP(vcmpgeu, false, x >= y ? -1 : 0)                                                               \
  OP(vcmpgts, true, x > y ? -1 : 0)                                                                 \
  OP(vcmpgtu, false, x > y ? -1 : 0)                                                                \
  OP(vcmples, true, x <= y ? -1 : 0)                                                                \
  OP(vcmpleu, false, x <= y ? -1 : 0)                                                               \
  OP(vcmplts, true, x < y ? -1 : 0)                                                                 \
  OP(vcmpltu, false, x < y ? -1 : 0)                                                                \
  OP(vseteq, false, x == y)                                                                         \
  OP(vsetne, false, x != y)                                                                         \
  OP(vsetges, true, x >= y)                                                                         \
  OP(vsetgtu, false, x > y)                                                                         \
  OP(vsetles, true, x <= y)                                                                         \
  OP(vsetltu, false, x < y)
#define UNARY(OP)                                                                                   \
  OP(vabs, true, x < 0 ? -x : x)                                                                    \
  OP(vabsss, true, clamp(x < 0 ? -x : x, low, high))                                                \
  OP(vneg, true, -x)                                                                                \
  OP(vnegss, true, clamp(-x, low, high))

int clamp(int v, int low, int high) { return v < low ? low : v > high ? high : v; }

int lane_value(unsigned word, int bits, bool is_signed, int lane) {
  int v = word >> lane * bits & ((1u << bits) - 1);
  return is_signed && v >> (bits - 1) ? v - (1 << bits) : v;
}

template <typename F> unsigned each_lane(unsigned a, unsigned b, int bits, bool is_signed, F f) {
  int low = is_signed ? -(1 << (bits - 1)) : 0, high = low + (1 << bits) - 1;
  unsigned r = 0;
  for (int lane = 0; lane < 32 / bits; ++lane) {
    int v = f(lane_value(a, bits, is_signed, lane), lane_value(b, bits, is_signed, lane), low, high);
    r |= (static_cast<unsigned>(v) & ((1u << bits) - 1)) << lane * bits;
  }
  return r;
}

__device__ unsigned *put(unsigned *out, unsigned two, unsigned four) {
  out[0] = two;
  out[1] = four;
  return out + 2;
}

constexpr int kResults = 80;

__global__ void run(unsigned *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned a = random_at(2 * i), b = random_at(2 * i + 1);
  unsigned *to = out + i * kResults;
#define STORE(name, is_signed, value) to = put(to, __##name##2(a, b), __##name##4(a, b));
#define STORE_UNARY(name, is_signed, value) to = put(to, __##name##2(a), __##name##4(a));
  ALL(STORE)
  UNARY(STORE_UNARY)
  to = put(to, __vsads2(a, b), __vsads4(a, b));
  to = put(to, __vsadu2(a, b), __vsadu4(a, b));
}

unsigned sum_of_differences(unsigned a, unsigned b, int bits, bool is_signed) {
  unsigned s = 0;
  for (int lane = 0; lane < 32 / bits; ++lane)
    s += abs(lane_value(a, bits, is_signed, lane) - lane_value(b, bits, is_signed, lane));
  return s;
}

int main() {
  constexpr int n = 4000;
  unsigned *out;
  CHECK_CUDA(cudaMallocManaged(&out, n * kResults * sizeof(unsigned)));
  run<<<(n + 127) / 128, 128>>>(out, n);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i) {
    unsigned a = random_at(2 * i), b = random_at(2 * i + 1);
    const unsigned *r = out + i * kResults;
#define COMPARE(name, is_signed, value)                                                       \
  {                                                                                           \
    auto f = [](int x, int y, int low, int high) { (void)y, (void)low, (void)high; return static_cast<int>(value); }; \
    CHECK_EQ(r[0], each_lane(a, b, 16, is_signed, f));                                        \
    CHECK_EQ(r[1], each_lane(a, b, 8, is_signed, f));                                         \
    r += 2;                                                                                   \
  }
    ALL(COMPARE)
    UNARY(COMPARE)
    CHECK_EQ(r[0], sum_of_differences(a, b, 16, true));
    CHECK_EQ(r[1], sum_of_differences(a, b, 8, true));
    CHECK_EQ(r[2], sum_of_differences(a, b, 16, false));
    CHECK_EQ(r[3], sum_of_differences(a, b, 8, false));
  }
  return check_report();
}
