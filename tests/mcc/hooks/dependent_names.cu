// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Members of dependent types that are called with template arguments but without `template`, comparisons that look alike, and members
// of classes that are defined after the template that names them.
// report: spectral-compute/scale-validation#23
// RUN: %mcc -std=c++17 %s -o %t && %run %t
// RUN: %if nvcc %{ %nvcc -std=c++17 -c %s -I%source/tests/support -o %t.o %}
// RUN: not %mcc -c -DNEVER_DEFINED %s -o %t.o 2>&1 | %FileCheck %s
// covers: C-5.3.1-01
#include "check.h"

#include <cuda_runtime.h>

#include <type_traits>

struct Tools {
  int member;
  template <int N> __device__ int add(int x) const { return x + N; }
  template <int N, int M> static __device__ int scaled(int x) { return x * N + M; }
  template <typename U> struct Rebound {
    using type = U;
  };
};

template <typename T> __device__ int by_value(T t, int n) { return t.add<3>(n); }
template <typename T> __device__ int by_pointer(const T *t, int n) { return t->add<4>(n); }
template <typename T> __device__ int of_class(int n) { return T::scaled<2, 1>(n); }
template <typename T, int K> __device__ int with_parameter(T t, int n) { return t.add<K>(n) + t.add<K + 1>(n) + t.add<(K > 2)>(n); }
template <typename T> __device__ typename T::Rebound<short>::type of_type(int n) { return n; }
template <typename Base> struct Derived : Base {
  __device__ int call(int n) const { return this->add<5>(n); }
};

template <typename T> __device__ int comparisons(T t, int n, int m) {
  int count = t.member < n && n > (m);
  count += 10 * ((t.member < n) | (n > (m)));
  count += 100 * (t.member < n > (m));
  for (int i = 0; t.member < i && i > (3); ++i) {
    count += 1000;
  }
  return count;
}
template <typename A, typename B> struct Less : std::integral_constant<bool, A::value < B::value> {};
__device__ int both(bool a, bool b) { return 2 * a + b; }
template <typename T> __device__ int two_arguments(T t, int n, int m) { return both(t.member < n, m > (3)); }

struct Later;
template <typename T> __device__ int later_members(Later *pointer, Later &object) {
  return pointer->value + object.twice(3).value + object.template times<7>();
}
template <typename T> __device__ int never_called(Later *pointer) { return pointer->no_such_member; }
#ifndef NEVER_DEFINED
struct Later {
  int value;
  __device__ Later twice(int x) { return Later{2 * x}; }
  template <int N> __device__ int times() { return N * value; }
};
#endif

// CHECK: dependent_names.cu:[[@LINE-11]]:{{[0-9]+}}: error: member access into incomplete type 'Later'
__global__ void later(int *out, Later *one) { *out = later_members<int>(one, *one); }

#ifndef NEVER_DEFINED
__global__ void kernel(int *out, int n) {
  Tools tools{n - 1};
  Derived<Tools> derived{{0}};
  out[0] = by_value(tools, n);
  out[1] = by_pointer(&tools, n);
  out[2] = of_class<Tools>(n);
  out[3] = with_parameter<Tools, 2>(tools, n);
  out[4] = of_type<Tools>(n + (1 << 16));
  out[5] = derived.call(n);
  out[6] = comparisons(tools, n, 5);
  out[7] = two_arguments(tools, n, 3);
  out[8] = Less<std::integral_constant<int, 3>, std::integral_constant<int, 4>>::value;
}

int main() {
  int *out;
  CHECK_CUDA(cudaMallocManaged(&out, 64));
  kernel<<<1, 1>>>(out, 10);
  CHECK_CUDA(cudaDeviceSynchronize());
  const int expected[] = {13, 14, 21, 12 + 13 + 10, 10, 15, 11, 2, 1};
  for (int i = 0; i < 9; ++i) {
    CHECK_EQ(out[i], expected[i]);
  }
  Later *one;
  CHECK_CUDA(cudaMallocManaged(&one, sizeof *one));
  one->value = 5;
  later<<<1, 1>>>(out, one);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(out[0], 5 + 6 + 35);
  return check_report();
}
#endif
