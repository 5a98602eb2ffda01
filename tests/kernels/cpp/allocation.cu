// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device heap: malloc and free, new and delete of objects and arrays, placement, alignment, alloca; memory that outlives
// the kernel which took it.
// RUN: %mcc %s -o %t && %run %t
// RUN: %mcc -std=c++14 %s -o %t14 && %run %t14
// covers: C-5.3.7.4-01 C-5.3.7.5-01
#include <new>

#include "check.h"

__device__ int destroyed;

struct Base {
  int value;
  __device__ explicit Base(int v) : value(v) {}
  __device__ virtual int twice() const { return 2 * value; }
  __device__ virtual ~Base() { atomicAdd(&destroyed, 1); }
};
struct Derived : Base {
  __device__ explicit Derived(int v) : Base(v + 1) {}
  __device__ int twice() const override { return -2 * value; }
};
struct alignas(64) Wide {
  int v[16];
};
struct Counted {
  int n = 3;
  __device__ ~Counted() { atomicAdd(&destroyed, n); }
};

__global__ void objects(int *bad) {
  int i = threadIdx.x;
  Base *a = new Base(i), *b = new Derived(i);
  if (a->twice() != 2 * i || b->twice() != -2 * (i + 1)) atomicAdd(bad, 1);
  delete a;
  delete b;
  auto *many = new Counted[4];
  if (many[3].n != 3) atomicAdd(bad, 1);
  delete[] many;
  alignas(Derived) unsigned char room[sizeof(Derived)];
  auto *placed = new (room) Derived(i);
  if (placed->twice() != -2 * (i + 1)) atomicAdd(bad, 1);
  placed->~Derived();
  int *maybe = new (std::nothrow_t{}) int(i);
  if (maybe == nullptr || *maybe != i) atomicAdd(bad, 1);
  delete maybe;
#if __cplusplus >= 201703L
  auto *wide = new Wide;
  if (reinterpret_cast<size_t>(wide) % 64 != 0) atomicAdd(bad, 1);
  delete wide;
#endif
}

__global__ void take(int **slots) {
  int n = threadIdx.x + 1;
  auto *p = static_cast<int *>(malloc(n * sizeof(int)));
  if (p != nullptr) {
    memset(p, 0, n * sizeof(int));
    for (int k = 0; k < n; ++k) p[k] += k * n;
  }
  slots[threadIdx.x] = p;
}
__global__ void give_back(int **slots, int *bad) {
  int n = threadIdx.x + 1, *p = slots[threadIdx.x];
  if (p == nullptr || reinterpret_cast<size_t>(p) % 16 != 0) atomicAdd(bad, 1);
  for (int k = 0; p != nullptr && k < n; ++k)
    if (p[k] != k * n) atomicAdd(bad, 1);
  free(p);
  free(nullptr);
}

__device__ int sum_of_squares(int n) {
  auto *v = static_cast<int *>(alloca(n * sizeof(int)));
  int s = reinterpret_cast<size_t>(v) % 16 == 0 ? 0 : 1000000;
  for (int k = 0; k < n; ++k) v[k] = k * k;
  for (int k = 0; k < n; ++k) s += v[k];
  return s;
}
__global__ void stack(int *out) { out[threadIdx.x] = sum_of_squares(threadIdx.x + 1); }

__global__ void too_much(int *null) { *null = malloc(1ull << 40) == nullptr; }

int main() {
  int *bad, **slots;
  CHECK_CUDA(cudaMallocManaged(&bad, 64 * sizeof(int)));
  CHECK_CUDA(cudaMallocManaged(&slots, 64 * sizeof(int *)));
  *bad = 0;
  objects<<<1, 64>>>(bad);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*bad, 0);
  int count = 0;
  CHECK_CUDA(cudaMemcpyFromSymbol(&count, destroyed, sizeof(int)));
  CHECK_EQ(count, 64 * (1 + 1 + 4 * 3 + 1));

  take<<<1, 64>>>(slots);
  give_back<<<1, 64>>>(slots, bad);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*bad, 0);

  stack<<<1, 64>>>(bad);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 64; ++i) CHECK_EQ(bad[i], i * (i + 1) * (2 * i + 1) / 6);

  too_much<<<1, 1>>>(bad);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(bad[0], 1);
  return check_report();
}
