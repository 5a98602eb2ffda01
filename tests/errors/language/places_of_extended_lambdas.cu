// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where extended lambdas cannot stand: the function around them must be one that others can name.
// RUN: not %mcc -std=c++17 --extended-lambda -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %if nvcc %{ not %nvcc -std=c++17 --extended-lambda -arch=sm_90 -c %s -o %t.o %}
// covers: C-5.3.8.4-01
template <typename F> __global__ void kernel(F f) { f(); }
auto deduced() {
// CHECK-DAG: places_of_extended_lambdas.cu:[[@LINE+1]]:{{[0-9]+}}: error: the function around an extended lambda must not have a deduced return type
  kernel<<<1, 1>>>([] __device__() {});
  return 1;
}
void in_generic_lambda() {
  auto generic = [](auto x) {
// CHECK-DAG: places_of_extended_lambdas.cu:[[@LINE+1]]:{{[0-9]+}}: error: an extended lambda cannot be defined inside a generic lambda
    kernel<<<1, 1>>>([] __device__() {});
  };
  generic(1);
}
void generic_for_both() {
// CHECK-DAG: places_of_extended_lambdas.cu:[[@LINE+1]]:{{[0-9]+}}: error: a __host__ __device__ extended lambda cannot be generic
  auto both = [] __host__ __device__(auto x) { return x; };
}
void in_local_class() {
  struct Local {
    void member() {
// CHECK-DAG: places_of_extended_lambdas.cu:[[@LINE+1]]:{{[0-9]+}}: error: the function around an extended lambda cannot be a member of a local class
      kernel<<<1, 1>>>([] __device__() {});
    }
  };
}
struct Made {
  Made() {
// CHECK-DAG: places_of_extended_lambdas.cu:[[@LINE+1]]:{{[0-9]+}}: error: the function around an extended lambda cannot be a constructor or destructor
    kernel<<<1, 1>>>([] __device__() {});
  }
};
class Private {
  void member() {
// CHECK-DAG: places_of_extended_lambdas.cu:[[@LINE+1]]:{{[0-9]+}}: error: the function around an extended lambda cannot be a private or protected member
    kernel<<<1, 1>>>([] __device__() {});
  }
  class Inner {
  public:
    void member() {
// CHECK-DAG: places_of_extended_lambdas.cu:[[@LINE+1]]:{{[0-9]+}}: error: an extended lambda cannot stand in a private or protected member class
      kernel<<<1, 1>>>([] __device__() {});
    }
  };
};
