// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C++11 in device code: the same function runs in a kernel and on the host, and the results agree with values worked out by hand.
// RUN: %mcc -std=c++11 --expt-relaxed-constexpr %s -o %t && %run %t
// RUN: %mcc -std=c++17 -O0 --expt-relaxed-constexpr %s -o %t && %run %t
// covers: C-5.3.1-01
#include "check.h"

#include <cuda_runtime.h>

#include <stdint.h>

#include <initializer_list>
#include <type_traits>
#include <utility>

#define HD __host__ __device__

enum class Colour : uint8_t { Red = 3, Green, Blue };

template <typename... T> struct Count;
template <> struct Count<> {
  static constexpr int value = 0;
};
template <typename First, typename... Rest> struct Count<First, Rest...> {
  static constexpr int value = 1 + Count<Rest...>::value;
};

HD inline int sum() { return 0; }
template <typename First, typename... Rest> HD int sum(First first, Rest... rest) { return first + sum(rest...); }

struct Owner {
  int *counter;
  int moved = 0;
  HD explicit Owner(int *c) : counter(c) {}
  HD Owner(Owner &&other) noexcept : counter(other.counter), moved(other.moved + 1) { other.counter = nullptr; }
  Owner(const Owner &) = delete;
  HD ~Owner() {
    if (counter != nullptr) ++*counter;
  }
};

struct Base {
  int a, b;
  HD Base(int x, int y) : a(x), b(y) {}
  HD Base(int x) : Base(x, 10 * x) {}  // delegating
  HD virtual int get() const { return a + b; }
};
struct Derived final : Base {
  using Base::Base;  // inheriting
  HD int get() const override final { return a * b; }
};

struct Metres {
  double value;
  HD explicit operator bool() const { return value != 0; }
};
HD constexpr Metres operator""_m(unsigned long long v) { return Metres{v / 2.0}; }
HD constexpr unsigned long long operator""_k(unsigned long long v) { return v * 1000; }

union Either {
  int number;
  struct Pair {
    short low, high;
    HD Pair(short l, short h) : low(l), high(h) {}
  } pair;
  HD Either(short l, short h) : pair(l, h) {}
};

template <typename T> using Pointer = T *;
struct alignas(32) Aligned {
  char c;
};
HD constexpr int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
static_assert(factorial(5) == 120, "constant expression");

template <typename T> HD auto twice(T t) -> decltype(t + t) { return t + t; }
template <typename T> HD int category(T &&) { return std::is_lvalue_reference<T>::value ? 1 : 2; }
template <typename T> HD int forwarded(T &&t) { return category(std::forward<T>(t)); }

HD int list_sum(std::initializer_list<int> list) {
  int total = 0;
  for (int x : list) {
    total += x;
  }
  return total;
}

struct Results {
  int values[26];
};

HD void fill(Results *r) {
  int *out = r->values;
  *out++ = static_cast<int>(Colour::Blue);
  *out++ = sizeof(Colour);
  *out++ = Count<int, char, float>::value;
  *out++ = sum(1, 2L, short(3), 4u);
  int ended = 0, moved;
  {
    Owner first(&ended);
    Owner second(std::move(first));
    moved = second.moved + (first.counter == nullptr ? 10 : 0);
  }
  *out++ = ended;
  *out++ = moved;
  Derived derived(6);
  const Base &base = derived;
  *out++ = base.get();
  *out++ = 2_k;
  *out++ = static_cast<int>((3_m).value * 4);
  *out++ = (0_m) ? 1 : 2;
  Either either(0x1234, 0x0001);
  *out++ = either.number;
  int here = 5;
  Pointer<int> p = &here;
  auto add = [p](int x) -> int { return *p += x; };
  *out++ = add(3);
  auto by_reference = [&here] { here *= 2; };
  by_reference();
  *out++ = here;
  *out++ = alignof(Aligned);
  *out++ = factorial(6);
  *out++ = twice(21);
  *out++ = static_cast<int>(twice(1.25) * 10);
  *out++ = forwarded(here) * 10 + forwarded(7);
  *out++ = list_sum({1, 2, 3, 4});
  int array[] = {4, 5, 6};
  int total = 0;
  for (auto &x : array) {
    total += x++;
  }
  *out++ = total * 100 + array[2];
  *out++ = nullptr == static_cast<int *>(nullptr);
  *out++ = noexcept(Owner(std::declval<Owner>())) ? 1 : 0;
  *out++ = sizeof(R"(a\n"b")") - 1;
  *out++ = static_cast<int>(sizeof(u"ab")) + static_cast<int>(sizeof(U"ab"));
  static_assert(std::is_same<decltype(here), int>::value, "decltype");
  decltype((here)) alias = here;
  alias = 77;
  *out++ = here;
  long long wide = 1LL << 40;
  *out++ = static_cast<int>(wide >> 38);
}

__global__ void kernel(Results *r) { fill(r + threadIdx.x); }

int main() {
  Results *r, host;
  CHECK_CUDA(cudaMallocManaged(&r, 33 * sizeof(Results)));
  kernel<<<1, 33>>>(r);
  CHECK_CUDA(cudaDeviceSynchronize());
  fill(&host);
  const int expected[26] = {5,  1,  3,  10, 1,   11, 360, 2000, 6,  2,    0x11234, 8, 16,
                            32, 720, 42, 25, 12, 10,  1507, 1,   1, 6,    18,      77, 4};
  for (int i = 0; i < 26; ++i) {
    CHECK_EQ(host.values[i], expected[i]);
    CHECK_EQ(r[0].values[i], expected[i]);
    CHECK_EQ(r[32].values[i], expected[i]);
  }
  return check_report();
}
