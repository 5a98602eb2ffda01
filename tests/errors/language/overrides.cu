// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function that overrides another has its execution space.
// RUN: not %mcc -std=c++17 -c %s -o %t.o 2>&1 | %FileCheck %s
// covers: C-5.3.10.6-02
struct OnDevice {
  __device__ virtual void f() {}
};
struct OnHost {
  virtual void f() {}
};
struct Wrong : OnDevice {
// CHECK-DAG: overrides.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}
  __host__ virtual void f() override {}
};
struct AlsoWrong : OnHost {
// CHECK-DAG: overrides.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}
  __device__ virtual void f() override {}
};
