// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The four shuffles in every type and width, against the documented lane arithmetic; also with a distance or a lane of
// its own for each thread, inside a guard that some warps do not pass.
// RUN: %mcc %s -o %t && %run %t
// covers: C-5.4.6.5-01
#include "check.h"

enum Kind { kIdx, kUp, kDown, kXor };

template <typename T> __host__ __device__ T value_of(int lane) { return static_cast<T>(lane * 1000003ll + 7); }
template <> __host__ __device__ float value_of(int lane) { return lane * 1.25f + 0.5f; }
template <> __host__ __device__ double value_of(int lane) { return lane * 1e-9 + lane; }

template <typename T> __device__ T shuffle(int kind, T v, int x, int width) {
  switch (kind) {
    case kIdx: return __shfl_sync(0xffffffff, v, x, width);
    case kUp: return __shfl_up_sync(0xffffffff, v, x, width);
    case kDown: return __shfl_down_sync(0xffffffff, v, x, width);
    default: return __shfl_xor_sync(0xffffffff, v, x, width);
  }
}

template <typename T> __global__ void run(int kind, int x, int width, T *out) {
  out[threadIdx.x] = shuffle(kind, value_of<T>(threadIdx.x % 32), x, width);
}

template <typename T> __global__ void run_varying(int kind, const int *x, int width, int turns, T *out) {
  T v = value_of<T>(threadIdx.x % 32);
  if (threadIdx.x >= 32) {
    for (int turn = 0; turn < turns; turn++) {  // the value goes round by what each thread says
      v = shuffle(kind, v, x[(threadIdx.x + turn) % 32], width);
    }
  }
  out[threadIdx.x] = v;
}

/// The lane whose value the shuffle gives.
int source(int kind, int lane, int x, int width) {
  int first = lane / width * width, at = lane % width;
  switch (kind) {
    case kIdx: return first + ((x % width) + width) % width;
    case kUp: return at >= x ? lane - x : lane;
    case kDown: return at + x < width ? lane + x : lane;
    default: return (lane ^ x) < first + width ? lane ^ x : lane;
  }
}

template <typename T> void test() {
  T *out;
  CHECK_CUDA(cudaMallocManaged(&out, 64 * sizeof(T)));
  for (int kind = kIdx; kind <= kXor; ++kind) {
    for (int width = 1; width <= 32; width *= 2) {
      for (int x : {0, 1, 2, 3, 7, 16, 31}) {
        run<<<1, 64>>>(kind, x, width, out);
        CHECK_CUDA(cudaDeviceSynchronize());
        for (int i = 0; i < 64; ++i) {
          CHECK_EQ(out[i], value_of<T>(source(kind, i % 32, x, width)));
        }
      }
    }
  }
  int *x;
  CHECK_CUDA(cudaMallocManaged(&x, 32 * sizeof(int)));
  for (int i = 0; i < 32; ++i) {
    x[i] = (i * 11 + 5) % 32;
  }
  for (int kind = kIdx; kind <= kXor; ++kind) {
    for (int width = 1; width <= 32; width *= 2) {
      for (int turns : {1, 3}) {
        run_varying<<<1, 64>>>(kind, x, width, turns, out);
        CHECK_CUDA(cudaDeviceSynchronize());
        for (int i = 0; i < 64; ++i) {
          int lane = i % 32;
          for (int turn = turns; i >= 32 && turn-- > 0;) {
            lane = source(kind, lane, x[(lane + turn) % 32], width);
          }
          CHECK_EQ(out[i], value_of<T>(lane));
        }
      }
    }
  }
  CHECK_CUDA(cudaFree(x));
  CHECK_CUDA(cudaFree(out));
}

__global__ void default_width(int *out) {
  int lane = threadIdx.x;
  out[lane] = __shfl_sync(0xffffffff, lane * 3, 40);  // 40 mod 32 = lane 8
}

int main() {
  test<int>();
  test<unsigned int>();
  test<long>();
  test<unsigned long>();
  test<long long>();
  test<unsigned long long>();
  test<float>();
  test<double>();
  int *out;
  CHECK_CUDA(cudaMallocManaged(&out, 32 * sizeof(int)));
  default_width<<<1, 32>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(out[0], 24);
  CHECK_EQ(out[31], 24);
  return check_report();
}
