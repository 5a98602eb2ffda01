// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What people reported of warp functions in other implementations.
// RUN: %mcc -O3 %s -o %t && %run %t
// covers: C-5.4.6.1-01 C-5.4.6.2-01
#include "check.h"

#include <cuda_runtime.h>

// report: ROCm/HIP-CPU#29: lanes 16-31 keep their value, in each warp for itself
__global__ void down_by_16(int *out) {
  int i = threadIdx.x;
  out[i] = __shfl_down_sync(0xffffffffu, 1000 + i, 16);
}

// report: CHIP-SPV/chipStar#1354: segments
__global__ void segments(int width, int *up, int *down, int *exchanged, int *indexed) {
  int i = threadIdx.x;
  up[i] = __shfl_up_sync(~0u, i, 1, width);
  down[i] = __shfl_down_sync(~0u, i, 3, width);
  exchanged[i] = __shfl_xor_sync(~0u, i, 5, width);
  indexed[i] = __shfl_sync(~0u, i, 6, width);
}

// report: gpgpu-sim/gpgpu-sim_distribution#230: only lane 0 ever gives `value` a value
__global__ void broadcast(int arg, int *failed) {
  int lane = threadIdx.x & 31, value;
  if (lane == 0) {
    value = arg;
  }
  value = __shfl_sync(0xffffffffu, value, 0);
  if (value != arg) {
    atomicAdd(failed, 1);
  }
}

// report: ComputationalRadiationPhysics/picongpu#2514: aggregation over the lanes that are here
__global__ void aggregated(int n, int *counter, int *slots) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 3 == 1 && i < n) {
    unsigned here = __activemask(), lane = threadIdx.x & 31;
    int leader = __ffs(here) - 1, base = 0;
    if ((int)lane == leader) {
      base = atomicAdd(counter, __popc(here));
    }
    base = __shfl_sync(here, base, leader);
    slots[base + __popc(here & ((1u << lane) - 1))] = i;
  }
}

// report: NVIDIA/cccl#854: logical warps of 8 lanes, each with its own mask
__global__ void logical_warps(const int *in, int *sums) {
  unsigned lane = threadIdx.x & 31, group = lane / 8, mask = 0xffu << (8 * group);
  int v = in[threadIdx.x];
  for (int d = 1; d < 8; d *= 2) {
    int other = __shfl_up_sync(mask, v, d, 8);
    if (lane % 8 >= (unsigned)d) {
      v += other;
    }
  }
  sums[threadIdx.x] = v;
}

// report: ComputationalRadiationPhysics/picongpu#2514: a vote of all lanes where some of them never come: those that have
// left the kernel are not waited for
__global__ void vote_in_a_branch(unsigned *votes) {
  if (threadIdx.x % 32 < 12) {
    votes[threadIdx.x] = __ballot_sync(~0u, 1);
  }
}

// report: NVIDIA/cutlass#1094: lanes that do not name themselves get that value or their own, the others what they asked for
__global__ void wrong_mask(int *out) { out[threadIdx.x] = __shfl_sync(0x1fu, 100 + threadIdx.x, 3); }

// report: AdaptiveCpp/AdaptiveCpp#2167
__global__ void size(int *out) { *out = warpSize; }

int main() {
  int *m;
  CHECK_CUDA(cudaMallocManaged(&m, 8192 * sizeof(int)));
  auto sync = [] { CHECK_CUDA(cudaDeviceSynchronize()); };

  down_by_16<<<1, 256>>>(m), sync();
  for (int i = 0; i < 256; ++i) CHECK_EQ(m[i], 1000 + (i % 32 < 16 ? i + 16 : i));

  for (int width = 2; width <= 32; width *= 2) {
    segments<<<1, 64>>>(width, m, m + 64, m + 128, m + 192), sync();
    for (int i = 0; i < 64; ++i) {
      int first = i / width * width, in = i % width;
      CHECK_EQ(m[i], in >= 1 ? i - 1 : i);
      CHECK_EQ(m[64 + i], in + 3 < width ? i + 3 : i);
      // An exchange reaches into the segments before, not into those behind.
      int partner = i ^ 5;
      CHECK_EQ(m[128 + i], partner < first + width ? partner : i);
      CHECK_EQ(m[192 + i], first + 6 % width);
    }
  }

  m[0] = 0;
  broadcast<<<4, 128>>>(1234, m), sync();
  CHECK_EQ(m[0], 0);

  m[0] = 0;
  for (int i = 1; i < 2000; ++i) m[i] = 0;
  aggregated<<<5, 200>>>(900, m, m + 1), sync();
  CHECK_EQ(m[0], 300);
  int seen[1000] = {};
  for (int k = 1; k <= 300; ++k) seen[m[k]] += 1;
  for (int i = 0; i < 1000; ++i) CHECK_EQ(seen[i], i < 900 && i % 3 == 1);

  for (int i = 0; i < 64; ++i) m[i] = i * i % 17;
  logical_warps<<<1, 64>>>(m, m + 64), sync();
  for (int i = 0, sum = 0; i < 64; ++i) {
    sum = i % 8 == 0 ? m[i] : sum + m[i];
    CHECK_EQ(m[64 + i], sum);
  }

  for (int i = 0; i < 64; ++i) m[i] = 0;
  vote_in_a_branch<<<1, 64>>>(reinterpret_cast<unsigned *>(m)), sync();
  for (int i = 0; i < 64; ++i) CHECK_EQ(m[i], i % 32 < 12 ? 0xfff : 0);

  wrong_mask<<<1, 32>>>(m), sync();
  for (int i = 0; i < 32; ++i) CHECK(m[i] == 103 || (i >= 5 && m[i] == 100 + i));

  size<<<1, 1>>>(m), sync();
  cudaDeviceProp prop;
  CHECK_CUDA(cudaGetDeviceProperties(&prop, 0));
  CHECK_EQ(m[0], prop.warpSize);
  CHECK_EQ(m[0], 32);
  return check_report();
}
