// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Extended lambdas and template arguments of kernels in the places that the language allows, close to those that it forbids.
// RUN: %mcc -std=c++17 --extended-lambda %s -o %t && %run %t
// RUN: %if nvcc %{ %nvcc -std=c++17 --extended-lambda -arch=sm_90 -I%S/../../support -c %s -o %t.o %}
// covers: C-5.3.8.2-01 C-5.3.10.7-01
#include "check.h"

namespace {
struct Hidden {
  int x;
};
}  // namespace
template <typename T> __global__ void store(int *out, T value) { *out = value.x; }
template <typename F> __global__ void call(int *out, F f) { *out = f(); }
template <typename... T> __global__ void sum(int *out, T... values) { *out = (values + ...); }
__global__ void local(int *out) {
  struct Local {
    int x;
  };
  auto get = [](Local l) { return l.x; };
  *out = get(Local{7});
}

int *out;
int got() {
  CHECK_CUDA(cudaDeviceSynchronize());
  return *out;
}

typedef struct {
  int x;
} Named;
template <typename T> struct Nest {
  struct Inner {
    T x;
  };
  void launch(T x) { store<<<1, 1>>>(out, Inner{x}); }
};
struct Caller {
  int x;
  void member() {
    call<<<1, 1>>>(out, [=, *this] __device__() { return x + 1; });
  }
  void operator()() {
    call<<<1, 1>>>(out, [] __host__ __device__() { return 12; });
  }
};
template <typename T> void launch_of(T value) {
  call<<<1, 1>>>(out, [=] __device__() { return static_cast<int>(value * 2); });
}
auto trailing() -> void {
  call<<<1, 1>>>(out, [] __device__() { return 14; });
}

int main() {
  CHECK_CUDA(cudaMallocManaged(&out, sizeof(int)));
  store<<<1, 1>>>(out, Hidden{1});
  CHECK_EQ(got(), 1);
  store<<<1, 1>>>(out, Named{2});
  CHECK_EQ(got(), 2);
  Nest<int>().launch(3);
  CHECK_EQ(got(), 3);
  local<<<1, 1>>>(out);
  CHECK_EQ(got(), 7);
  sum<<<1, 1>>>(out, 1, 2, 3, 4);
  CHECK_EQ(got(), 10);
  Caller caller{10};
  caller.member();
  CHECK_EQ(got(), 11);
  caller();
  CHECK_EQ(got(), 12);
  launch_of(6.5);
  CHECK_EQ(got(), 13);
  trailing();
  CHECK_EQ(got(), 14);
  auto nested = [](int n) { call<<<1, 1>>>(out, [=] __device__() { return n; }); };
  nested(15);
  CHECK_EQ(got(), 15);
  int table[2][2] = {{16, 0}, {0, 1}};
  call<<<1, 1>>>(out, [=] __device__() { return table[0][0] + table[1][1]; });
  CHECK_EQ(got(), 17);
  return check_report();
}
