// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A return type that is deduced from device code is not for host code to see.
// RUN: not %mcc -std=c++17 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %if nvcc %{ not %nvcc -std=c++17 -arch=sm_90 -c %s -o %t.o %}
// covers: C-5.3.12-01
__device__ auto deduced(int x) { return x; }
template <typename T> __device__ auto in_template(T x) { return x; }
struct Functor {
  __device__ auto operator()(int x) const { return x; }
  __device__ auto member() const { return 1; }
};
__host__ __device__ auto of_both(int x) { return x; }
__device__ constexpr auto constant(int x) { return x; }

// CHECK-DAG: deduced_return_types.cu:[[@LINE+1]]:{{[0-9]+}}: error: a __device__ function with a deduced return type cannot be named outside of device code
constexpr int size = sizeof(deduced(2));
// CHECK-DAG: deduced_return_types.cu:[[@LINE+1]]:{{[0-9]+}}: error: a __device__ function with a deduced return type cannot be named outside of device code
__device__ auto passed_on(int x) -> decltype(deduced(x)) { return deduced(x); }
struct Holder {
// CHECK-DAG: deduced_return_types.cu:[[@LINE+1]]:{{[0-9]+}}: error: a __device__ function with a deduced return type cannot be named outside of device code
  decltype(in_template(2)) held;
};
void host() {
// CHECK-DAG: deduced_return_types.cu:[[@LINE+1]]:{{[0-9]+}}: error: a __device__ function with a deduced return type cannot be named outside of device code
  using A = decltype(Functor()(2));
// CHECK-DAG: deduced_return_types.cu:[[@LINE+1]]:{{[0-9]+}}: error: a __device__ function with a deduced return type cannot be named outside of device code
  using B = decltype(Functor().member());
}

// CHECK-NOT: error:
int allowed[sizeof(of_both(1)) + sizeof(constant(1))];
__global__ void kernel(int *out) { *out = sizeof(deduced(2)) + deduced(3); }
