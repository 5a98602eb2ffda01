// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The traits of extended lambdas, in templates too.
// RUN: %mcc -c --extended-lambda %s -o %t.o
// RUN: %mcc -c --extended-lambda -std=c++20 %s -o %t.o
// RUN: %mcc -c --extended-lambda -std=c++11 %s -o %t.o
// covers: C-2.7.4-01 C-5.3.8.3-01
template <typename F> __global__ void run(F f) { f(); }

template <typename T> void in_template(T value) {
  auto device = [=] __device__() { return value; };
  static_assert(__nv_is_extended_device_lambda_closure_type(decltype(device)), "");
  run<<<1, 1>>>(device);
}

__device__ void in_device() {
  auto lambda = [] __device__() {};
  static_assert(!__nv_is_extended_device_lambda_closure_type(decltype(lambda)), "not extended: in a device function");
}

int main() {
  auto device = [] __device__() {};
  auto both = [] __host__ __device__() {};
  auto host = [] {};
  auto result = [] __device__() -> int { return 1; };
  static_assert(__nv_is_extended_device_lambda_closure_type(decltype(device)), "");
  static_assert(__nv_is_extended_device_lambda_closure_type(const decltype(device)), "");
  static_assert(!__nv_is_extended_device_lambda_closure_type(decltype(both)), "");
  static_assert(!__nv_is_extended_device_lambda_closure_type(decltype(host)), "");
  static_assert(!__nv_is_extended_device_lambda_closure_type(int), "");
  static_assert(__nv_is_extended_host_device_lambda_closure_type(decltype(both)), "");
  static_assert(!__nv_is_extended_host_device_lambda_closure_type(decltype(device)), "");
  static_assert(__nv_is_extended_device_lambda_with_preserved_return_type(decltype(result)), "");
  static_assert(!__nv_is_extended_device_lambda_with_preserved_return_type(decltype(device)), "");
  run<<<1, 1>>>(device);
  run<<<1, 1>>>(both);
  in_template(2.5);
}
