// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cp.reduce.async.bulk of inline PTX between arrays of shared memory, with a barrier that counts the bytes.
// RUN: %mcc -arch=sm_90 -std=c++17 %s -o %t && %run %t
// gpu: no (an H200 ends with an illegal instruction where the grid has no clusters, nvcc's program too)
// covers: C-3.2.1-01
#include "check.h"

typedef unsigned int u32;
typedef unsigned long long u64;

__device__ u32 shared_address(const void *p) { return static_cast<u32>(__cvta_generic_to_shared(p)); }

__global__ void in_shared(u32 *out) {
  __shared__ u64 barrier;
  __shared__ __align__(16) u32 from[32], to[32];
  const u32 b = shared_address(&barrier), t = threadIdx.x;
  from[t] = t;
  to[t] = 1000 * t;
  if (t == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(b) : "memory");
    asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], 128;" ::"r"(b) : "memory");
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (t == 0) {
    asm volatile("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%0], [%1], 128, [%2];" ::"r"(
                     shared_address(to)),
                 "r"(shared_address(from)), "r"(b)
                 : "memory");
  }
  u32 done;
  do {
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(b) : "memory");
  } while (!done);
  out[t] = to[t];
}

int main() {
  u32 *out;
  CHECK_CUDA(cudaMallocManaged(&out, 128));
  in_shared<<<1, 32>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (u32 t = 0; t < 32; ++t) CHECK_EQ(out[t], 1001 * t);
  return check_report();
}
