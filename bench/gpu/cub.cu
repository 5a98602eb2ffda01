// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUB's device-wide algorithms, from the one CCCL that both compilers are given.
#include "timing.h"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>

int main() {
  Memory m;
  unsigned state = 1;
  if (allocate(m, state) != 0) {
    return 1;
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
