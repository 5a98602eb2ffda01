// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics of libcu++: cuda::std::atomic, cuda::atomic and cuda::atomic_ref of every scope, in shared, global and managed memory; flags
// between lanes, warps and blocks; fences.
// REQUIRES: cccl
// RUN: %mcc -std=c++17 %s -o %t && %run %t
// covers: C-2.3.5-01 C-3.2.3-01 C-3.2.4.1-01 C-5.3.6-01 C-5.4.4.3-01
#include "check.h"

#include <cuda_runtime.h>

#include <cuda/atomic>
#include <cuda/std/array>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

struct Results {
  int block_sum;
  int device_sum;
  float real;
  double twice;
  unsigned bits;
  int most, least;
  int swapped;
  int handed_over;
  unsigned long long wide;
};

__global__ void sums(Results *r) {
  __shared__ cuda::atomic<int, cuda::thread_scope_block> counter;
  if (threadIdx.x == 0) {
    counter.store(0, cuda::memory_order_relaxed);
  }
  __syncthreads();
  counter.fetch_add(1, cuda::memory_order_relaxed);
  __syncthreads();
  if (threadIdx.x == 0) {
    cuda::atomic_ref<int, cuda::thread_scope_device>(r->block_sum).fetch_add(counter.load(cuda::memory_order_relaxed));
  }
  cuda::atomic_ref<int, cuda::thread_scope_device> device(r->device_sum);
  device.fetch_add(2, cuda::std::memory_order_acq_rel);
  ++device;
  device -= 1;
  cuda::atomic_ref<float, cuda::thread_scope_device>(r->real).fetch_add(0.5f, cuda::memory_order_relaxed);
  cuda::atomic_ref<double, cuda::thread_scope_system>(r->twice).fetch_sub(0.25);
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> bits(r->bits);
  bits.fetch_xor(1u << (threadIdx.x % 32));
  cuda::atomic_ref<int, cuda::thread_scope_device>(r->most).fetch_max(int(threadIdx.x * 3), cuda::memory_order_relaxed);
  cuda::atomic_ref<int, cuda::thread_scope_device>(r->least).fetch_min(-int(threadIdx.x), cuda::memory_order_relaxed);
  cuda::atomic_ref<unsigned long long, cuda::thread_scope_device>(r->wide).fetch_add(1ull << 32);
  cuda::std::atomic_ref<int> swapped(r->swapped);
  int old = swapped.load();
  while (!swapped.compare_exchange_weak(old, old + 5)) {
  }
}

// One lane sets a flag, another one of the same warp, of another warp or of another block waits for it.
template <cuda::thread_scope kScope> __global__ void hand_over(cuda::atomic<int, kScope> *flag, int *data, Results *r, int waiting) {
  int me = blockIdx.x * blockDim.x + threadIdx.x;
  if (me == 0) {
    *data = 42;
    flag->store(1, cuda::memory_order_release);
    flag->notify_all();
  } else if (me == waiting) {
    while (flag->load(cuda::memory_order_acquire) == 0) {
    }
    r->handed_over = *data;
  }
}
__global__ void fenced(volatile int *flag, volatile int *data, Results *r) {
  if (threadIdx.x == 0) {
    *data = 77;
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_block);
    *flag = 1;
  } else if (threadIdx.x == 40) {
    while (*flag == 0) {
    }
    cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
    r->handed_over = *data;
  }
}

__global__ void library(int *out) {
  cuda::std::array<int, 4> array{4, 3, 2, 1};
  auto [a, b] = cuda::std::make_tuple(array[0], array.back());
  out[0] = a * 10 + b;
  out[1] = cuda::std::numeric_limits<int>::max() - cuda::std::is_same_v<cuda::std::remove_const_t<const int>, int>;
  out[2] = cuda::std::exchange(a, 7) + a;
}

template <cuda::thread_scope kScope> void check_scope(Results *r, int blocks, int waiting) {
  cuda::atomic<int, kScope> *flag;
  int *data;
  CHECK_CUDA(cudaMallocManaged(&flag, sizeof *flag));
  CHECK_CUDA(cudaMallocManaged(&data, sizeof *data));
  new (flag) cuda::atomic<int, kScope>(0);
  *data = 0;
  r->handed_over = 0;
  hand_over<kScope><<<blocks, 64>>>(flag, data, r, waiting);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(r->handed_over, 42);
  CHECK_EQ(flag->load(), 1);
}

int main() {
  Results *r;
  CHECK_CUDA(cudaMallocManaged(&r, sizeof *r));
  *r = Results{};
  sums<<<20, 128>>>(r);
  CHECK_CUDA(cudaDeviceSynchronize());
  const int n = 20 * 128;
  CHECK_EQ(r->block_sum, n);
  CHECK_EQ(r->device_sum, 2 * n);
  CHECK_EQ(r->real, n / 2.0f);
  CHECK_EQ(r->twice, -n / 4.0);
  CHECK_EQ(r->bits, 0u);
  CHECK_EQ(r->most, 381);
  CHECK_EQ(r->least, -127);
  CHECK_EQ(r->swapped, 5 * n);
  CHECK_EQ(r->wide, (unsigned long long)n << 32);

  check_scope<cuda::thread_scope_block>(r, 1, 1);
  check_scope<cuda::thread_scope_block>(r, 1, 32);
  check_scope<cuda::thread_scope_device>(r, 2, 64);
  check_scope<cuda::thread_scope_system>(r, 2, 127);
  int *words;
  CHECK_CUDA(cudaMallocManaged(&words, 16));
  words[0] = words[1] = 0;
  fenced<<<1, 64>>>(words, words + 1, r);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(r->handed_over, 77);
  library<<<1, 1>>>(words);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(words[0], 41);
  CHECK_EQ(words[1], 0x7ffffffe);
  CHECK_EQ(words[2], 11);
  cuda::std::atomic<int> host(3);
  CHECK_EQ(host.fetch_add(4) + host.load(), 10);
  return check_report();
}
