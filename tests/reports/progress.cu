// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What people reported of waiting kernels: locks within a warp, locks of blocks, home-made and cooperative grid barriers,
// a host that works beside a kernel.
// RUN: %mcc -O3 %s -o %t && %run %t
#include "check.h"

#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

// forums.developer.nvidia.com/t/atomic-operations-in-cuda/9202: all lanes of a warp take one lock
__global__ void lock_of_lanes(int *lock, volatile int *count) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  *count += 1;
  __threadfence();
  atomicExch(lock, 0);
}

__global__ void lock_with_flag(int *lock, volatile int *count) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      *count += 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

// forums.developer.nvidia.com/t/…/267535: one thread takes the lock for its block
__global__ void lock_of_blocks(int *lock, volatile int *data) {
  __syncthreads();
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
  }
  __syncthreads();
  __threadfence();
  data[threadIdx.x] += blockIdx.x + 1;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicExch(lock, 0);
  }
}

// github.com/flagos-ai/FlagTree/issues/1030, github.com/NVIDIA/cuml/issues/458: a barrier of blocks that are all there
__global__ void home_made_barrier(volatile unsigned *arrived, int *rounds, int n) {
  for (int round = 1; round <= n; ++round) {
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(const_cast<unsigned *>(arrived), 1u);
      while (*arrived < round * gridDim.x) {
      }
    }
    __syncthreads();
    if (threadIdx.x == 0 && *arrived < round * gridDim.x) {
      atomicAdd(rounds, 1000000);
    }
  }
  if (threadIdx.x == 0) {
    atomicAdd(rounds, 1);
  }
}

// github.com/alpaka-group/alpaka/pull/2307
__global__ void grid_sync(int *before, int *wrong, int n) {
  cg::grid_group grid = cg::this_grid();
  for (int round = 1; round <= n; ++round) {
    atomicAdd(before, 1);
    grid.sync();
    if (*(volatile int *)before < round * (int)grid.size()) {
      atomicAdd(wrong, 1);
    }
    grid.sync();
  }
}

// github.com/chai-benchmarks/chai/issues/17: kernel and host take from one queue
__global__ void take_from_queue(int *next, int *taken, int n) {
  for (int i = atomicAdd_system(next, 1); i < n; i = atomicAdd_system(next, 1)) {
    taken[i] += 1;
  }
}

__global__ void wait_for_host(volatile int *flag, int *answer) {
  while (*flag == 0) {
  }
  *answer = *flag + 1;
}

int main() {
  int *m;
  CHECK_CUDA(cudaMallocManaged(&m, 8192 * sizeof(int)));
  auto clear = [&] { for (int i = 0; i < 4096; ++i) m[i] = 0; };
  auto sync = [] { CHECK_CUDA(cudaDeviceSynchronize()); };

  clear();
  lock_of_lanes<<<3, 64>>>(m, m + 1), sync();
  CHECK_EQ(m[1], 192);
  clear();
  lock_with_flag<<<3, 64>>>(m, m + 1), sync();
  CHECK_EQ(m[1], 192);

  clear();
  lock_of_blocks<<<10, 96>>>(m, m + 1), sync();
  for (int i = 0; i < 96; ++i) CHECK_EQ(m[1 + i], 55);

  clear();
  home_made_barrier<<<16, 64>>>(reinterpret_cast<unsigned *>(m), m + 1, 5), sync();
  CHECK_EQ(m[1], 16);

  clear();
  int *before = m, *wrong = m + 1, rounds = 3, per_processor = 0;
  void *arguments[] = {&before, &wrong, &rounds};
  cudaDeviceProp prop;
  CHECK_CUDA(cudaGetDeviceProperties(&prop, 0));
  CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_processor, grid_sync, 128, 0));
  unsigned most = per_processor * prop.multiProcessorCount;
  CHECK_CUDA(cudaLaunchCooperativeKernel((void *)grid_sync, dim3(most), dim3(128), arguments, 0, 0));
  sync();
  CHECK_EQ(m[0], (int)(3 * 128 * most));
  CHECK_EQ(m[1], 0);
  // github.com/cupy/cupy/pull/3894
  CHECK_ERROR(cudaLaunchCooperativeKernel((void *)grid_sync, dim3(most + 1), dim3(128), arguments, 0, 0),
              cudaErrorCooperativeLaunchTooLarge);
  CHECK_ERROR(cudaGetLastError(), cudaErrorCooperativeLaunchTooLarge);
  sync();
  CHECK_EQ(m[0], (int)(3 * 128 * most));

  clear();
  take_from_queue<<<2, 32>>>(m, m + 1, 3000);
  for (int i = __atomic_fetch_add(m, 1, __ATOMIC_SEQ_CST); i < 3000; i = __atomic_fetch_add(m, 1, __ATOMIC_SEQ_CST)) {
    m[1 + i] += 1;
  }
  sync();
  for (int i = 0; i < 3000; ++i) CHECK_EQ(m[1 + i], 1);

  clear();
  wait_for_host<<<1, 1>>>(m, m + 1);
  __atomic_store_n(m, 41, __ATOMIC_SEQ_CST);
  sync();
  CHECK_EQ(m[1], 42);
  return check_report();
}
