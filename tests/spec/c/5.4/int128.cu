// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 128-bit integers in kernels: every operator, in memory, as arguments, in shared memory, through atomics; against the host.
// RUN: %mcc -O3 %s -o %t && %run %t
// RUN: %mcc -O0 %s -o %t && %run %t
// covers: C-5.4.2.1-01
#include "check.h"

#include <cuda_runtime.h>

typedef __int128 Signed;
typedef unsigned __int128 Unsigned;

static const int kOperations = 26;

__host__ __device__ unsigned long long bits(double x) {
  unsigned long long b;
  memcpy(&b, &x, sizeof b);
  return b;
}
__host__ __device__ unsigned bits(float x) {
  unsigned b;
  memcpy(&b, &x, sizeof b);
  return b;
}

__host__ __device__ void operate(Signed a, Signed b, int shift, Unsigned *out) {
  Unsigned ua = a, ub = b;
  *out++ = a + b;
  *out++ = a - b;
  *out++ = a * b;
  *out++ = a / b;
  *out++ = a % b;
  *out++ = ua / ub;
  *out++ = ua % ub;
  *out++ = -a;
  *out++ = ~a;
  *out++ = a & b;
  *out++ = a | b;
  *out++ = a ^ b;
  *out++ = a << shift;
  *out++ = a >> shift;
  *out++ = ua >> shift;
  *out++ = (a < b) + 2 * (ua < ub) + 4 * (a == b) + 8 * (a >= b) + 16 * !a;
  *out++ = (Unsigned)(long long)a;
  *out++ = (Unsigned)(unsigned)b;
  *out++ = (Signed)(double)(long long)(a >> 70);
  *out++ = (Unsigned)((double)(unsigned long long)(ua >> 64) * 0.5);
  *out++ = bits((double)ua) + ((Unsigned)bits((double)a) << 64);
  *out++ = bits((float)ua) + ((Unsigned)bits((float)a) << 64);
  *out++ = bits((double)(ua >> shift)) + ((Unsigned)bits((float)(a >> shift)) << 64);
  *out++ = (Unsigned)(double)(ua >> 1);
  *out++ = (Signed)((double)a * 0.25);
  *out++ = (Signed)((float)(a >> shift) * 0.25f);
}

__device__ Unsigned global = ((Unsigned)5 << 100) + 7;
__constant__ Signed constant = -3;

__global__ void kernel(const Signed *a, const Signed *b, Unsigned *out, Signed offset) {
  __shared__ Unsigned turned[64];
  int i = threadIdx.x;
  operate(a[i] + offset, b[i], i * 2 % 127, out + i * kOperations);
  turned[i] = out[i * kOperations];
  __syncthreads();
  if (i % 3 == 0) {
    out[i * kOperations] = turned[63 - i];
  }
}
__global__ void variables(Unsigned *out) {
  out[0] = global;
  out[1] = constant;
  global += 1;
  Signed sum = 0;
  for (Signed i = 0; i < 100; i += 3) {
    sum += i * i;
  }
  out[2] = sum;
}

int main() {
  Signed *a, *b;
  Unsigned *out, host[64][kOperations];
  CHECK_CUDA(cudaMallocManaged(&a, 64 * 16));
  CHECK_CUDA(cudaMallocManaged(&b, 64 * 16));
  CHECK_CUDA(cudaMallocManaged(&out, sizeof host));
  unsigned long long state = 88172645463325252ull;
  auto next = [&] {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
  };
  for (int i = 0; i < 64; ++i) {
    a[i] = (Signed)(((Unsigned)next() << 64) | next()) >> (i % 5 * 20);
    b[i] = (Signed)(((Unsigned)next() << 64) | next()) >> (i % 4 * 30 + 1);
    b[i] += b[i] == 0;
  }
  const Signed offset = -((Signed)1 << 80);
  kernel<<<1, 64>>>(a, b, out, offset);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 64; ++i) {
    operate(a[i] + offset, b[i], i * 2 % 127, host[i]);
  }
  for (int i = 0; i < 64; ++i) {
    for (int k = 0; k < kOperations; ++k) {
      Unsigned expected = k == 0 && i % 3 == 0 ? host[63 - i][0] : host[i][k];
      if (out[i * kOperations + k] != expected) {
        fprintf(stderr, "thread %d, operation %d\n", i, k);
        CHECK(false);
      }
    }
  }
  variables<<<1, 1>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK(out[0] == ((Unsigned)5 << 100) + 7);
  CHECK(out[1] == (Unsigned)(Signed)-3);
  CHECK(out[2] == 112761 + 0);
  Unsigned back;
  CHECK_CUDA(cudaMemcpyFromSymbol(&back, global, sizeof back));
  CHECK(back == ((Unsigned)5 << 100) + 8);
  return check_report();
}
