// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cub's device algorithms, as the package has them; scan and select look back at blocks that still run.
// REQUIRES: cccl
// RUN: %mcc %s -o %t && %run %t
#include "check.h"

#include <cub/cub.cuh>

#include <algorithm>
#include <numeric>
#include <vector>

struct Less {
  __host__ __device__ bool operator()(int a, int b) const { return a < b; }
};
struct IsOdd {
  __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};

/// Asks for the size of the temporary storage, then runs.
template <typename F> static void run(F f) {
  void *storage = nullptr;
  size_t bytes = 0;
  CHECK_CUDA(f(storage, bytes));
  CHECK_CUDA(cudaMalloc(&storage, bytes));
  CHECK_CUDA(f(storage, bytes));
  CHECK_CUDA(cudaDeviceSynchronize());
  cudaFree(storage);
}

int main() {
  const int n = 30011;
  std::vector<int> values(n);
  unsigned seed = 7;
  for (int &value : values) {
    seed = seed * 1664525u + 1013904223u;
    value = (int)(seed >> 4) - 100000000;
  }
  int *in, *out, *few;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  cudaMallocManaged(&few, 64 * sizeof(int));
  std::copy(values.begin(), values.end(), in);

  run([&](void *t, size_t &bytes) { return cub::DeviceReduce::Max(t, bytes, in, few, n); });
  CHECK_EQ(*few, *std::max_element(values.begin(), values.end()));

  run([&](void *t, size_t &bytes) { return cub::DeviceScan::InclusiveSum(t, bytes, in, out, n); });
  unsigned sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += (unsigned)values[i];
    CHECK_EQ((unsigned)out[i], sum);
  }

  std::vector<int> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  run([&](void *t, size_t &bytes) { return cub::DeviceRadixSort::SortKeys(t, bytes, in, out, n); });
  CHECK(std::equal(sorted.begin(), sorted.end(), out));

  std::vector<int> odd;
  std::copy_if(values.begin(), values.end(), std::back_inserter(odd), IsOdd());
  run([&](void *t, size_t &bytes) { return cub::DeviceSelect::If(t, bytes, in, out, few, n, IsOdd()); });
  CHECK_EQ(*few, (int)odd.size());
  CHECK(std::equal(odd.begin(), odd.end(), out));

  run([&](void *t, size_t &bytes) { return cub::DeviceHistogram::HistogramEven(t, bytes, in, few, 17, -100000000, 60000000, n); });
  int bins[16] = {};
  for (int value : values) {
    if (value < 60000000) ++bins[(value + 100000000) / 10000000];
  }
  for (int i = 0; i < 16; ++i) CHECK_EQ(few[i], bins[i]);

  run([&](void *t, size_t &bytes) { return cub::DeviceMergeSort::SortKeys(t, bytes, in, n, Less()); });
  CHECK(std::equal(sorted.begin(), sorted.end(), in));
  return check_report();
}
