// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asynchronous copies and barriers in shared memory by inline PTX.
// RUN: %mcc %s -o %t && %run %t
// covers: C-3.2.1-01
#include "check.h"

#include <cuda_runtime.h>

#include <cstdint>

typedef uint32_t u32;
typedef uint64_t u64;

__device__ u32 shared_address(const void *p) { return (u32)__cvta_generic_to_shared(p); }

__global__ void copies(u32 *out, const u32 *in) {
  __shared__ __align__(16) u32 box[4 * 32 + 32 + 4];
  u32 t = threadIdx.x;
  asm volatile("cp.async.cg.shared.global [%0], [%1], %2;" ::"r"(shared_address(box + 4 * t)), "l"(in + 4 * t), "n"(16) : "memory");
  asm volatile("cp.async.ca.shared.global.L2::128B [%0], [%1], 4, %2;" ::"r"(shared_address(box + 128 + t)), "l"(in + t), "r"(t % 5) : "memory");
  asm volatile("cp.async.commit_group;\ncp.async.wait_group %0;" ::"n"(0) : "memory");
  __syncthreads();
  for (int i = 0; i < 5; ++i) out[t * 5 + i] = box[t * 5 + i];
}

// Threads arrive, some of them twice; whoever asks for the phase sees all that was written before.
__global__ void phases(u32 *out) {
  __shared__ u64 barrier;
  __shared__ u32 box[96];
  u32 b = shared_address(&barrier), t = threadIdx.x, wrong = 0;
  if (t == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(b), "r"(blockDim.x) : "memory");
  __syncthreads();
  for (u32 round = 0; round < 5; ++round) {
    box[t] = t + round;
    u64 state;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(b) : "memory");
    u32 done = 0;
    while (!done) {
      if (round % 2) {
        asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(b), "l"(state) : "memory");
      } else {
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(b), "r"(round & 1) : "memory");
      }
    }
    wrong += box[(t + 33) % blockDim.x] != (t + 33) % blockDim.x + round;
    __syncthreads();
  }
  out[t] = wrong;
}

// A bulk copy completes the bytes that the barrier expects.
__global__ void bulk(u32 *out, const u32 *in) {
  __shared__ u64 barrier;
  __shared__ __align__(16) u32 box[64];
  u32 b = shared_address(&barrier), t = threadIdx.x;
  if (t == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(b) : "memory");
    asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;" ::"r"(b), "r"(256) : "memory");
    u32 early;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" : "=r"(early) : "r"(b) : "memory");
    out[64] = early;
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared_address(box)), "l"(in), "r"(256), "r"(b) : "memory");
  }
  __syncthreads();
  u32 done;
  do {
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(b) : "memory");
  } while (!done);
  out[t] = box[t];
}

int main() {
  u32 *out, *in;
  cudaMallocManaged(&out, 1024);
  cudaMallocManaged(&in, 1024);
  for (u32 i = 0; i < 256; ++i) in[i] = 0x01020304 * (i + 1);
  copies<<<1, 32>>>(out, in);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (u32 i = 0; i < 160; ++i) {
    u32 present = (i - 128) % 5;
    CHECK_EQ(out[i], i < 128 ? in[i] : present == 4 ? in[i - 128] : in[i - 128] & ((1u << (8 * present)) - 1));
  }
  phases<<<1, 96>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (u32 i = 0; i < 96; ++i) CHECK_EQ(out[i], 0u);
  bulk<<<1, 64>>>(out, in);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(out[64], 0u);
  for (u32 i = 0; i < 64; ++i) CHECK_EQ(out[i], in[i]);
  return check_report();
}
