// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C++14 in device code, compared with the host and with values worked out by hand.
// RUN: %mcc -std=c++14 --expt-relaxed-constexpr %s -o %t && %run %t
// RUN: %mcc -std=c++20 -O0 --expt-relaxed-constexpr %s -o %t && %run %t
// covers: C-5.3.2-01
#include "check.h"

#include <cuda_runtime.h>

#include <type_traits>
#include <utility>

#define HD __host__ __device__

template <typename T> constexpr T kScaled = T(2.75);
template <> constexpr int kScaled<int> = 275;

HD constexpr int collatz(int n) {
  int steps = 0;
  while (n != 1) {
    if (n % 2 == 0) {
      n /= 2;
    } else {
      n = 3 * n + 1;
    }
    ++steps;
  }
  return steps;
}
static_assert(collatz(27) == 111, "loops in constant expressions");

struct Settings {
  int width = 4;
  int height = 5;
};

[[deprecated("not used")]] HD inline int old() { return 1; }

HD auto deduced(int x) {
  if (x > 3) {
    return x * 2.5;
  }
  return 0.5;
}
HD decltype(auto) element(int (&array)[3], int i) { return (array[i]); }

template <int... I> HD int digits(std::integer_sequence<int, I...>) {
  int result = 0;
  int unused[] = {(result = result * 10 + I, 0)...};
  (void)unused;
  return result;
}

struct Table {
  int entries[8];
  HD constexpr Table() : entries() {
    for (int i = 0; i < 8; ++i) {
      entries[i] = i * i;
    }
  }
};

HD void fill(int *out) {
  auto generic = [](auto a, auto b) { return a + b; };
  *out++ = generic(2, 3);
  *out++ = static_cast<int>(generic(1.25, 2) * 100);
  int base = 7;
  auto with_init = [kept = base * 2](int x) mutable { return kept += x; };
  with_init(1);
  *out++ = with_init(1);
  *out++ = kScaled<int>;
  *out++ = static_cast<int>(kScaled<double> * 100);
  *out++ = kScaled<char>;
  *out++ = collatz(27);
  Settings settings{9};
  *out++ = settings.width * 10 + settings.height;
  *out++ = static_cast<int>(deduced(4)) + static_cast<int>(deduced(1) * 10);
  int array[3] = {1, 2, 3};
  element(array, 1) = 20;
  *out++ = array[1];
  *out++ = 0b1010'1010;
  *out++ = 1'000'000;
  *out++ = digits(std::make_integer_sequence<int, 5>());
  constexpr Table table;
  *out++ = table.entries[5];
  *out++ = std::integral_constant<int, 78>{}();
}
constexpr int kCount = 15;

__global__ void kernel(int *out) { fill(out + kCount * threadIdx.x); }

int main() {
  int *out, host[kCount];
  CHECK_CUDA(cudaMallocManaged(&out, 32 * kCount * sizeof(int)));
  kernel<<<1, 32>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  fill(host);
  const int expected[kCount] = {5, 325, 16, 275, 275, 2, 111, 95, 15, 20, 170, 1000000, 1234, 25, 78};
  for (int i = 0; i < kCount; ++i) {
    CHECK_EQ(host[i], expected[i]);
    CHECK_EQ(out[i], expected[i]);
    CHECK_EQ(out[31 * kCount + i], expected[i]);
  }
  return check_report();
}
