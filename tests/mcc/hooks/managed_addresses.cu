// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointers to managed variables in variables of the host that are initialised before main.
// RUN: %mcc %s -o %t && %run %t
// covers: C-5.4.1.2-02
#include "check.h"

#include <cuda_runtime.h>

__managed__ int value = 3;
__managed__ int many[4] = {1, 2, 3, 4};
struct Entry {
  const char *name;
  int *where;
};
int *pointer = &value;
int &reference = value;
int *inside = &many[2];
Entry table[2] = {{"value", &value}, {"many", many + 1}};
int first = value;

__global__ void change() {
  value = 30;
  many[1] = 20;
  many[2] = 40;
}

int *local() {
  static int *kept = &value;
  return kept;
}

int main() {
  CHECK_EQ(*pointer, 3);
  CHECK_EQ(first, 3);
  change<<<1, 1>>>();
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*pointer, 30);
  CHECK_EQ(reference, 30);
  CHECK_EQ(*inside, 40);
  CHECK_EQ(*table[0].where, 30);
  CHECK_EQ(*table[1].where, 20);
  CHECK_EQ(*local(), 30);
  int *here[] = {&value, many};
  CHECK_EQ(*here[0] + *here[1], 31);
  return check_report();
}
