// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops around atomicCAS: operations made of it, a lock taken and given back inside the loop, a lock taken by one thread
// of each warp, and lanes that wait for another lane of their warp.
// RUN: %mcc -O3 %s -o %t && %run %t
#include "check.h"

__device__ double add(double *place, double x) {
  auto *bits = (unsigned long long *)place;
  unsigned long long seen = *bits, expected;
  do {
    expected = seen;
    seen = atomicCAS(bits, expected, (unsigned long long)__double_as_longlong(x + __longlong_as_double(expected)));
  } while (expected != seen);
  return __longlong_as_double(seen);
}

__device__ float largest(float *place, float x) {
  int *bits = (int *)place;
  int seen = *bits;
  while (x > __int_as_float(seen)) {
    int expected = seen;
    seen = atomicCAS(bits, expected, __float_as_int(x));
    if (seen == expected) {
      break;
    }
  }
  return __int_as_float(seen);
}

__global__ void made(double *sum, float *most, int *hits) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t % 3 != 1) {
    add(&sum[t % 2], t);
  }
  largest(most, (float)(t * 37 % 1000));
  atomicAdd(hits, 1);
}

__global__ void lock_inside(int *lock, int *value) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      *(volatile int *)value = *(volatile int *)value + 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

__global__ void lock_outside(int *lock, int *value) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  *(volatile int *)value = *(volatile int *)value + 1;
  __threadfence();
  atomicExch(lock, 0);
}

__global__ void lane_waits(volatile int *flags, int *out) {
  int lane = threadIdx.x % 32;
  if (lane != 7) {
    while (flags[threadIdx.x / 32] == 0) {
    }
    out[threadIdx.x] = flags[threadIdx.x / 32] + lane;
  } else {
    flags[threadIdx.x / 32] = 5;
    out[threadIdx.x] = 1;
  }
}

__global__ void one_waits(volatile int *count, int *out, int goal) {
  __shared__ int seen;
  __threadfence();
  if (threadIdx.x == 0) {
    atomicAdd((int *)count, 1);
    while (*count < goal) {
    }
    seen = *count;
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = seen;
}

struct Results {
  double sum[2];
  float most;
  int hits, lock, value, flags[8], count, out[512];
};

int main() {
  Results *r;
  CHECK_CUDA(cudaMallocManaged(&r, sizeof(Results)));
  CHECK_CUDA(cudaMemset(r, 0, sizeof(Results)));
  made<<<4, 96>>>(r->sum, &r->most, &r->hits);
  CHECK_CUDA(cudaDeviceSynchronize());
  double right[2] = {0, 0};
  float most = 0;
  for (int t = 0; t < 384; t++) {
    right[t % 2] += t % 3 != 1 ? t : 0;
    most = t * 37 % 1000 > most ? t * 37 % 1000 : most;
  }
  CHECK_EQ(r->sum[0], right[0]);
  CHECK_EQ(r->sum[1], right[1]);
  CHECK_EQ(r->most, most);
  CHECK_EQ(r->hits, 384);

  lock_inside<<<3, 70>>>(&r->lock, &r->value);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(r->value, 210);
  lock_outside<<<2, 40>>>(&r->lock, &r->value);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(r->value, 290);

  lane_waits<<<1, 256>>>(r->flags, r->out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int t = 0; t < 256; t++) {
    CHECK_EQ(r->out[t], t % 32 == 7 ? 1 : 5 + t % 32);
  }
  one_waits<<<4, 128>>>(&r->count, r->out, 4);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int t = 0; t < 512; t++) {
    CHECK_EQ(r->out[t], 4);
  }
  return check_report();
}
