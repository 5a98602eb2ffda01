// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUB's device-wide algorithms, from the one CCCL that both compilers are given.
#include "timing.h"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>

int main() {
  Memory m;
  std::vector<float> values(kN);
  unsigned state = 1;
  for (float &v : values) {
    state = state * 1664525u + 1013904223u;
    v = 0.5f + (state >> 8) * (1.0f / (1 << 24));
  }
  for (float **p : {&m.a, &m.b, &m.c}) {
    CHECK(cudaMalloc(p, kN * sizeof(float)));
    CHECK(cudaMemcpy(*p, values.data(), kN * sizeof(float), cudaMemcpyHostToDevice));
  }
  auto *keys = reinterpret_cast<const unsigned *>(m.a);
  auto *sorted = reinterpret_cast<unsigned *>(m.c);
  size_t bytes = 0, most = 0;
  void *scratch = nullptr;
  CHECK(cub::DeviceRadixSort::SortKeys(nullptr, most, keys, sorted, kN));
  CHECK(cub::DeviceScan::ExclusiveSum(nullptr, bytes, m.a, m.c, kN));
  most = bytes > most ? bytes : most;
  CHECK(cub::DeviceReduce::Sum(nullptr, bytes, m.a, m.c, kN));
  most = bytes > most ? bytes : most;
  CHECK(cudaMalloc(&scratch, most));
  int failed = 0;
  failed += time_kernel("cub_radix_sort", m, kN, [&] { cub::DeviceRadixSort::SortKeys(scratch, most, keys, sorted, kN); });
  failed += time_kernel("cub_scan", m, kN, [&] { cub::DeviceScan::ExclusiveSum(scratch, most, m.a, m.c, kN); });
  failed += time_kernel("cub_reduce", m, 1, [&] { cub::DeviceReduce::Sum(scratch, most, m.a, m.c, kN); });
  return failed;
}
