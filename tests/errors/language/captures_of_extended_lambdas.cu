// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What extended lambdas cannot capture.
// RUN: not %mcc -std=c++17 --extended-lambda -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %if nvcc %{ not %nvcc -std=c++17 --extended-lambda -arch=sm_90 -c %s -o %t.o %}
// covers: C-5.3.8.4-01
void by_reference() {
// CHECK-DAG: captures_of_extended_lambdas.cu:[[@LINE+1]]:{{[0-9]+}}: error: an extended lambda cannot capture by reference
  auto device = [&] __device__() { return 1; };
// CHECK-DAG: captures_of_extended_lambdas.cu:[[@LINE+1]]:{{[0-9]+}}: error: an extended lambda cannot capture by reference
  auto both = [&] __host__ __device__() { return 1; };
}
void arrays() {
  int seven[1][1][1][1][1][1][1] = {}, eight[1][1][1][1][1][1][1][1] = {};
  auto fine = [=] __device__() { return seven[0][0][0][0][0][0][0]; };
// CHECK-DAG: captures_of_extended_lambdas.cu:[[@LINE+1]]:{{[0-9]+}}: error: an extended lambda cannot capture an array of more than 7 dimensions
  auto device = [=] __device__() { return eight[0][0][0][0][0][0][0][0]; };
}
void initialised(int x) {
  auto fine = [y = x + 1] __device__() { return y; };
// CHECK-DAG: captures_of_extended_lambdas.cu:[[@LINE+1]]:{{[0-9]+}}: error: a __host__ __device__ extended lambda cannot have an init-capture
  auto both = [y = x + 1] __host__ __device__() { return y; };
}
template <typename... T> int packs(int first, T... rest) {
  auto fine = [=] __host__ __device__() { return first; };
// CHECK-DAG: captures_of_extended_lambdas.cu:[[@LINE+1]]:{{[0-9]+}}: error: an extended lambda cannot capture an element of a parameter pack
  auto both = [=] __host__ __device__() { return (rest + ...); };
  return fine() + both();
}
int instance() { return packs(1, 2, 3); }
class Owner {
  struct Hidden {
    int value;
  };

public:
  void member(Hidden hidden) {
// CHECK-DAG: captures_of_extended_lambdas.cu:[[@LINE+1]]:{{[0-9]+}}: error: an extended lambda cannot capture a variable of a private or protected member type
    auto device = [=] __device__() { return hidden.value; };
  }
};
