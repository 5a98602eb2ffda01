// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// thrust, as its package has it, on device vectors: against the algorithms of the host's standard library.
// REQUIRES: cccl
// RUN: %mcc %s -o %t && %run %t
#include "check.h"

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/unique.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

struct Square {
  __host__ __device__ int operator()(int x) const { return x * x + 1; }
};
struct IsOdd {
  __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};

template <typename T> static std::vector<T> host(const thrust::device_vector<T> &device, size_t count) {
  std::vector<T> copy(count);
  thrust::copy(device.begin(), device.begin() + count, copy.begin());
  return copy;
}

static std::vector<int> numbers(int n) {
  std::vector<int> values(n);
  unsigned seed = 1;
  for (int &value : values) {
    seed = seed * 1664525u + 1013904223u;
    value = (int)(seed >> 8) % 1000 - 300;
  }
  return values;
}

int main() {
  const int n = 20011;
  const std::vector<int> values = numbers(n);
  const thrust::device_vector<int> device(values.begin(), values.end());
  thrust::device_vector<int> out(n);

  thrust::transform(device.begin(), device.end(), out.begin(), Square());
  std::vector<int> want(n);
  std::transform(values.begin(), values.end(), want.begin(), Square());
  CHECK(host(out, n) == want);
  CHECK_EQ(thrust::reduce(device.begin(), device.end()), std::accumulate(values.begin(), values.end(), 0));
  CHECK_EQ(thrust::reduce(device.begin(), device.end(), -1000000, thrust::maximum<int>()), *std::max_element(values.begin(), values.end()));

  thrust::exclusive_scan(device.begin(), device.end(), out.begin(), 7);
  int sum = 7;
  for (int i = 0; i < n; ++i) {
    want[i] = sum;
    sum += values[i];
  }
  CHECK(host(out, n) == want);

  auto end = thrust::copy_if(device.begin(), device.end(), out.begin(), IsOdd());
  want.clear();
  std::copy_if(values.begin(), values.end(), std::back_inserter(want), IsOdd());
  CHECK_EQ(size_t(end - out.begin()), want.size());
  CHECK(host(out, want.size()) == want);

  thrust::device_vector<int> sorted = device;
  thrust::sort(sorted.begin(), sorted.end());
  want = values;
  std::sort(want.begin(), want.end());
  CHECK(host(sorted, n) == want);
  size_t unique = size_t(thrust::unique(sorted.begin(), sorted.end()) - sorted.begin());
  want.erase(std::unique(want.begin(), want.end()), want.end());
  CHECK_EQ(unique, want.size());
  CHECK(host(sorted, want.size()) == want);

  // Places sorted by value keep their order among equals; the sums by key follow.
  thrust::device_vector<int> keys = device, places(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(n));
  thrust::stable_sort_by_key(keys.begin(), keys.end(), places.begin());
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return values[a] < values[b]; });
  CHECK(host(places, n) == order);
  thrust::device_vector<int> sums(n);
  auto ends = thrust::reduce_by_key(keys.begin(), keys.end(), places.begin(), out.begin(), sums.begin());
  std::map<int, int> by_key;
  for (int i = 0; i < n; ++i) by_key[values[i]] += i;
  CHECK_EQ(size_t(ends.first - out.begin()), by_key.size());
  std::vector<int> got_keys = host(out, by_key.size()), got_sums = host(sums, by_key.size());
  size_t i = 0;
  for (const auto &[key, total] : by_key) {
    CHECK(got_keys[i] == key && got_sums[i] == total);
    ++i;
  }
  return check_report();
}
