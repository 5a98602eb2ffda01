// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is only asked about is not called: functions and function objects of the device in decltype, sizeof, noexcept and traits of host
// code, and those of the host in device code. Where both sides have a function, the own side's counts.
// RUN: %mcc -std=c++20 --extended-lambda %s -o %t && %run %t
// RUN: %if nvcc %{ %nvcc -std=c++20 --extended-lambda -I%source/tests/support -arch=sm_90 -c %s -o %t.o %}
// covers: C-5.3.12-01
#include "check.h"

#include <type_traits>
#include <utility>

__device__ int of_device(int x) { return x; }
template <typename T> __device__ T for_device(T x) { return x; }
int of_host(int x) { return x; }
struct OnDevice {
  __device__ int operator()(int) const { return 3; }
  __device__ float begin() const { return 3; }
};
struct OnHost {
  long operator()(int) const { return 3; }
};
struct MadeOnDevice {
  __device__ MadeOnDevice() {}
  __device__ ~MadeOnDevice() {}
  short member = 1;
};
struct MadeOnHost {
  MadeOnHost() {}
  ~MadeOnHost() {}
  char member = 1;
};

double either(double x) { return x; }
__device__ float either(float x) { return x; }

static_assert(sizeof(of_device(2)) == 4);
static_assert(std::is_same_v<decltype(for_device(2.0)), double>);
static_assert(std::is_same_v<std::invoke_result_t<OnDevice, int>, int>);
static_assert(std::is_invocable_v<OnDevice, int> && !std::is_invocable_v<OnDevice, char *>);
static_assert(std::is_default_constructible_v<MadeOnDevice> && std::is_default_constructible_v<MadeOnHost>);
static_assert(!noexcept(of_device(2)));

template <typename F> concept TakesInt = requires(F f) { f(1); };
static_assert(TakesInt<OnDevice> && TakesInt<OnHost>);

template <typename T> auto begins(int) -> decltype(std::declval<T>().begin());
template <typename T> char begins(long);
static_assert(std::is_same_v<decltype(begins<OnDevice>(0)), float> && std::is_same_v<decltype(begins<OnHost>(0)), char>);

template <typename F> std::invoke_result_t<F, int> apply_on_host(F) { return 5; }
template <typename T> auto deduced_in_template() { return decltype(for_device(T()))(7); }

__device__ auto deduced(int x) { return x + 1; }
template <typename T> struct Result {
  using type = decltype(deduced(T()));  // allowed in templates
};

__global__ void kernel(int *out) {
  static_assert(std::is_same_v<decltype(of_host(1)), int>);
  static_assert(std::is_same_v<std::invoke_result_t<OnHost, int>, long>);
  static_assert(std::is_same_v<decltype(MadeOnHost().member), char>);
  static_assert(std::is_same_v<decltype(either(1.0f)), float>);
  out[0] = sizeof(of_host(2)) + sizeof(deduced(3));
  Result<int>::type r = deduced(4);
  out[1] = r;
}

int main() {
  static_assert(std::is_same_v<decltype(MadeOnDevice().member), short>);
  static_assert(std::is_same_v<decltype(OnDevice()(2)), int>);
  auto lambda = [] __device__(int x) -> int { return x; };
  static_assert(std::is_same_v<std::invoke_result_t<decltype(lambda), int>, int>);
  CHECK_EQ(apply_on_host(OnDevice()), 5);
  CHECK_EQ(deduced_in_template<int>(), 7);
  int *out;
  CHECK_CUDA(cudaMallocManaged(&out, 8));
  kernel<<<1, 1>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(out[0], 8);
  CHECK_EQ(out[1], 5);
  return check_report();
}
