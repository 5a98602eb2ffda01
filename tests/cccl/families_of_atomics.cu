// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The families of atomics on one set of cells: what one family writes, the others see, and no update is lost between them.
// The family of tiles is refused (tests/errors/language/tiles.cu).
// REQUIRES: cccl
// RUN: %mcc -std=c++17 -arch=sm_90 %s -o %t && %run %t
// covers: C-5.4.5-01
#include <cuda/atomic>
#include <cuda/std/atomic>

#include "check.h"

constexpr int kBlocks = 3, kThreads = 96, kAll = kBlocks * kThreads;

struct Cells {
  unsigned sum;
  int least, greatest;
  unsigned long long bits;
  double real;
  cuda::std::atomic<unsigned> standard;
  cuda::atomic<unsigned, cuda::thread_scope_device> scoped;
  unsigned tickets[5 * kAll];
};

__global__ void all_families(Cells *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> reference(c->sum);
  cuda::std::atomic_ref<unsigned> standard_reference(c->sum);
  // Five families count in one cell: each ticket is given once.
  unsigned tickets[] = {atomicAdd(&c->sum, 1u),
                        __nv_atomic_fetch_add(&c->sum, 1u, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE),
                        reference.fetch_add(1u, cuda::std::memory_order_relaxed), standard_reference.fetch_add(1u),
                        atomicInc_system(&c->sum, ~0u)};
  for (unsigned ticket : tickets) {
    if (ticket < 5 * kAll) atomicExch(&c->tickets[ticket], ticket + 1);
  }
  cuda::atomic_ref<int, cuda::thread_scope_device> least(c->least);
  if (i % 2) {
    atomicMin(&c->least, -i);
    __nv_atomic_fetch_max(&c->greatest, i, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  } else {
    least.fetch_min(-i);
    atomicMax(&c->greatest, i);
  }
  cuda::atomic_ref<unsigned long long, cuda::thread_scope_block> own(c->bits);
  if (blockIdx.x == 0 && i < 64) {
    i % 2 ? own.fetch_xor(1ull << i) : atomicXor(&c->bits, 1ull << i);
  }
  cuda::atomic_ref<double, cuda::thread_scope_system> real(c->real);
  i % 2 ? real.fetch_add(0.5) : atomicAdd(&c->real, 0.5);
  c->standard.fetch_add(3);
  c->scoped++;
}

// A lock taken with one family and given back with another.
__global__ void one_lock(int *lock, int *guarded) {
  if (threadIdx.x % 32) return;
  for (int round = 0; round < 10; ++round) {
    if (blockIdx.x % 2) {
      while (atomicCAS(lock, 0, 1)) {}
      __threadfence();
    } else {
      int expected = 0, desired = 1;
      while (!__nv_atomic_compare_exchange(lock, &expected, &desired, false, __NV_ATOMIC_ACQUIRE, __NV_ATOMIC_RELAXED,
                                           __NV_THREAD_SCOPE_DEVICE)) {
        expected = 0;
      }
    }
    *const_cast<volatile int *>(guarded) = *const_cast<volatile int *>(guarded) + 1;
    cuda::atomic_ref<int, cuda::thread_scope_device>(*lock).store(0, cuda::std::memory_order_release);
  }
}

int main() {
  Cells *c;
  CHECK_CUDA(cudaMallocManaged(&c, sizeof *c));
  memset(c, 0, sizeof *c);
  all_families<<<kBlocks, kThreads>>>(c);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(c->sum, 5u * kAll);
  for (unsigned i = 0; i < 5 * kAll; ++i) CHECK_EQ(c->tickets[i], i + 1);
  CHECK_EQ(c->least, 1 - kAll);
  CHECK_EQ(c->greatest, kAll - 1);
  CHECK_EQ(c->bits, ~0ull);
  CHECK_EQ(c->real, 0.5 * kAll);
  CHECK_EQ(c->standard.load(), 3u * kAll);
  CHECK_EQ(c->scoped.load(), unsigned(kAll));

  int *cells;
  CHECK_CUDA(cudaMallocManaged(&cells, 8));
  cells[0] = cells[1] = 0;
  one_lock<<<6, 64>>>(&cells[0], &cells[1]);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(cells[1], 6 * 2 * 10);
  return check_report();
}
