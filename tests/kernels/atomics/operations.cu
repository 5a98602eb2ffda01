// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every atomicX function in every type and scope, from many threads on one cell in global and in shared memory.
// RUN: %mcc %s -o %t && %run %t
// covers: C-5.4.5.1-01 B-6-04
#include "check.h"

constexpr int kBlocks = 8, kThreads = 128, kAll = kBlocks * kThreads;

struct Cells {
  int add, sub, least, greatest, conjunction, disjunction, parity, exchange;
  unsigned uadd, usub, uleast, ugreatest, increment, decrement, uand, uor, uxor, uexchange;
  unsigned long long qadd, qleast, qgreatest, qand, qor, qxor, qexchange;
  long long sleast, sgreatest;
  float fadd, fexchange;
  double dadd;
};

__host__ void start(Cells *c) {
  *c = Cells{};
  c->least = c->greatest = 0;
  c->conjunction = -1;
  c->uleast = c->uand = 0xffffffffu;
  c->qleast = c->qand = ~0ull;
}

#define KERNEL(suffix)                                                                                          \
  __device__ void apply##suffix(Cells *c, int i) {                                                              \
    atomicAdd##suffix(&c->add, i - 100);                                                                        \
    atomicSub##suffix(&c->sub, i);                                                                              \
    atomicMin##suffix(&c->least, -i);                                                                           \
    atomicMax##suffix(&c->greatest, i);                                                                         \
    atomicAnd##suffix(&c->conjunction, ~(1 << i % 20));                                                         \
    atomicOr##suffix(&c->disjunction, 1 << i % 20);                                                             \
    atomicXor##suffix(&c->parity, i * 3);                                                                       \
    atomicExch##suffix(&c->exchange, i + 1);                                                                    \
    atomicAdd##suffix(&c->uadd, i * 4000000u);                                                                  \
    atomicSub##suffix(&c->usub, i * 3u);                                                                        \
    atomicMin##suffix(&c->uleast, 0x80000000u + i);                                                             \
    atomicMax##suffix(&c->ugreatest, 0x80000000u + i);                                                          \
    atomicInc##suffix(&c->increment, 99);                                                                       \
    atomicDec##suffix(&c->decrement, 99);                                                                       \
    atomicAnd##suffix(&c->uand, ~(1u << i % 30));                                                               \
    atomicOr##suffix(&c->uor, 1u << i % 30);                                                                    \
    atomicXor##suffix(&c->uxor, i * 7u);                                                                        \
    atomicExch##suffix(&c->uexchange, i + 1u);                                                                  \
    atomicAdd##suffix(&c->qadd, i * 10000000000ull);                                                            \
    atomicMin##suffix(&c->qleast, (1ull << 63) + i);                                                            \
    atomicMax##suffix(&c->qgreatest, (1ull << 63) + i);                                                         \
    atomicAnd##suffix(&c->qand, ~(1ull << i % 60));                                                             \
    atomicOr##suffix(&c->qor, 1ull << i % 60);                                                                  \
    atomicXor##suffix(&c->qxor, i * 1000000007ull);                                                             \
    atomicExch##suffix(&c->qexchange, i + 1ull);                                                                \
    atomicMin##suffix(&c->sleast, -(1ll << 40) - i);                                                            \
    atomicMax##suffix(&c->sgreatest, (1ll << 40) + i);                                                          \
    atomicAdd##suffix(&c->fadd, 0.5f);                                                                          \
    atomicExch##suffix(&c->fexchange, i + 1.0f);                                                                \
    atomicAdd##suffix(&c->dadd, i * 0.25);                                                                      \
  }                                                                                                             \
  __global__ void global##suffix(Cells *c) { apply##suffix(c, blockIdx.x * blockDim.x + threadIdx.x); }         \
  __global__ void shared##suffix(Cells *c) {                                                                    \
    __shared__ Cells mine;                                                                                      \
    if (threadIdx.x == 0) mine = *c;                                                                            \
    __syncthreads();                                                                                            \
    for (int k = 0; k < kBlocks; ++k) apply##suffix(&mine, k * blockDim.x + threadIdx.x);                       \
    __syncthreads();                                                                                            \
    if (threadIdx.x == 0) *c = mine;                                                                            \
  }
KERNEL()
KERNEL(_block)
KERNEL(_system)

void verify(const Cells &c) {
  int sum = 0, parity = 0;
  unsigned usum = 0, uparity = 0;
  unsigned long long qsum = 0, qparity = 0;
  for (int i = 0; i < kAll; ++i) {
    sum += i;
    parity ^= i * 3;
    usum += i * 4000000u;
    uparity ^= i * 7u;
    qsum += i * 10000000000ull;
    qparity ^= i * 1000000007ull;
  }
  CHECK_EQ(c.add, sum - 100 * kAll);
  CHECK_EQ(c.sub, -sum);
  CHECK_EQ(c.least, 1 - kAll);
  CHECK_EQ(c.greatest, kAll - 1);
  CHECK_EQ(c.conjunction, ~0xfffff);
  CHECK_EQ(c.disjunction, 0xfffff);
  CHECK_EQ(c.parity, parity);
  CHECK(c.exchange >= 1 && c.exchange <= kAll);
  CHECK_EQ(c.uadd, usum);
  CHECK_EQ(c.usub, 0u - 3u * sum);
  CHECK_EQ(c.uleast, 0x80000000u);
  CHECK_EQ(c.ugreatest, 0x80000000u + kAll - 1);
  CHECK_EQ(c.increment, kAll % 100u);                       // 0 … 99, then 0 again
  CHECK_EQ(c.decrement, (100u - kAll % 100u) % 100u);       // 0 -> 99 -> 98 …
  CHECK_EQ(c.uand, 0xc0000000u);
  CHECK_EQ(c.uor, 0x3fffffffu);
  CHECK_EQ(c.uxor, uparity);
  CHECK(c.uexchange >= 1 && c.uexchange <= kAll);
  CHECK_EQ(c.qadd, qsum);
  CHECK_EQ(c.qleast, 1ull << 63);
  CHECK_EQ(c.qgreatest, (1ull << 63) + kAll - 1);
  CHECK_EQ(c.qand, ~((1ull << 60) - 1));
  CHECK_EQ(c.qor, (1ull << 60) - 1);
  CHECK_EQ(c.qxor, qparity);
  CHECK(c.qexchange >= 1 && c.qexchange <= kAll);
  CHECK_EQ(c.sleast, -(1ll << 40) - (kAll - 1));
  CHECK_EQ(c.sgreatest, (1ll << 40) + kAll - 1);
  CHECK_EQ(c.fadd, kAll * 0.5f);
  CHECK(c.fexchange >= 1 && c.fexchange <= kAll);
  CHECK_EQ(c.dadd, sum * 0.25);
}

__global__ void olds(unsigned *order, unsigned *cell, float *fcell, float *fold) {
  order[atomicAdd(cell, 1u)] = threadIdx.x;          // the old value is a ticket
  fold[threadIdx.x] = atomicExch(fcell, threadIdx.x + 1.0f);
}

int main() {
  Cells *c;
  CHECK_CUDA(cudaMallocManaged(&c, sizeof(Cells)));
#define RUN(kernel, blocks)                \
  start(c);                                \
  kernel<<<blocks, kThreads>>>(c);         \
  CHECK_CUDA(cudaDeviceSynchronize());     \
  verify(*c);
  RUN(global, kBlocks)
  RUN(global_system, kBlocks)
  RUN(shared, 1)
  RUN(shared_block, 1)
  RUN(shared_system, 1)

  unsigned *order, *cell;
  float *fcell, *old;
  CHECK_CUDA(cudaMallocManaged(&order, kThreads * sizeof(unsigned)));
  CHECK_CUDA(cudaMallocManaged(&cell, sizeof(unsigned)));
  CHECK_CUDA(cudaMallocManaged(&fcell, sizeof(float)));
  CHECK_CUDA(cudaMallocManaged(&old, kThreads * sizeof(float)));
  *cell = 0;
  *fcell = 0;
  olds<<<1, kThreads>>>(order, cell, fcell, old);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*cell, unsigned(kThreads));
  unsigned tickets = 0;
  float sum = *fcell;
  for (int i = 0; i < kThreads; ++i) {
    tickets += order[i];
    sum += old[i];
  }
  CHECK_EQ(tickets, unsigned(kThreads * (kThreads - 1) / 2));  // every thread drew one
  CHECK_EQ(sum, kThreads * (kThreads + 1) / 2.0f);             // nothing that was stored got lost
  return check_report();
}
