// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function that stays a call gets a struct by value and copies it behind a branch. There was no code of it for GPUs.
// RUN: %mcc -O3 %s -o %t && %run %t
// covers: C-5.4.2.3-01
#include "check.h"

struct Four {
  int a, b, c, d;
};

struct Stack {
  int top = 0, bound = 16;
  Four *places = nullptr;
  __device__ __noinline__ void push(Four value) {
    if (places != nullptr) {
      const int at = atomicAdd(&top, 1);
      if (at < bound) places[at] = value;
    }
  }
};

__global__ void fill(Stack *stack) {
  const int t = threadIdx.x;
  stack->push({t, t * 2, t * 3, t * 4});
}

int main() {
  Stack *stack;
  Four *places;
  CHECK_CUDA(cudaMallocManaged(&stack, sizeof *stack));
  CHECK_CUDA(cudaMallocManaged(&places, 16 * sizeof *places));
  *stack = Stack();
  fill<<<1, 8>>>(stack);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(stack->top, 0);
  stack->places = places;
  fill<<<1, 8>>>(stack);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(stack->top, 8);
  int sum = 0;
  for (int i = 0; i < 8; i++) {
    CHECK(places[i].b == 2 * places[i].a && places[i].c == 3 * places[i].a && places[i].d == 4 * places[i].a);
    sum += places[i].a;
  }
  CHECK_EQ(sum, 28);
  return check_report();
}
