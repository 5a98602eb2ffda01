// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuda::pipeline of one thread and of a block, unified and with producers and consumers; copies that barriers, pipelines and groups
// wait for; bulk copies and their groups; the primitives of <cuda_pipeline.h> beside them.
// REQUIRES: cccl
// RUN: %mcc -std=c++17 %s -o %t && %run %t
// covers: C-3.2.2.3-01 C-3.2.4.3-01 C-3.2.5-01 C-4.11-01 C-4.11-02 C-4.11.4-01 C-4.11.6-01 C-4.12.1-01 C-4.12.1-02 C-4.12.2.1-01 C-4.12.2.1-02 C-4.12.2.1-03
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/ptx>

#include "check.h"

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
#pragma nv_diag_suppress static_var_with_dynamic_init

constexpr int kThreads = 96;

// Each thread copies for itself, `kStages` batches ahead, and reads only what it has copied.
template <int kStages> __global__ void of_a_thread(const int *in, int *out, int n) {
  __shared__ int box[kStages][kThreads];
  auto pipe = cuda::make_pipeline();
  int t = threadIdx.x, sum = 0, fetched = 0;
  for (int i = 0; i < n; ++i) {
    for (; fetched < n && fetched < i + kStages; ++fetched) {
      pipe.producer_acquire();
      cuda::memcpy_async(&box[fetched % kStages][t], &in[fetched * kThreads + t], sizeof(int), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += box[i % kStages][t] * (i + 1);
    pipe.consumer_release();
  }
  out[t] = sum;
}

// All threads are producers and consumers; each reads what others have copied.
template <int kStages> __global__ void of_a_block(const int *in, int *out, int n) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  __shared__ alignas(16) int box[kStages][kThreads];
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int t = threadIdx.x, sum = 0, fetched = 0;
  for (int i = 0; i < n; ++i) {
    for (; fetched < n && fetched < i + kStages; ++fetched) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, box[fetched % kStages], in + fetched * kThreads, cuda::aligned_size_t<16>(sizeof(int) * kThreads), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += box[i % kStages][kThreads - 1 - t] * (i + 1);
    pipe.consumer_release();
  }
  out[t] = sum;
}

// The first warp copies, the others read: by their roles, or by how many there are.
template <bool kByCount> __global__ void of_roles(const int *in, int *out, int n) {
  constexpr int kStages = 2;
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  __shared__ int box[kStages][32];
  auto block = cg::this_thread_block();
  bool produces = block.thread_rank() < 32;
  auto role = produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipe = [&] {
    if constexpr (kByCount) {
      return cuda::make_pipeline(block, &state, cuda::std::size_t(32));
    } else {
      return cuda::make_pipeline(block, &state, role);
    }
  }();
  int lane = threadIdx.x % 32, sum = 0;
  for (int i = 0; i < n; ++i) {
    if (produces) {
      pipe.producer_acquire();
      cuda::memcpy_async(&box[i % kStages][lane], &in[i * 32 + lane], sizeof(int), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      sum += box[i % kStages][31 - lane] * (i + 1);
      pipe.consumer_release();
    }
  }
  if (!produces) out[threadIdx.x - 32] = sum;
}

// Only some threads of a warp copy, in code of their own; whoever is among the last to leave hears of it.
__global__ void quitting(const int *in, int *out) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ int box[2][64];
  auto pipe = cuda::make_pipeline(cg::this_thread_block(), &state);
  int t = threadIdx.x;
  for (int round = 0; round < 3; ++round) {
    if (t % 3 == 0) {
      pipe.producer_acquire();
      cuda::memcpy_async(&box[round % 2][t], &in[round * 64 + t], sizeof(int), pipe);
      pipe.producer_commit();
    } else {
      pipe.producer_acquire();
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    if (t % 3 == 1) out[round * 64 + t] = box[round % 2][t - 1];
    pipe.consumer_release();
  }
  if (pipe.quit()) atomicAdd(&out[192], 1);
}

// Three batches; the first is read while two may be under way.
__global__ void waiting_for_the_prior(const int *in, int *out) {
  __shared__ int box[3][kThreads], primitive[2][kThreads];
  auto pipe = cuda::make_pipeline();
  int t = threadIdx.x;
  for (int i = 0; i < 3; ++i) {
    pipe.producer_acquire();
    cuda::memcpy_async(&box[i][t], &in[i * kThreads + t], sizeof(int), pipe);
    pipe.producer_commit();
  }
  cuda::pipeline_consumer_wait_prior<2>(pipe);
  int sum = box[0][t];
  cuda::pipeline_consumer_wait_prior<0>(pipe);
  sum += 10 * box[1][t] + 100 * box[2][t];
  for (int i = 0; i < 2; ++i) {
    __pipeline_memcpy_async(&primitive[i][t], &in[i * kThreads + t], sizeof(int));
    __pipeline_commit();
  }
  __pipeline_wait_prior(1);
  sum += 1000 * primitive[0][t];
  __pipeline_wait_prior(0);
  out[t] = sum + 10000 * primitive[1][t];
}

// Copies that a barrier waits for: a thread's own, a group's, of any size and of a promised one.
__global__ void with_barriers(const char *in, char *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ __mbarrier_t primitive;
  __shared__ alignas(16) char box[1024];
  auto block = cg::this_thread_block();
  int t = threadIdx.x;
  if (t == 0) {
    init(&barrier, block.size());
    __mbarrier_init(&primitive, block.size());
  }
  block.sync();
  cuda::memcpy_async(&box[4 * t], &in[4 * t], 4, barrier);
  cuda::memcpy_async(block, box + 128, in + 128, 101, barrier);
  cuda::memcpy_async(block, box + 256, in + 256, cuda::aligned_size_t<16>(256), barrier);
  cuda::memcpy_async(cg::this_thread(), &box[512 + 8 * t], &in[512 + 8 * t], cuda::aligned_size_t<8>(8), barrier);
  barrier.arrive_and_wait();
  __pipeline_memcpy_async(&box[768 + 8 * t], &in[768 + 8 * t], 8);
  __pipeline_arrive_on(&primitive);
  __mbarrier_token_t token = __mbarrier_arrive(&primitive);
  while (!__mbarrier_try_wait(&primitive, token, 1000)) {}
  for (int i = 0; i < 32; ++i) out[32 * t + i] = box[(32 * t + i) ^ 511];
}

// ptx::elect_sync(~0u), which not every version of the package has
__device__ bool is_elected() {
  unsigned is_elected;
  asm volatile("{ .reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0, 1, 0, p; }" : "=r"(is_elected));
  return is_elected != 0;
}

// One elected thread of a warp moves a block of memory to shared memory and, changed, to another place.
__global__ void in_bulk(const int *in, int *out) {
  __shared__ alignas(128) int box[256];
  __shared__ uint64_t barrier;
  int t = threadIdx.x;
  bool is_first_warp = t / 32 == 0;
  if (is_first_warp && is_elected()) {
    ptx::mbarrier_init(&barrier, 1);
    ptx::fence_proxy_async(ptx::space_shared);
    ptx::mbarrier_expect_tx(ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared, &barrier, sizeof box);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, box, in, sizeof box, &barrier);
    ptx::mbarrier_arrive(&barrier);
  }
  __syncthreads();
  while (!ptx::mbarrier_try_wait_parity(&barrier, 0)) {}
  for (int i = t; i < 256; i += blockDim.x) box[i] = box[i] * 2 + 1;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (is_first_warp && is_elected()) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, box, sizeof(int) * 128);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + 128, box + 128, sizeof(int) * 128);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<1>());
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
    out[256] = out[0] + out[255];
  }
}

// Copies of a group, in batches.
__global__ void of_groups(const int *in, int *out) {
  __shared__ alignas(16) int box[3][kThreads];
  auto block = cg::this_thread_block();
  int t = threadIdx.x;
  for (int i = 0; i < 3; ++i) cg::memcpy_async(block, box[i], in + i * kThreads, sizeof(int) * kThreads);
  cg::wait_prior<2>(block);
  int sum = box[0][kThreads - 1 - t];
  cg::wait(block);
  out[t] = sum + 10 * box[1][kThreads - 1 - t] + 100 * box[2][kThreads - 1 - t];
}

void check_stages(const int *in, const int *out, int n, int width, bool is_reversed) {
  for (int t = 0; t < width; ++t) {
    int want = 0;
    for (int i = 0; i < n; ++i) want += in[i * width + (is_reversed ? width - 1 - t : t)] * (i + 1);
    CHECK_EQ(out[t], want);
  }
}

int main() {
  int *in, *out;
  CHECK_CUDA(cudaMallocManaged(&in, 16384));
  CHECK_CUDA(cudaMallocManaged(&out, 16384));
  for (int i = 0; i < 4096; ++i) in[i] = i * 37 % 1009;
  auto run = [&](auto launch) {
    for (int i = 0; i < 4096; ++i) out[i] = -1;
    launch();
    CHECK_CUDA(cudaDeviceSynchronize());
  };

  run([&] { of_a_thread<1><<<1, kThreads>>>(in, out, 9); });
  check_stages(in, out, 9, kThreads, false);
  run([&] { of_a_thread<4><<<1, kThreads>>>(in, out, 9); });
  check_stages(in, out, 9, kThreads, false);
  run([&] { of_a_block<1><<<1, kThreads>>>(in, out, 9); });
  check_stages(in, out, 9, kThreads, true);
  run([&] { of_a_block<3><<<1, kThreads>>>(in, out, 9); });
  check_stages(in, out, 9, kThreads, true);
  run([&] { of_roles<false><<<1, 64>>>(in, out, 7); });
  check_stages(in, out, 7, 32, true);
  run([&] { of_roles<true><<<1, 64>>>(in, out, 7); });
  check_stages(in, out, 7, 32, true);

  run([&] { quitting<<<1, 64>>>(in, out); });
  for (int i = 0; i < 192; ++i) CHECK_EQ(out[i], i % 64 % 3 == 1 ? in[i - 1] : -1);
  CHECK(out[192] >= 0 && out[192] < 32);  // counted from -1

  run([&] { waiting_for_the_prior<<<1, kThreads>>>(in, out); });
  for (int t = 0; t < kThreads; ++t) {
    CHECK_EQ(out[t], in[t] * 1001 + in[kThreads + t] * 10010 + in[2 * kThreads + t] * 100);
  }

  const char *bytes = reinterpret_cast<const char *>(in), *copied = reinterpret_cast<const char *>(out);
  run([&] { with_barriers<<<1, 32>>>(bytes, reinterpret_cast<char *>(out)); });
  for (int i = 0; i < 1024; ++i) {
    int at = i ^ 511;
    if (at < 128 + 101 || at >= 256) CHECK_EQ(copied[i], bytes[at]);
  }

  run([&] { in_bulk<<<1, 64>>>(in, out); });
  for (int i = 0; i < 256; ++i) CHECK_EQ(out[i], in[i] * 2 + 1);
  CHECK_EQ(out[256], out[0] + out[255]);

  run([&] { of_groups<<<1, kThreads>>>(in, out); });
  for (int t = 0; t < kThreads; ++t) {
    int at = kThreads - 1 - t;
    CHECK_EQ(out[t], in[at] + 10 * in[kThreads + at] + 100 * in[2 * kThreads + at]);
  }
  return check_report();
}
