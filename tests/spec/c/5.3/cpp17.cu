// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C++17 in device code, compared with the host and with values worked out by hand.
// RUN: %mcc --expt-relaxed-constexpr %s -o %t && %run %t
// RUN: %mcc -std=c++17 -O0 --expt-relaxed-constexpr %s -o %t && %run %t
// covers: C-5.3.3-01 C-5.3.13-01 C-5.3.8.6-01
#include "check.h"

#include <cuda_runtime.h>

#include <cstddef>
#include <optional>
#include <type_traits>

#define HD __host__ __device__

static_assert(__cplusplus == 201703L, "the default");

template <typename... T> HD auto folded(T... t) { return (t + ... + 100); }
template <typename... T> HD bool all(T... t) { return (... && t); }
template <typename T> HD int kind() {
  if constexpr (std::is_integral_v<T>) {
    return 1;
  } else if constexpr (std::is_pointer_v<T>) {
    return 2;
  } else {
    return T::no_such_member_unless_instantiated, 3;
  }
}

template <typename A, typename B> struct Pair {
  A first;
  B second;
  HD Pair(A a, B b) : first(a), second(b) {}
};
template <typename T> struct Wrapped {
  T value;
};
template <typename T> Wrapped(T) -> Wrapped<T>;

template <auto kValue> struct Constant {
  static constexpr auto value = kValue;
};

namespace outer::inner {
HD inline int nested() { return 17; }
}  // namespace outer::inner

struct Holder {
  static inline constexpr int kShared = 23;
  int value;
  HD auto by_copy() {
    return [*this]() mutable { return ++value; };
  }
  HD auto by_pointer() {
    return [this] { return ++value; };
  }
};

static inline __device__ int device_counter = 5;

struct Immovable {
  int value;
  HD explicit Immovable(int v) : value(v) {}
  Immovable(const Immovable &) = delete;
  Immovable(Immovable &&) = delete;
};
HD Immovable make(int v) { return Immovable(v); }

HD int weigh(int x) {
  switch (x) {
  case 1:
    x += 10;
    [[fallthrough]];
  case 2:
    return x + 1;
  default:
    return 0;
  }
}
struct Aggregate : Wrapped<int> {
  int more;
};
HD void quiet() noexcept {}

HD void fill(int *out) {
  *out++ = folded(1, 2, 3);
  *out++ = all(true, 1, 'a') * 10 + all(true, false);
  *out++ = kind<long>() * 10 + kind<int *>();
  Pair deduced{4, 2.5};
  *out++ = static_cast<int>(deduced.first * deduced.second);
  Wrapped wrapped{'c'};
  *out++ = sizeof(wrapped) + wrapped.value;
  *out++ = Constant<7>::value + Constant<'a'>::value;
  *out++ = outer::inner::nested();
  *out++ = Holder::kShared;
  Holder holder{50};
  auto copy = holder.by_copy();
  auto pointer = holder.by_pointer();
  copy();
  *out++ = copy() * 100 + holder.value;
  pointer();
  *out++ = holder.value;
  auto [a, b] = deduced;
  *out++ = a + static_cast<int>(b);
  int array[2] = {3, 4};
  auto &[x, y] = array;
  x = 30;
  *out++ = array[0] + y;
  if (int doubled = a * 2; doubled > 7) {
    *out++ = doubled;
  }
  Immovable immovable = make(12);
  *out++ = immovable.value;
  *out++ = weigh(1) * 10 + weigh(2);
  Aggregate aggregate{{8}, 9};
  *out++ = aggregate.value * 10 + aggregate.more;
  constexpr auto square = [](int v) constexpr { return v * v; };
  static_assert(square(5) == 25);
  *out++ = square(6);
  *out++ = static_cast<int>(0x1.8p3);
  [[maybe_unused]] int unused = 1;
  std::byte bits{0x0f};
  *out++ = std::to_integer<int>(bits << 2);
  static_assert(!std::is_same_v<void (*)() noexcept, void (*)()>);
  void (*function)() noexcept = quiet;
  function();
  std::optional<int> maybe;
  *out++ = maybe.has_value() ? 1 : 2;
  maybe = 40;
  *out++ = *maybe + maybe.value_or(1);
}
constexpr int kCount = 21;

__global__ void kernel(int *out) {
  fill(out + kCount * threadIdx.x);
  atomicAdd(&device_counter, 1);
}
__global__ void read(int *out) { *out = device_counter; }

int main() {
  int *out, host[kCount];
  CHECK_CUDA(cudaMallocManaged(&out, 32 * kCount * sizeof(int)));
  kernel<<<1, 32>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  fill(host);
  const int expected[kCount] = {106, 10, 12, 10, 100, 104, 17, 23, 5250, 51, 6, 34, 8, 12, 123, 89, 36, 12, 60, 2, 80};
  for (int i = 0; i < kCount; ++i) {
    CHECK_EQ(host[i], expected[i]);
    CHECK_EQ(out[i], expected[i]);
    CHECK_EQ(out[31 * kCount + i], expected[i]);
  }
  read<<<1, 1>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*out, 37);
  return check_report();
}
