// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A memory space behind the braces of a type is that of the variables. It was ignored with a warning: a __shared__ variable of a
// kernel was one for each thread, and the others were the host's.
// RUN: %mcc -std=c++17 -Werror all-warnings %s -o %t && %run %t
// RUN: %if nvcc %{ %nvcc -std=c++17 -arch=sm_90 -I%source/tests/support -c %s -o %t.o %}
// covers: C-5.4.1.2-01 C-5.3.10.4-01
#include "check.h"

#include <cuda_runtime.h>

struct {
  int a;
  float b;
} __constant__ unnamed;
struct Pair {
  int a, b;
} __device__ pairs[2] = {{1, 2}, {3, 4}}, *second = pairs + 1;
union Word {
  int bits;
  float value;
} __device__ word = {3};
enum { kNone, kOne } __device__ unnamed_number = kOne;
enum class Named : char { X = 3 } __constant__ named = Named::X;
struct Fields {
  unsigned low : 3, high : 5, : 0, next : 7;
  int sign : 4;
} __managed__ fields[2] = {{1, 2, 3, 4}, {5, 6, 7, -8}};
struct OfHost {
  int a;
} of_host = {9};

__global__ void kernel(int *out) {
  struct {
    int values[32];
    float scale;
  } __shared__ exchange, twice[2];
  union {
    int bits;
    float value;
  } __shared__ either;
  int lane = threadIdx.x;
  exchange.values[lane] = lane;
  twice[1].values[lane] = 2 * lane;
  if (lane == 5) {
    either.value = 1;
  }
  __syncthreads();
  out[lane] = exchange.values[31 - lane] + twice[1].values[lane ^ 1];
  if (lane == 0) {
    out[32] = unnamed.a + pairs[0].b + second->b + word.bits;
    out[33] = unnamed_number + static_cast<int>(named);
    out[34] = fields[0].next + fields[1].sign;
    out[35] = either.bits;
    fields[1].high = 31;
  }
}

int main() {
  int *out;
  CHECK_CUDA(cudaMallocManaged(&out, 36 * sizeof *out));
  decltype(unnamed) value = {10, 1.5f};
  CHECK_CUDA(cudaMemcpyToSymbol(unnamed, &value, sizeof value));
  fields[0].next = 100;
  kernel<<<1, 32>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int lane = 0; lane < 32; ++lane) {
    CHECK_EQ(out[lane], 31 - lane + 2 * (lane ^ 1));
  }
  CHECK_EQ(out[32], 10 + 2 + 4 + 3);
  CHECK_EQ(out[33], 1 + 3);
  CHECK_EQ(out[34], 100 - 8);
  CHECK_EQ(out[35], 0x3f800000);
  CHECK_EQ(fields[1].high, 31);
  CHECK_EQ(of_host.a, 9);
  return check_report();
}
