// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// malloc, free, new and delete in kernels: alignment, limit, blocks that outlive their kernel, wrong frees.
// gpu: no (the heap's own bookkeeping takes another share of it there)
// RUN: %mcc %s -o %t && %run %t
// covers: C-5.3.7.4-01
#include "check.h"

constexpr int kThreads = 256;
__device__ int *blocks[kThreads];
__managed__ int wrong;
__managed__ int granted;

__global__ void make(int words) {
  int *p = static_cast<int *>(malloc(words * sizeof(int)));
  if (p == nullptr || reinterpret_cast<size_t>(p) % 16 != 0) {
    atomicAdd(&wrong, 1);
    return;
  }
  for (int i = 0; i < words; ++i) {
    p[i] = threadIdx.x * 1000 + i;
  }
  blocks[threadIdx.x] = p;
}

__global__ void use(int words) {
  const int *p = blocks[(threadIdx.x + 7) % kThreads];
  for (int i = 0; i < words; ++i) {
    if (p[i] != (threadIdx.x + 7) % kThreads * 1000 + i) {
      atomicAdd(&wrong, 1);
    }
  }
}

__global__ void drop() { free(blocks[threadIdx.x]); }

struct Shape {
  __device__ virtual ~Shape() { atomicAdd(&granted, -1); }
  __device__ virtual int corners() const { return 0; }
};
struct Square : Shape {
  int scale;
  __device__ explicit Square(int s) : scale(s) { atomicAdd(&granted, 1); }
  __device__ int corners() const override { return 4 * scale; }
};

__global__ void objects() {
  Shape *shape = new Square(threadIdx.x);
  if (shape->corners() != 4 * threadIdx.x) {
    atomicAdd(&wrong, 1);
  }
  delete shape;
  int *many = new int[10];
  many[9] = 1;
  delete[] many;
  free(nullptr);
}

__global__ void aligned() {
  for (size_t alignment = 16; alignment <= 4096; alignment *= 2) {
    void *p = __nv_aligned_device_malloc(100, alignment);
    if (p == nullptr || reinterpret_cast<size_t>(p) % alignment != 0) {
      atomicAdd(&wrong, 1);
    }
    free(p);
  }
}

__global__ void exhaust() {
  void *last = nullptr;
  for (;;) {
    void **p = static_cast<void **>(malloc(1 << 16));
    if (p == nullptr) {
      break;
    }
    *p = last;
    last = p;
    ++granted;
  }
  while (last != nullptr) {
    void *next = *static_cast<void **>(last);
    free(last);
    last = next;
  }
}

__global__ void free_twice() {
  void *p = malloc(8);
  free(p);
  free(p);
}

int main() {
  size_t limit = 0;
  CHECK_CUDA(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
  CHECK_EQ(limit, size_t{8 << 20});
  CHECK_CUDA(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
  make<<<1, kThreads>>>(50);
  use<<<1, kThreads>>>(50);
  drop<<<1, kThreads>>>();
  objects<<<4, kThreads>>>();
  aligned<<<1, 64>>>();
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(wrong, 0);
  CHECK_EQ(granted, 0);
  exhaust<<<1, 1>>>();
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(granted, 256);
  free_twice<<<1, 1>>>();
  CHECK_ERROR(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
  return check_report();
}
