// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// atomicCAS in all widths as the base of other operations: a product, a lock, a 16-bit counter, 16-byte values.
// RUN: %mcc -arch=sm_90 %s -o %t && %run %t
// covers: C-5.4.5.1-01 C-5.4.5.1-02 C-5.4.8.5-01
#include "check.h"

constexpr int kBlocks = 4, kThreads = 64, kAll = kBlocks * kThreads;

struct alignas(16) Pair {
  unsigned long long a, b;
};

__device__ double atomic_multiply(double *address, double factor) {
  auto *bits = reinterpret_cast<unsigned long long *>(address);
  unsigned long long old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __double_as_longlong(factor * __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}

__global__ void products(double *product, int *icell, unsigned *ucell, unsigned short *scell) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomic_multiply(product, i % 2 ? 2.0 : 0.5);
  for (int old = *icell, seen;; old = seen) {
    seen = atomicCAS(icell, old, old + 3);
    if (seen == old) break;
  }
  for (unsigned old = *ucell, seen;; old = seen) {
    seen = atomicCAS_system(ucell, old, old ^ (1u << i % 32));
    if (seen == old) break;
  }
  for (unsigned short old = *scell, seen;; old = seen) {
    seen = atomicCAS(scell, old, static_cast<unsigned short>(old + 257));
    if (seen == old) break;
  }
}

// A lock that the lanes of a warp contend for, each in turn, with back-off.
__global__ void locked(int *lock, volatile int *counter) {
  for (bool done = false; !done;) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      *counter = *counter + 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    } else {
      __nanosleep(100);
    }
  }
}

__global__ void wide(Pair *cell, Pair *last) {
  Pair old = *cell;
  for (;;) {
    Pair seen = atomicCAS(cell, old, Pair{old.a + 1, old.b + 2});
    if (seen.a == old.a && seen.b == old.b) break;
    old = seen;
  }
  Pair before = atomicExch(last, Pair{threadIdx.x + 1ull, threadIdx.x + 1ull});
  if (before.a != before.b) atomicAdd(&cell->a, 1000000ull);  // never torn
}

int main() {
  double *product;
  int *cells;
  Pair *pairs;
  CHECK_CUDA(cudaMallocManaged(&product, sizeof(double)));
  CHECK_CUDA(cudaMallocManaged(&cells, 8 * sizeof(int)));
  CHECK_CUDA(cudaMallocManaged(&pairs, 2 * sizeof(Pair)));
  *product = 1;
  for (int i = 0; i < 8; ++i) cells[i] = 0;
  pairs[0] = pairs[1] = Pair{0, 0};

  products<<<kBlocks, kThreads>>>(product, cells, reinterpret_cast<unsigned *>(cells + 1),
                                  reinterpret_cast<unsigned short *>(cells + 2) + 1);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*product, 1.0);
  CHECK_EQ(cells[0], 3 * kAll);
  CHECK_EQ(cells[1], 0);                             // every bit was turned an even number of times
  CHECK_EQ(cells[2], (257 * kAll % 65536) << 16);    // the neighbour stayed as it was

  locked<<<kBlocks, kThreads>>>(cells + 4, cells + 5);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(cells[4], 0);
  CHECK_EQ(cells[5], kAll);

  wide<<<kBlocks, kThreads>>>(&pairs[0], &pairs[1]);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(pairs[0].a, static_cast<unsigned long long>(kAll));
  CHECK_EQ(pairs[0].b, 2ull * kAll);
  CHECK_EQ(pairs[1].a, pairs[1].b);
  return check_report();
}
