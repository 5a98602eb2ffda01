// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuda::barrier in shared and global memory: tokens, phases by parity, threads that leave, completion functions, transaction counts,
// barriers of the device between blocks, warps with roles of their own.
// report: spectral-compute/scale-validation#48
// REQUIRES: cccl
// RUN: %mcc -std=c++17 %s -o %t && %run %t
// RUN: env HELICON_ENGINE= HELICON_LOG=engine %t 2>&1 | %FileCheck %s
// CHECK-NOT: engine=thread
// CHECK: passed
// covers: C-3.2.4.2-01 C-4.10.1-01 C-4.10.3-01 C-4.10.4-01 C-4.10.5-01 C-4.10.6-01 C-4.10.7-01
#include <cooperative_groups.h>
#include <cuda_awbarrier_primitives.h>
#include <cuda/barrier>
#include <cuda/ptx>
#include <cuda/std/utility>

#include "check.h"

namespace ptx = cuda::ptx;
using BlockBarrier = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init

constexpr int kThreads = 96, kRounds = 5;

// Work between the arrival and the wait; each round's values come from other warps.
__global__ void by_token(int *out) {
  __shared__ BlockBarrier barrier;
  __shared__ int box[kThreads];
  int t = threadIdx.x;
  if (t == 0) init(&barrier, kThreads);
  __syncthreads();
  int sum = 0;
  for (int round = 0; round < kRounds; ++round) {
    box[t] = t + 1000 * round;
    BlockBarrier::arrival_token token = barrier.arrive();
    int other = (t + 37) % kThreads;
    barrier.wait(cuda::std::move(token));
    sum += box[other];
    barrier.arrive_and_wait();
  }
  out[t] = sum;
}

// The phase that a parity names: of a fresh barrier phase 0 is under way, the one before counts as complete.
__global__ void by_parity(int *out) {
  __shared__ uint64_t barrier;
  __shared__ BlockBarrier wrapped;
  __shared__ int box[kThreads];
  int t = threadIdx.x;
  if (t == 0) {
    ptx::mbarrier_init(&barrier, kThreads);
    init(&wrapped, 1);
    out[kThreads + 0] = __mbarrier_test_wait_parity(&barrier, 1);
    out[kThreads + 1] = __mbarrier_test_wait_parity(&barrier, 0);
    uint64_t *native = cuda::device::barrier_native_handle(wrapped);
    (void)wrapped.arrive();
    out[kThreads + 2] = ptx::mbarrier_test_wait_parity(native, 0);
    out[kThreads + 3] = ptx::mbarrier_test_wait_parity(native, 1);
  }
  __syncthreads();
  int sum = 0;
  for (int round = 0; round < kRounds; ++round) {
    box[t] = t * (round + 1);
    __syncwarp();
    uint64_t token = ptx::mbarrier_arrive(&barrier);
    if (round % 2 == 0) {
      while (!ptx::mbarrier_try_wait_parity(&barrier, round & 1)) {}
    } else {
      while (!ptx::mbarrier_try_wait(&barrier, token)) {}
    }
    sum += box[kThreads - 1 - t];
    __syncthreads();
  }
  out[t] = sum;
}

// Each round one warp leaves; the phases to come wait for the others alone.
__global__ void leaving(int *out) {
  __shared__ BlockBarrier barrier;
  __shared__ int passed;
  int t = threadIdx.x, warp = t / 32;
  if (t == 0) init(&barrier, kThreads), passed = 0;
  __syncthreads();
  for (int round = 0; round < 3; ++round) {
    if (warp == round) {
      barrier.arrive_and_drop();
      return;
    }
    barrier.arrive_and_wait();
    if (t == 95) out[round] = atomicAdd(&passed, 1);
  }
}

// The function runs once a phase, before anybody goes on.
template <typename Completion> __device__ void with_completion(Completion completion, int *box, int *out) {
  using Barrier = cuda::barrier<cuda::thread_scope_block, Completion>;
  __shared__ alignas(Barrier) unsigned char storage[sizeof(Barrier)];
  Barrier *barrier = reinterpret_cast<Barrier *>(storage);
  int t = threadIdx.x;
  if (t == 0) new (barrier) Barrier(kThreads, completion);
  __syncthreads();
  int sum = 0;
  for (int round = 0; round < kRounds; ++round) {
    atomicAdd(&box[0], t);
    barrier->arrive_and_wait();
    sum += box[1];
    barrier->arrive_and_wait();
  }
  out[t] = sum;
}
__global__ void completing(int *out) {
  __shared__ int box[3];
  if (threadIdx.x < 3) box[threadIdx.x] = 0;
  __syncthreads();
  int *places = box;
  with_completion([places] {
    places[1] = places[0];
    places[2] += 1;
  }, box, out);
  __syncthreads();
  if (threadIdx.x == 0) out[kThreads] = box[2];
}

// The phase ends when all have arrived and all announced bytes are there.
__global__ void transactions(const int *in, int *out) {
  __shared__ alignas(16) int box[64];
  __shared__ BlockBarrier barrier;
  __shared__ uint64_t raw;
  int t = threadIdx.x;
  if (t == 0) {
    init(&barrier, blockDim.x);
    ptx::mbarrier_init(&raw, 1);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  BlockBarrier::arrival_token token;
  if (t == 0) {
    cuda::device::memcpy_async_tx(box, in, cuda::aligned_size_t<16>(sizeof(int) * 32), barrier);
    token = cuda::device::barrier_arrive_tx(barrier, 1, sizeof(int) * 32);
  } else {
    token = barrier.arrive();
  }
  barrier.wait(cuda::std::move(token));
  out[t] = box[31 - t];
  __syncthreads();
  if (t == 0) {
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &raw, sizeof(int) * 32);
    out[32] = ptx::mbarrier_test_wait_parity(&raw, 0);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, box + 32, in + 32, sizeof(int) * 32, &raw);
    while (!ptx::mbarrier_try_wait_parity(&raw, 0)) {}
    cuda::device::barrier_expect_tx(barrier, sizeof(int) * 4);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, box, in + 60, sizeof(int) * 4, cuda::device::barrier_native_handle(barrier));
  }
  barrier.arrive_and_wait();
  out[33 + t] = box[t < 4 ? t : 32 + t];
}

// A barrier in global memory that all threads of all blocks wait for.
__global__ void across_blocks(cuda::barrier<cuda::thread_scope_device> *barrier, int *box, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  for (int round = 0; round < 3; ++round) {
    box[i] = i + round;
    barrier->arrive_and_wait();
    out[i] += box[(i + blockDim.x) % n];
    barrier->arrive_and_wait();
  }
}

// Warp 0 fills the buffers, the others empty them.
__global__ void specialised(const int *in, int *out, int n) {
  constexpr int kBuffers = 2, kEach = 32;
  __shared__ BlockBarrier ready[kBuffers], filled[kBuffers];
  __shared__ int buffer[kBuffers][kEach];
  auto block = cooperative_groups::this_thread_block();
  if (block.thread_rank() < kBuffers) {
    init(&ready[block.thread_rank()], block.size());
    init(&filled[block.thread_rank()], block.size());
  }
  block.sync();
  int lane = threadIdx.x % 32;
  if (block.thread_rank() < 32) {
    for (int i = 0; i < n; ++i) {
      ready[i % kBuffers].arrive_and_wait();
      buffer[i % kBuffers][lane] = in[i * kEach + lane];
      (void)filled[i % kBuffers].arrive();
    }
  } else {
    int sum = 0;
    (void)ready[0].arrive(), (void)ready[1].arrive();
    for (int i = 0; i < n; ++i) {
      filled[i % kBuffers].arrive_and_wait();
      sum += buffer[i % kBuffers][31 - lane] * (i + 1);
      (void)ready[i % kBuffers].arrive();
    }
    out[threadIdx.x - 32] = sum;
  }
}

int main() {
  int *in, *out;
  CHECK_CUDA(cudaMallocManaged(&in, 4096));
  CHECK_CUDA(cudaMallocManaged(&out, 4096));
  for (int i = 0; i < 1024; ++i) in[i] = 3 * i + 7;

  by_token<<<1, kThreads>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int t = 0; t < kThreads; ++t) CHECK_EQ(out[t], kRounds * ((t + 37) % kThreads) + 10000);

  by_parity<<<1, kThreads>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int t = 0; t < kThreads; ++t) CHECK_EQ(out[t], 15 * (kThreads - 1 - t));
  CHECK_EQ(out[kThreads + 0], 1);
  CHECK_EQ(out[kThreads + 1], 0);
  CHECK_EQ(out[kThreads + 2], 1);
  CHECK_EQ(out[kThreads + 3], 0);

  out[0] = out[1] = -1;
  leaving<<<1, kThreads>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(out[0], 0);
  CHECK_EQ(out[1], 1);

  completing<<<1, kThreads>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  const int each = kThreads * (kThreads - 1) / 2;
  for (int t = 0; t < kThreads; ++t) CHECK_EQ(out[t], each * 15);
  CHECK_EQ(out[kThreads], 2 * kRounds);

  transactions<<<1, 32>>>(in, out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int t = 0; t < 32; ++t) CHECK_EQ(out[t], in[31 - t]);
  CHECK_EQ(out[32], 0);
  for (int t = 0; t < 32; ++t) CHECK_EQ(out[33 + t], t < 4 ? in[60 + t] : in[32 + t]);

  cuda::barrier<cuda::thread_scope_device> *barrier;
  CHECK_CUDA(cudaMallocManaged(&barrier, sizeof *barrier));
  new (barrier) cuda::barrier<cuda::thread_scope_device>(4 * 64);
  for (int i = 0; i < 256; ++i) out[i] = 0;
  across_blocks<<<4, 64>>>(barrier, in + 512, out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 256; ++i) CHECK_EQ(out[i], 3 * ((i + 64) % 256) + 3);

  for (int i = 0; i < 1024; ++i) in[i] = i % 97;
  specialised<<<1, 64>>>(in, out, 7);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int lane = 0; lane < 32; ++lane) {
    int want = 0;
    for (int i = 0; i < 7; ++i) want += in[i * 32 + 31 - lane] * (i + 1);
    CHECK_EQ(out[lane], want);
  }
  return check_report();
}
