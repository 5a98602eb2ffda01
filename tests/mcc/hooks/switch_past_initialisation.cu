// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A label of a switch past the initialisation of a variable is a warning in device code, as for nvcc; in host code, and with goto, it is
// an error.
// RUN: %mcc %s -o %t 2>%t.messages && %run %t && %FileCheck %s < %t.messages
// RUN: %if nvcc %{ %nvcc -I%source/tests/support -arch=sm_90 -c %s -o %t.o %}
// RUN: not %mcc -DHOST -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=HOST
// RUN: not %mcc -DGOTO -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=GOTO
#include "check.h"

__global__ void choose(int *out) {
  switch (threadIdx.x % 4) {
// CHECK: switch_past_initialisation.cu:[[@LINE+2]]:{{[0-9]+}}: warning: a label of the switch lies past the initialisation of 'first'
  case 0:
    int first = threadIdx.x * 10;
    out[threadIdx.x] = first;
    break;
  case 1:
  case 2:
    int second = threadIdx.x * 100;
    first = second + 1;
    out[threadIdx.x] = first;
    break;
  default:
    out[threadIdx.x] = -1;
  }
}

#ifdef HOST
int host(int n) {
  switch (n) {
  case 0:
    int x = 3;
    return x;
// HOST: error: cannot jump from switch statement to this case label
  case 1:
    return 4;
  }
  return 5;
}
#endif
#ifdef GOTO
__global__ void jump(int n, int *out) {
// GOTO: error: cannot jump from this goto statement to its label
  if (n) goto end;
  int x = n + 3;
  out[0] = x;
end:
  out[1] = 2;
}
#endif

int main() {
  int *out;
  CHECK_CUDA(cudaMallocManaged(&out, 64 * sizeof(int)));
  choose<<<1, 64>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int t = 0; t < 64; ++t) CHECK_EQ(out[t], t % 4 == 0 ? t * 10 : t % 4 == 3 ? -1 : t * 100 + 1);
  return check_report();
}
