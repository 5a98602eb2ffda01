// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics of the system's scope and the host's atomics on the same cells at the same time, in managed, mapped and plain memory: no
// update is lost, exchanges hand each number on once.
// RUN: %mcc -std=c++20 %s -o %t && %run %t
// covers: C-5.7-02
#include "check.h"

#include <atomic>
#include <cstdlib>

constexpr int kThreads = 128, kBlocks = 4, kEach = 200, kOfHost = 20000;

struct Cells {
  int sum, started;
  unsigned bits;
  unsigned long long wide;
  float real;
  long long swapped, passed;
};

__global__ void add(Cells *cells) {
  atomicExch_system(&cells->started, 1);
  long long passed = 0;
  for (int i = 0; i < kEach; ++i) {
    atomicAdd_system(&cells->sum, 1);
    atomicXor_system(&cells->bits, 1u << threadIdx.x % 32);
    atomicAdd_system(&cells->wide, 1ull << 33);
    atomicAdd_system(&cells->real, 1.0f);
    unsigned long long mine = 1 + i + 1000 * (threadIdx.x + blockIdx.x * blockDim.x);
    passed += atomicExch_system(reinterpret_cast<unsigned long long *>(&cells->swapped), mine) - mine;
  }
  atomicAdd_system(reinterpret_cast<unsigned long long *>(&cells->passed), static_cast<unsigned long long>(passed));
}

// `cells` as the host and as the device names them.
void test(Cells *cells, Cells *of_device) {
  *cells = {};
  add<<<kBlocks, kThreads>>>(of_device);
  while (cudaStreamQuery(nullptr) == cudaErrorNotReady && !std::atomic_ref<int>(cells->started).load()) {
  }
  long long passed = 0;
  for (int i = 0; i < kOfHost; ++i) {
    std::atomic_ref<int>(cells->sum).fetch_add(1);
    std::atomic_ref<unsigned>(cells->bits).fetch_xor(1);
    std::atomic_ref<unsigned long long>(cells->wide).fetch_add(1);
    std::atomic_ref<float>(cells->real).fetch_add(1);
    long long mine = -1 - i;
    passed += std::atomic_ref<long long>(cells->swapped).exchange(mine) - mine;
  }
  CHECK_CUDA(cudaDeviceSynchronize());
  constexpr int of_device_all = kThreads * kBlocks * kEach;
  CHECK_EQ(cells->sum, of_device_all + kOfHost);
  CHECK_EQ(cells->bits, 0u);  // each bit was turned an even number of times
  CHECK_EQ(cells->wide, (1ull << 33) * of_device_all + kOfHost);
  CHECK_EQ(cells->real, float(of_device_all + kOfHost));
  // Each number that was put in came out once, but for the one that is left.
  CHECK_EQ(cells->passed + passed, -cells->swapped);
}

int main() {
  cudaDeviceProp properties;
  CHECK_CUDA(cudaGetDeviceProperties(&properties, 0));
  if (check::is_own_driver()) {
    CHECK_EQ(properties.hostNativeAtomicSupported, 1);
    CHECK_EQ(properties.pageableMemoryAccess, 1);
  }
  Cells *managed, *mapped, *of_device, *plain = new Cells;
  CHECK_CUDA(cudaMallocManaged(&managed, sizeof *managed));
  CHECK_CUDA(cudaHostAlloc(&mapped, sizeof *mapped, cudaHostAllocMapped));
  CHECK_CUDA(cudaHostGetDevicePointer(&of_device, mapped, 0));
  test(managed, managed);
  if (properties.hostNativeAtomicSupported) {
    test(mapped, of_device);
  }
  if (properties.pageableMemoryAccess) {
    test(plain, plain);
  }
  return check_report();
}
