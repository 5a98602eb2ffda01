// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C++20 in device code: three-way comparison, immediate functions, concepts, designated initialisers.
// RUN: %mcc -std=c++20 --expt-relaxed-constexpr %s -o %t && %run %t
// covers: C-5.3.4-01 C-5.3.14-01
#include "check.h"

#include <cuda_runtime.h>

#include <bit>
#include <compare>
#include <concepts>
#include <span>

#define HD __host__ __device__

struct Version {
  int major, minor;
  auto operator<=>(const Version &) const = default;
};
struct Reversed {
  int value;
  HD std::strong_ordering operator<=>(const Reversed &other) const { return other.value <=> value; }
  HD bool operator==(const Reversed &other) const { return value == other.value; }
};
consteval int immediate(int x) { return x * x; }
constinit __device__ int initial = immediate(4);

template <typename T>
concept Addable = requires(T a, T b) {
  { a + b } -> std::convertible_to<T>;
};
template <Addable T> HD T add(T a, T b) { return a + b; }
HD auto shorter(std::integral auto x) { return x / 2; }

template <typename T> struct Fixed {
  T value;
  constexpr bool operator==(const Fixed &) const = default;
};
template <Fixed<int> kFixed> HD int of_class_type() { return kFixed.value; }

struct Options {
  int a = 1, b = 2, c = 3;
};
enum class Side { Left, Right };

HD void fill(int *out) {
  Version one{1, 2}, two{1, 3};
  *out++ = (one < two) * 100 + (one == Version{1, 2}) * 10 + (two <= one);
  *out++ = (Reversed{3} < Reversed{2}) * 10 + ((1.0 <=> 2.0) < 0);
  *out++ = immediate(9);
  *out++ = add(2, 3) + static_cast<int>(add(1.5, 2.0));
  *out++ = shorter(9u);
  *out++ = of_class_type<Fixed<int>{31}>();
  Options options{.a = 5, .c = 7};
  *out++ = options.a * 100 + options.b * 10 + options.c;
  using enum Side;
  *out++ = static_cast<int>(Right);
  auto templated = []<typename T>(T x) { return sizeof(T) + x; };
  *out++ = templated(short(4));
  int array[] = {1, 2, 3, 4};
  int total = 0;
  for (int scale = 10; int x : array) {
    total += scale * x;
  }
  *out++ = total;
  *out++ = std::bit_cast<int>(1.0f);
  *out++ = std::popcount(0xf0f0u) + std::countl_zero(1u);
  std::span<int> span(array);
  *out++ = span.subspan(1, 2)[1] + static_cast<int>(span.size());
  if (total > 5) [[likely]] {
    *out++ = 1;
  }
}
constexpr int kCount = 14;

__global__ void kernel(int *out) {
  fill(out + kCount * threadIdx.x);
  out[32 * kCount] = initial;
}

int main() {
  int *out, host[kCount];
  CHECK_CUDA(cudaMallocManaged(&out, (32 * kCount + 1) * sizeof(int)));
  kernel<<<1, 32>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  fill(host);
  const int expected[kCount] = {110, 11, 81, 8, 4, 31, 527, 1, 6, 100, 0x3f800000, 8 + 31, 7, 1};
  for (int i = 0; i < kCount; ++i) {
    CHECK_EQ(host[i], expected[i]);
    CHECK_EQ(out[i], expected[i]);
    CHECK_EQ(out[31 * kCount + i], expected[i]);
  }
  CHECK_EQ(out[32 * kCount], 16);
  return check_report();
}
