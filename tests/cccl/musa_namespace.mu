// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MUSA code: libcu++ under the name musa, thrust and cub under their own. Of CUDA's macros the program sees none, and what it
// defines under their names is its own.
// REQUIRES: cccl
// RUN: %mcc -std=c++17 -Wall -Werror all-warnings %s -o %t && %run %t
// RUN: %mcc -std=c++17 -D__CUDACC__ -DSEES_CUDACC %s -o %t && %run %t
// covers: M-3.2.7-03
#include <musa/atomic>
#include <musa/barrier>
#include <musa/std/array>
#include <musa/std/type_traits>
#include <thrust/device_vector.h>
#include <thrust/sort.h>
#include <cub/block/block_reduce.cuh>

#include "check.h"

#if defined(__CUDACC_VER_MAJOR__) || defined(__CUDA_ARCH__) || defined(__CUDA__) || defined(__CUDACC__) != defined(SEES_CUDACC)
#error "macros of another language"
#endif
#ifndef __MUSACC__
#error "the compiler's own macros"
#endif
#define __CUDA_ARCH__ 42
#include <musa/std/limits>
#if __CUDA_ARCH__ != 42
#error "the program's definition"
#endif

constexpr int kThreads = 96;

static_assert(musa::std::is_same_v<musa::std::array<int, 2>::value_type, int>);
static_assert(musa::thread_scope_block == musa::thread_scope::thread_scope_block);
static_assert(musa::std::numeric_limits<short>::max() == 32767);

__global__ void kernel(musa::atomic<int, musa::thread_scope_device> *sum, unsigned long long *references, int *reduced) {
  __shared__ musa::barrier<musa::thread_scope_block> barrier;
  __shared__ int box[kThreads];
  using Reduce = cub::BlockReduce<int, kThreads>;
  __shared__ typename Reduce::TempStorage storage;
  int t = threadIdx.x;
  if (t == 0) init(&barrier, kThreads);
  __syncthreads();
  box[t] = t;
  barrier.arrive_and_wait();
  sum->fetch_add(box[kThreads - 1 - t], musa::std::memory_order_relaxed);
  musa::atomic_ref<unsigned long long, musa::thread_scope_system> reference(*references);
  reference.fetch_max(static_cast<unsigned long long>(t) << 40);
  int total = Reduce(storage).Sum(t);
  if (t == 0) *reduced = total;
}

int main() {
  musa::atomic<int, musa::thread_scope_device> *sum;
  unsigned long long *references;
  int *reduced;
  CHECK_MUSA(musaMallocManaged(&sum, sizeof *sum));
  CHECK_MUSA(musaMallocManaged(&references, sizeof *references));
  CHECK_MUSA(musaMallocManaged(&reduced, sizeof *reduced));
  new (sum) musa::atomic<int, musa::thread_scope_device>(5);
  *references = 3;
  kernel<<<2, kThreads>>>(sum, references, reduced);
  CHECK_MUSA(musaDeviceSynchronize());
  const int each = kThreads * (kThreads - 1) / 2;
  CHECK_EQ(sum->load(), 5 + 2 * each);
  CHECK_EQ(*references, static_cast<unsigned long long>(kThreads - 1) << 40);
  CHECK_EQ(*reduced, each);

  thrust::device_vector<int> values(1000);
  for (int i = 0; i < 1000; ++i) values[i] = (i * 7919) % 1000;
  thrust::sort(values.begin(), values.end());
  for (int i = 0; i < 1000; ++i) CHECK_EQ(int(values[i]), i);
  return check_report();
}
