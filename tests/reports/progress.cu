// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What people reported of waiting kernels: locks within a warp, locks of blocks, home-made and cooperative grid barriers,
// a host that works beside a kernel.
// RUN: %mcc -O3 %s -o %t && %run %t
#include "check.h"

#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

// report: Atomic operations in CUDA: all lanes of a warp take one lock
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

// report: Understanding a spinlock implementation by Robert Crovella: one thread takes the lock for its block
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

// report: flagos-ai/FlagTree#1030, NVIDIA/cuml#458: a barrier of blocks that are all there
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

// report: alpaka-group/alpaka#2307
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

// report: chai-benchmarks/chai#17: kernel and host take from one queue
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

// report: CHIP-SPV/chipStar#1191: many small kernels in many streams, which wait for each other's events
__global__ void next_of_chain(int *cell, int expected, int *wrong) {
  if (*cell != expected) {
    atomicAdd(wrong, 1);
  }
  *cell = expected + 1;
}

static void chain_across_streams(int *cell, int *wrong) {
  constexpr int kStreams = 32, kRounds = 40;
  cudaStream_t streams[kStreams];
  cudaEvent_t events[kStreams];
  for (int i = 0; i < kStreams; ++i) {
    CHECK_CUDA(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
    CHECK_CUDA(cudaEventCreateWithFlags(&events[i], cudaEventDisableTiming));
  }
  for (int round = 0, step = 0; round < kRounds; ++round) {
    for (int i = 0; i < kStreams; ++i, ++step) {
      if (step > 0) {
        CHECK_CUDA(cudaStreamWaitEvent(streams[i], events[(i + kStreams - 1) % kStreams], 0));
      }
      next_of_chain<<<1, 1, 0, streams[i]>>>(cell, step, wrong);
      CHECK_CUDA(cudaEventRecord(events[i], streams[i]));
    }
  }
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*cell, kStreams * kRounds);
  CHECK_EQ(*wrong, 0);
  for (int i = 0; i < kStreams; ++i) {
    CHECK_CUDA(cudaEventDestroy(events[i]));
    CHECK_CUDA(cudaStreamDestroy(streams[i]));
  }
}

// report: Synchronizing device memory access with host thread: the launch returns before the kernel has written, and the
// values are there after the wait
static void mapped_memory_after_the_launch() {
  volatile int *cells;
  CHECK_CUDA(cudaHostAlloc((void **)&cells, 2 * sizeof(int), cudaHostAllocMapped));
  cells[0] = cells[1] = 0;
  int *device;
  CHECK_CUDA(cudaHostGetDevicePointer((void **)&device, (void *)cells, 0));
  wait_for_host<<<1, 1>>>(device, device + 1);
  CHECK_EQ(cells[1], 0);
  cells[0] = 7;
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(cells[1], 8);
  CHECK_CUDA(cudaFreeHost((void *)cells));
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
  // report: cupy/cupy#3894
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

  clear();
  chain_across_streams(m, m + 1);
  mapped_memory_after_the_launch();
  return check_report();
}
