// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What programs may do with extended lambdas within the rules that no compiler checks: introspection where it is allowed, captures that
// both passes see, conversions to function pointers, several lambdas in a function. The function around a lambda brings no
// namespaces into look-ups, and names of reserved namespaces may be nested elsewhere.
// RUN: %mcc -std=c++17 --extended-lambda %s -o %t && %run %t
// RUN: %if nvcc %{ %nvcc -std=c++17 --extended-lambda -I%source/tests/support -arch=sm_90 -c %s -o %t.o %}
// covers: C-5.3.8.4-02 C-5.3.8.7-01 C-5.3.10.2-01
#include "check.h"

#include <type_traits>

template <typename F> __global__ void call(F f, int *out) {
  static_assert(std::is_same_v<decltype(f(1.0)), int>);  // device code may ask for any result type
  out[0] = f(2.5);
  int (*pointer)(double) = f;  // as it may convert any lambda without captures
  out[1] = pointer(3.5);
}
template <typename F> __global__ void store(F f, int *out) { *out = f(); }

// Both passes see the same captures in the same order, whatever else depends on the pass.
int captures(int *out) {
  int first = 1, second = 20, third = 300;
  auto lambda = [=] __host__ __device__() {
    int sum = third + first;
#ifdef __CUDA_ARCH__
    return sum + second + 1000;
#else
    return sum + second;
#endif
  };
  store<<<1, 1>>>(lambda, out);
  CHECK_CUDA(cudaDeviceSynchronize());
  return lambda();
}

// A result that is written down is known on the host.
const char *text(const char *p) { return p; }
void introspection() {
  auto both = [] __host__ __device__() { return "10"; };
  auto preserved = [] __device__() -> const char * { return "10"; };
  auto dependent = [] __device__(char x) -> decltype(text(&x)) { return nullptr; };
  static_assert(std::is_same_v<decltype(both()), const char *>);
  static_assert(__nv_is_extended_device_lambda_with_preserved_return_type(decltype(preserved)));
  static_assert(std::is_same_v<std::invoke_result_t<decltype(preserved)>, const char *>);
  static_assert(!__nv_is_extended_device_lambda_with_preserved_return_type(decltype(dependent)));
}

namespace other {
struct Tag {};
template <typename T> int found(T) { return 1; }
}  // namespace other
namespace own {
template <typename T> int found(T) { return 2; }
template <typename T> int run(T in) { return own::found(in); }
}  // namespace own
int look_up(other::Tag) {
  auto lambda = [=] __device__ {};
  return own::run(lambda);
}

namespace program::cuda {
__device__ int bar() { return 5; }
namespace nv {
constexpr int kValue = 6;
}
}  // namespace program::cuda
namespace program::cooperative_groups {
struct Foo {
  int value = 7;
};
}  // namespace program::cooperative_groups
__global__ void nested_names(int *out) {
  *out = program::cuda::bar() * 100 + program::cuda::nv::kValue * 10 + program::cooperative_groups::Foo().value;
}

int main() {
  int *out;
  CHECK_CUDA(cudaMallocManaged(&out, 64));
  auto on_device = [] __device__(double x) { return int(x) + 1; };
  auto on_both = [] __host__ __device__(double x) { return int(x) + 2; };
  call<<<1, 1>>>(on_device, out);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(out[0], 3);
  CHECK_EQ(out[1], 4);
  call<<<1, 1>>>(on_both, out);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(out[0], 4);
  CHECK_EQ(out[1], 5);
  int (*pointer)(double) = on_both;
  CHECK_EQ(pointer(7.9), 9);

  CHECK_EQ(captures(out), 321);
  CHECK_EQ(*out, 1321);
  introspection();
  CHECK_EQ(look_up(other::Tag()), 2);
  nested_names<<<1, 1>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*out, 567);
  return check_report();
}
