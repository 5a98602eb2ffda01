// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvstd::function on both sides: function pointers, lambdas small and large, copies, moves, exchanges, empty ones.
// RUN: %mcc -std=c++17 %s -o %t && %run %t
// covers: C-5.3.9-01
#include "check.h"

#include <cuda_runtime.h>
#include <nvfunctional>

struct Counted {
  int *alive;
  int factor;
  __host__ __device__ Counted(int *a, int f) : alive(a), factor(f) { ++*alive; }
  __host__ __device__ Counted(const Counted &other) : alive(other.alive), factor(other.factor) { ++*alive; }
  __host__ __device__ ~Counted() { --*alive; }
  __host__ __device__ int operator()(int x) const { return x * factor; }
};
__host__ __device__ int doubled(int x) { return 2 * x; }
__host__ __device__ int apply(const nvstd::function<int(int)> &f, int x) { return f(x); }

__host__ __device__ void exercise(int *out, int me) {
  int alive = 0;
  {
    nvstd::function<int(int)> empty, also_empty(nullptr), pointer(doubled);
    out[0] = (empty == nullptr) + 2 * (nullptr == also_empty) + 4 * (pointer != nullptr) + 8 * bool(pointer);
    out[1] = apply(pointer, 21);
    int big[16];
    for (int i = 0; i < 16; ++i) big[i] = i + me;
    auto large = [=](int i) { return big[i]; };
    nvstd::function<int(int)> of_large(large), copy(of_large);
    out[2] = copy(3) + of_large(15);
    nvstd::function<int(int)> counted(Counted(&alive, 5));
    nvstd::function<int(int)> second = counted;
    out[3] = alive;
    counted = nullptr;
    out[4] = alive * 100 + second(7);
    nvstd::function<int(int)> moved(std::move(second));
    out[5] = moved(8) + alive * 1000 + bool(second);
    swap(moved, copy);
    out[6] = moved(0) + copy(1) * 100;
    empty = [me](int x) { return x - me; };
    out[7] = empty(50);
    int calls = 0;
    nvstd::function<void(int &)> by_reference = [](int &x) { x += 3; };
    by_reference(calls);
    by_reference(calls);
    out[8] = calls;
    nvstd::function<int(int)> null_pointer(static_cast<int (*)(int)>(nullptr));
    out[9] = !null_pointer;
  }
  out[10] = alive;
}
static const int kCount = 11;
__global__ void kernel(int *out) { exercise(out + kCount * threadIdx.x, threadIdx.x); }

int main() {
  int *out, host[kCount];
  CHECK_CUDA(cudaMallocManaged(&out, 64 * kCount * sizeof(int)));
  kernel<<<1, 64>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int t = 0; t < 64; ++t) {
    exercise(host, t);
    const int expected[kCount] = {15, 42, 18 + 2 * t, 2, 135, 1040, t + 500, 50 - t, 6, 1, 0};
    for (int i = 0; i < kCount; ++i) {
      CHECK_EQ(host[i], expected[i]);
      CHECK_EQ(out[t * kCount + i], expected[i]);
    }
  }
  return check_report();
}
