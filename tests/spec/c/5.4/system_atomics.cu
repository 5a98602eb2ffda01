// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics of the system scope on managed and pinned memory while the host updates the same cells.
// RUN: %mcc -std=c++17 -O2 %s -o %t -lpthread && %run %t
// covers: C-5.4.5.1-03
#include "check.h"

#include <cuda_runtime.h>

#include <atomic>
#include <thread>

struct Cells {
  int added;
  unsigned long long wide;
  unsigned bits;
  int most;
  float real;
  int lock_free_list;
};
static const int kRounds = 200, kBlocks = 8, kThreads = 64, kHost = 50000;

__global__ void update(Cells *c) {
  for (int i = 0; i < kRounds; ++i) {
    atomicAdd_system(&c->added, 1);
    atomicAdd_system(&c->wide, 1ull << 20);
    atomicXor_system(&c->bits, 1u << (i % 32));
    atomicMax_system(&c->most, i * 2);
    atomicAdd_system(&c->real, 1.0f);
    int old = c->lock_free_list, assumed;
    do {
      assumed = old;
      old = atomicCAS_system(&c->lock_free_list, assumed, assumed + 3);
    } while (old != assumed);
  }
}

void run(Cells *c) {
  *c = Cells{};
  update<<<kBlocks, kThreads>>>(c);
  CHECK_CUDA(cudaGetLastError());
  std::thread other([&] {
    for (int i = 0; i < kHost; ++i) {
      __sync_fetch_and_add(&c->added, 1);
      __sync_fetch_and_add(&c->wide, 1ull);
      int old = __atomic_load_n(&c->lock_free_list, __ATOMIC_RELAXED);
      while (!__atomic_compare_exchange_n(&c->lock_free_list, &old, old + 5, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
      }
    }
  });
  for (int i = 0; i < kHost; ++i) {
    __sync_fetch_and_add(&c->added, 1);
  }
  other.join();
  CHECK_CUDA(cudaDeviceSynchronize());
  const int device = kRounds * kBlocks * kThreads;
  CHECK_EQ(c->added, device + 2 * kHost);
  CHECK_EQ(c->wide, ((unsigned long long)device << 20) + kHost);
  CHECK_EQ(c->bits, 0u);
  CHECK_EQ(c->most, 2 * (kRounds - 1));
  CHECK_EQ(c->real, (float)device);
  CHECK_EQ(c->lock_free_list, 3 * device + 5 * kHost);
}

int main() {
  int together = 0;
  CHECK_CUDA(cudaDeviceGetAttribute(&together, cudaDevAttrHostNativeAtomicSupported, 0));
  if (check::is_own_driver()) {
    CHECK_EQ(together, 1);
  }
  if (together == 0) {
    return check_report();  // host and device then update one cell without seeing each other
  }
  Cells *managed, *pinned;
  CHECK_CUDA(cudaMallocManaged(&managed, sizeof(Cells)));
  run(managed);
  CHECK_CUDA(cudaMallocHost(&pinned, sizeof(Cells)));
  run(pinned);
  return check_report();
}
