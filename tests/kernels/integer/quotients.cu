// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quotients and remainders of 8, 16, 32 and 64 bits, signed and not, by divisors of each thread's own and by one for
// all, against the host's: near multiples of the divisor, at the ends of the types' ranges, and anywhere between. The
// lanes that divide are all, or some.
// covers: C-5.5.1-01
// RUN: %mcc %s -o %t && %run %t
#include "check.h"

#include <cstdio>
#include <limits>

constexpr int kThreads = 128, kRounds = 4096;

/// A number with as many bits as its lowest byte says, or next to the end of the range.
template <typename T> __host__ __device__ T number_from(unsigned long long seed) {
  seed = (seed ^ (seed >> 29)) * 0xbf58476d1ce4e5b9ull;
  seed = (seed ^ (seed >> 32)) * 0x94d049bb133111ebull;
  seed ^= seed >> 31;
  unsigned shift = seed & 63;
  T value = static_cast<T>(seed >> 6 >> (shift % (8 * sizeof(T))) % 58);
  return (seed & 0x1c0) == 0 ? static_cast<T>(std::numeric_limits<T>::max() - static_cast<T>(shift))
                             : (seed & 0xe00) == 0 ? static_cast<T>(std::numeric_limits<T>::min() + static_cast<T>(shift)) : value;
}

template <typename T> struct Case {
  T a, b;
};

/// A divisor that does not trap on the host, and a number that may be next to a multiple of it.
template <typename T> __host__ __device__ Case<T> case_of(unsigned thread, unsigned round, bool same_divisor) {
  T b = number_from<T>((same_divisor ? 0 : thread * 977ull) + round * 7919ull + 1);
  if (b == 0 || b == static_cast<T>(-1)) {
    b = 3;
  }
  T a = number_from<T>(thread * 104729ull + round * 31ull + 5);
  if (round % 3 == 1) {
    a = static_cast<T>(a - a % b);
  } else if (round % 3 == 2 && a - a % b != std::numeric_limits<T>::min()) {
    a = static_cast<T>(a - a % b - 1);
  }
  return {a, b};
}

template <typename T> __global__ void own(const Case<T> *cases, T *quotients, T *remainders) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  Case<T> c = cases[i];
  quotients[i] = c.a / c.b;
  if (threadIdx.x % 3 != 0) {
    remainders[i] = c.a % c.b;
  }
}

template <typename T> __global__ void shared_divisor(const Case<T> *cases, T *quotients, T *remainders) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  T b = cases[blockIdx.x * blockDim.x].b, a = cases[i].a;
  quotients[i] = a / b;
  if (threadIdx.x % 3 != 0) {
    remainders[i] = a % b;
  }
}

template <typename T> void check_type(const char *name) {
  const size_t count = static_cast<size_t>(kThreads) * kRounds;
  Case<T> *cases;
  T *quotients, *remainders;
  CHECK_CUDA(cudaMallocManaged(&cases, count * sizeof(Case<T>)));
  CHECK_CUDA(cudaMallocManaged(&quotients, count * sizeof(T)));
  CHECK_CUDA(cudaMallocManaged(&remainders, count * sizeof(T)));
  for (bool same : {false, true}) {
    for (unsigned round = 0; round < kRounds; round++) {
      for (unsigned thread = 0; thread < kThreads; thread++) {
        cases[round * kThreads + thread] = case_of<T>(thread, round, same);
      }
    }
    if (same) {
      shared_divisor<<<kRounds, kThreads>>>(cases, quotients, remainders);
    } else {
      own<<<kRounds, kThreads>>>(cases, quotients, remainders);
    }
    CHECK_CUDA(cudaDeviceSynchronize());
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++) {
      const auto [a, b] = cases[i];
      const bool has_remainder = i % kThreads % 3 != 0;
      if (quotients[i] != static_cast<T>(a / b) || (has_remainder && remainders[i] != static_cast<T>(a % b))) {
        if (wrong++ == 0) {
          std::printf("%s %lld / %lld: %lld, %lld\n", name, static_cast<long long>(a), static_cast<long long>(b),
                      static_cast<long long>(quotients[i]), static_cast<long long>(remainders[i]));
        }
      }
    }
    CHECK_EQ(wrong, size_t{0});
  }
  cudaFree(cases);
  cudaFree(quotients);
  cudaFree(remainders);
}

int main() {
  check_type<signed char>("signed char");
  check_type<unsigned char>("unsigned char");
  check_type<short>("short");
  check_type<unsigned short>("unsigned short");
  check_type<int>("int");
  check_type<unsigned>("unsigned");
  check_type<long long>("long long");
  check_type<unsigned long long>("unsigned long long");
  return check_report();
}
