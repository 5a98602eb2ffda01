// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels launch kernels in relocatable code only.
// report: iowarp/clio-core#828
// RUN: not %mcc -std=c++17 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %if nvcc %{ not %nvcc -std=c++17 -arch=sm_90 -c %s -o %t.o %}
// covers: C-5.4.3-01
__global__ void child() {}
__global__ void parent() {
// CHECK-DAG: dynamic_parallelism.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}
  child<<<1, 1>>>();
}
