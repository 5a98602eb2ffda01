// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A managed variable that is declared and used before the file defines it: the host's access was one through a null pointer.
// RUN: %mcc -std=c++17 %s -o %t && %run %t
// RUN: %mcc -std=c++17 -rdc=true %s -o %t && %run %t
// RUN: %if nvcc %{ %nvcc -std=c++17 -arch=sm_90 -rdc=true -I%source/tests/support -c %s -o %t.o %}
// covers: C-5.4.1.2-02
#include "check.h"

#include <cuda_runtime.h>

extern __managed__ int number, *address;
extern __managed__ float values[3];

__global__ void kernel() {
  number += 1;
  values[2] = 2 * values[1];
  address = &number;
}
static int read() { return number + static_cast<int>(values[2]); }

__managed__ int number = 5, *address = nullptr;
__managed__ float values[3] = {1, 2, 3};

int main() {
  CHECK_EQ(read(), 8);
  number = 10;
  kernel<<<1, 1>>>();
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(read(), 15);
  CHECK(address == &number);
  return check_report();
}
