// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that all lanes of a warp run equally often, though lanes part in them: some jump into the middle, or a recursive function in it
// goes to another depth for each. On a GPU the turns were counted once for the lanes of a warp together: lanes left too early, or never.
// RUN: %mcc -O3 %s -o %t && %run %t
// covers: C-5.3.10.5-01
#include "check.h"

constexpr int kThreads = 1024, kTurns = 6;

__host__ __device__ unsigned mix(unsigned x) { return x * 1664525u + 1013904223u; }

__host__ __device__ unsigned jump_into(const unsigned *in, unsigned t, int n) {
  unsigned acc = t, x = in[t];
  int i = 0;
  if (x & 1) goto middle;
again:
  acc = acc * 5u + in[(t + 3) % kThreads];
middle:
  acc ^= x / ((acc & 1023u) + 1u);
  for (unsigned k = 0, turns = acc & 7; k < turns; k++) acc = acc * 3u + in[(acc + k) % kThreads];
  if (++i < n) goto again;
  return acc;
}

__host__ __device__ unsigned jump_to_case(const unsigned *in, unsigned t, int n) {
  unsigned acc = t;
  int i = 0;
  switch (in[t] % 3u) {
    while (true) {
    case 0: acc += in[(acc + 1) % kThreads];
    case 1: acc ^= in[acc % kThreads] / ((acc & 63u) + 1u);
    default: if (++i >= n) return acc;
    }
  }
}

__host__ __device__ unsigned depth(unsigned n, int k) { return n < 2u ? n + k : depth(n - 1u, k) * 2u + depth(n - 2u, k + 1); }

__host__ __device__ unsigned around_recursion(const unsigned *in, unsigned t, int n) {
  unsigned acc = 0, x = in[t];
  int i = 0;
  do {
    acc += depth(x % 9u, 0);
    x = mix(x);
  } while (++i != n);
  for (int j = 0; j < n; j++) acc = acc * 3u + (unsigned)j;
  return acc;
}

__host__ __device__ unsigned even(unsigned n, unsigned x);
__host__ __device__ unsigned odd(unsigned n, unsigned x) { return n == 0 ? x : even(n - 1, mix(x)) + n; }
__host__ __device__ unsigned even(unsigned n, unsigned x) {
  unsigned acc = x;
  for (; n > 0; n -= n > 1 ? 2 : 1) acc += odd(n - 1, acc);
  return acc;
}

__host__ __device__ unsigned around_two(const unsigned *in, unsigned t, int n) {
  unsigned acc = 0, x = in[t];
  int i = 0;
  do {
    acc ^= even(x % 7u, x);
    x = mix(x);
  } while (++i != n);
  return acc;
}

#define KERNEL(f) \
  __global__ void f##_kernel(const unsigned *in, unsigned *out, int n) { \
    const unsigned t = blockIdx.x * blockDim.x + threadIdx.x; \
    out[t] = f(in, t, n); \
  }
KERNEL(jump_into)
KERNEL(jump_to_case)
KERNEL(around_recursion)
KERNEL(around_two)

// After the call the warp is whole again where it meets.
__global__ void meet(const unsigned *in, unsigned *out, int n) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned acc = 0;
  int i = 0;
  do {
    const unsigned mine = depth((in[t] + i) % 9u, 0);
    __syncwarp();
    acc += __shfl_xor_sync(~0u, mine, 5);
  } while (++i != n);
  out[t] = acc;
}

unsigned *in, *out;

template <typename F> void check_all(const char *name, F expected) {
  CHECK_CUDA(cudaDeviceSynchronize());
  for (unsigned t = 0; t < kThreads; t++) {
    CHECK_EQ(out[t], expected(t));
    if (out[t] != expected(t)) {
      fprintf(stderr, "%s, thread %u\n", name, t);
      break;
    }
  }
}

int main() {
  CHECK_CUDA(cudaMallocManaged(&in, kThreads * sizeof *in));
  CHECK_CUDA(cudaMallocManaged(&out, kThreads * sizeof *out));
  unsigned seed = 12345;
  for (int i = 0; i < kThreads; i++) {
    seed = mix(seed);
    in[i] = seed >> 8;
  }
#define RUN_ALL(f) \
  f##_kernel<<<8, kThreads / 8>>>(in, out, kTurns); \
  check_all(#f, [](unsigned t) { return f(in, t, kTurns); })
  RUN_ALL(jump_into);
  RUN_ALL(jump_to_case);
  RUN_ALL(around_recursion);
  RUN_ALL(around_two);
  meet<<<8, kThreads / 8>>>(in, out, kTurns);
  check_all("meet", [](unsigned t) {
    unsigned acc = 0;
    for (int i = 0; i < kTurns; i++) acc += depth((in[t ^ 5] + i) % 9u, 0);
    return acc;
  });
  return check_report();
}
