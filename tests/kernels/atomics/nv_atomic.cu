// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The __nv_atomic_* functions: every operation, the orders and scopes, values of 1 to 16 bytes, and message passing.
// RUN: %mcc -arch=sm_90 %s -o %t && %run %t
// covers: C-5.4.5.2-01 C-5.7-01
#include "check.h"

#ifndef __CUDACC_DEVICE_ATOMIC_BUILTINS__
#error "the macro that announces these functions is missing"
#endif

constexpr int kBlocks = 4, kThreads = 64, kAll = kBlocks * kThreads;

struct alignas(16) Wide {
  int v[4];
};

struct Cells {
  int add, sub, conjunction, disjunction, parity, least, greatest;
  unsigned long long big;
  float fadd;
  double dadd;
  unsigned char small[4];
  unsigned short half;
  unsigned word;
  Wide wide;
  int swapped, loops;
};

__global__ void run(Cells *c, int *sum) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __nv_atomic_fetch_add(&c->add, i, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_add(&c->add, 1, __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_sub(&c->sub, i, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_sub(&c->sub, 1, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_SYSTEM);
  __nv_atomic_fetch_and(&c->conjunction, ~(1 << i % 8), __NV_ATOMIC_RELEASE);
  __nv_atomic_and(&c->conjunction, ~(256 << i % 8), __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_or(&c->disjunction, 1 << i % 8, __NV_ATOMIC_RELAXED);
  __nv_atomic_or(&c->disjunction, 256 << i % 8, __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_xor(&c->parity, i, __NV_ATOMIC_RELAXED);
  __nv_atomic_xor(&c->parity, 5, __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_min(&c->least, -i, __NV_ATOMIC_RELAXED);
  __nv_atomic_min(&c->least, -1, __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_max(&c->greatest, i, __NV_ATOMIC_RELAXED);
  __nv_atomic_max(&c->greatest, 1, __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_add(&c->big, 1ull << 33, __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_add(&c->fadd, 0.5f, __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_add(&c->dadd, 0.25, __NV_ATOMIC_RELAXED);

  unsigned char byte = __nv_atomic_load_n(&c->small[1], __NV_ATOMIC_RELAXED) | 64;
  __nv_atomic_store_n(&c->small[1], byte, __NV_ATOMIC_RELAXED);
  unsigned word = __nv_atomic_load_n(&c->word, __NV_ATOMIC_RELAXED);
  while (!__nv_atomic_compare_exchange_n(&c->word, &word, word + 2, true, __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED)) {
  }
  unsigned short half, next;
  __nv_atomic_load(&c->half, &half, __NV_ATOMIC_ACQUIRE);
  do {
    next = half + 3;
  } while (!__nv_atomic_compare_exchange(&c->half, &half, &next, false, __NV_ATOMIC_SEQ_CST, __NV_ATOMIC_SEQ_CST));

  Wide wide, more;
  __nv_atomic_load(&c->wide, &wide, __NV_ATOMIC_RELAXED);
  do {
    more = Wide{{wide.v[0] + 1, wide.v[1] + 2, wide.v[2] + 3, wide.v[3] + 4}};
  } while (!__nv_atomic_compare_exchange(&c->wide, &wide, &more, false, __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED));

  int mine = i + 1, before;
  __nv_atomic_exchange(&c->swapped, &mine, &before, __NV_ATOMIC_RELAXED);
  atomicAdd(sum, before);
}

// One block writes, another waits for the flag: release and acquire make the data visible.
__global__ void message(int *data, int *flag, int *got) {
  if (blockIdx.x == 0) {
    *data = 42;
    __nv_atomic_store_n(flag, 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
  } else {
    while (__nv_atomic_load_n(flag, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE) == 0) {
    }
    *got = *data;
  }
}
__global__ void fenced(int *data, int *flag, int *got) {
  if (blockIdx.x == 0) {
    *data = 43;
    __nv_atomic_thread_fence(__NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
    int one = 1;
    __nv_atomic_store(flag, &one, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  } else {
    while (__nv_atomic_exchange_n(flag, 0, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE) == 0) {
    }
    __nv_atomic_thread_fence(__NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
    *got = *data;
  }
}

int main() {
  Cells *c;
  int *sum;
  CHECK_CUDA(cudaMallocManaged(&c, sizeof(Cells)));
  CHECK_CUDA(cudaMallocManaged(&sum, 4 * sizeof(int)));
  *c = Cells{};
  c->conjunction = 0xffff;
  for (int i = 0; i < 4; ++i) sum[i] = 0;
  run<<<kBlocks, kThreads>>>(c, sum);
  CHECK_CUDA(cudaDeviceSynchronize());
  int total = kAll * (kAll - 1) / 2, parity = 0;
  for (int i = 0; i < kAll; ++i) parity ^= i ^ 5;
  CHECK_EQ(c->add, total + kAll);
  CHECK_EQ(c->sub, -total - kAll);
  CHECK_EQ(c->conjunction, 0);
  CHECK_EQ(c->disjunction, 0xffff);
  CHECK_EQ(c->parity, parity);
  CHECK_EQ(c->least, 1 - kAll);
  CHECK_EQ(c->greatest, kAll - 1);
  CHECK_EQ(c->big, static_cast<unsigned long long>(kAll) << 33);
  CHECK_EQ(c->fadd, kAll * 0.5f);
  CHECK_EQ(c->dadd, kAll * 0.25);
  CHECK_EQ(c->small[1], 64);
  CHECK_EQ(c->word, 2u * kAll);
  CHECK_EQ(c->small[0] + c->small[2], 0);
  CHECK_EQ(c->half, 3 * kAll);
  for (int k = 0; k < 4; ++k) CHECK_EQ(c->wide.v[k], (k + 1) * kAll);
  CHECK_EQ(sum[0] + c->swapped, total + kAll);

  message<<<2, 1>>>(sum + 1, sum + 2, sum + 3);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(sum[3], 42);
  sum[2] = 0;
  fenced<<<2, 1>>>(sum + 1, sum + 2, sum + 3);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(sum[3], 43);
  return check_report();
}
