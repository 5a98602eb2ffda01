// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Execution and memory spaces: functions for one or both sides, members, functors, lambdas; variables of each kind.
// RUN: %mcc -std=c++17 --extended-lambda %s -o %t && %run %t
// covers: C-2.1.8-01 C-2.1.9-01 C-2.1.9-02 C-5.3.8-01 C-5.4.1.1-01 C-5.4.1.2-01 B-3-01
#include "check.h"

__host__ __device__ int where() {
#ifdef __CUDA_ARCH__
  static_assert(__CUDA_ARCH__ >= 500, "the architecture's number times ten");
  return 1;
#else
  return 2;
#endif
}

__device__ int device_only(int x) { return x + 1; }

class Counter {
public:
  __host__ __device__ explicit Counter(int start) : value_(start) {}
  __host__ __device__ void add(int n) { value_ += n; }
  __device__ int device_value() const { return value_ * 10; }
  __host__ __device__ int value() const { return value_; }

private:
  int value_;
};

struct Square {
  __host__ __device__ int operator()(int x) const { return x * x; }
};

template <typename F> __global__ void apply(F f, int *out) { out[threadIdx.x] = f(threadIdx.x); }

__device__ int global_variable = 11;
__constant__ int constant_variable = 12;
__managed__ int managed_variable = 13;

__global__ void variables(int *out) {
  __shared__ int shared_variable;
  if (threadIdx.x == 0) {
    shared_variable = 14;
  }
  __syncthreads();
  int local = 15 + threadIdx.x;
  Counter counter(5);
  counter.add(2);
  auto twice = [](int x) { return 2 * x; };
  if (threadIdx.x == 31) {
    out[0] = global_variable;
    out[1] = constant_variable;
    out[2] = managed_variable;
    out[3] = shared_variable;
    out[4] = local;
    out[5] = where();
    out[6] = device_only(1);
    out[7] = counter.device_value();
    out[8] = twice(21);
    managed_variable += 1;
  }
}

int main() {
  int *out = nullptr;
  CHECK_CUDA(cudaMallocManaged(&out, 32 * sizeof(int)));
  variables<<<1, 32>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  const int expected[] = {11, 12, 13, 14, 46, 1, 2, 70, 42};
  for (int i = 0; i < 9; ++i) {
    CHECK_EQ(out[i], expected[i]);
  }
  CHECK_EQ(managed_variable, 14);
  CHECK_EQ(where(), 2);
  Counter counter(1);
  counter.add(1);
  CHECK_EQ(counter.value(), 2);

  apply<<<1, 32>>>(Square{}, out);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(out[31], 31 * 31);
  int captured = 1000;
  apply<<<1, 32>>>([=] __device__(int x) { return captured + x; }, out);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(out[7], 1007);
  CHECK_CUDA(cudaFree(out));
  return check_report();
}
