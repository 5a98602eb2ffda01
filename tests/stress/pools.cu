// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random stream-ordered allocations from eight threads at once, in shared and own pools: whoever has memory has it
// alone, in the order of the streams. `pools SEED STEPS` tries another seed, and more.
//
// RUN: %mcc -O1 -std=c++20 %s -o %t && %run %t
// RUN: env HELICON_THREADS=1 %run %t 7 && env HELICON_THREADS=5 %run %t 11
// covers: C-4.3.4-03
#include <cuda_runtime.h>

#include <stdlib.h>

#include <random>
#include <thread>
#include <vector>

#include "check.h"

constexpr int kThreads = 8, kStreams = 3;
static int steps = 150;

__global__ void fill(unsigned *cells, unsigned count, unsigned mark) {
  for (unsigned i = threadIdx.x; i < count; i += blockDim.x) {
    cells[i] = mark + i;
  }
}
/// Counts the cells that are not as fill left them.
__global__ void verify(const unsigned *cells, unsigned count, unsigned mark, int *wrong) {
  for (unsigned i = threadIdx.x; i < count; i += blockDim.x) {
    if (cells[i] != mark + i) {
      atomicAdd(wrong, 1);
    }
  }
}

struct Block {
  unsigned *cells;
  unsigned count, mark;
  int stream;
};

class Run {
public:
  Run(unsigned seed, cudaMemPool_t shared) : random_(seed), next_mark_(seed << 20) {
    for (cudaStream_t &stream : streams_) {
      CHECK_CUDA(cudaStreamCreateWithFlags(&stream, random_() % 2 ? cudaStreamNonBlocking : cudaStreamDefault));
    }
    CHECK_CUDA(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming));
    CHECK_CUDA(cudaMallocManaged(&wrong_, sizeof *wrong_));
    *wrong_ = 0;
    cudaMemPoolProps props = {};
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    CHECK_CUDA(cudaMemPoolCreate(&own_, &props));
    pools_[0] = shared;
    pools_[1] = own_;
  }

  void work() {
    for (int i = 0; i < steps; i++) {
      switch (random_() % 8) {
        case 0:
          CHECK_CUDA(cudaStreamSynchronize(streams_[random_() % kStreams]));
          break;
        case 1:
          CHECK_CUDA(cudaMemPoolTrimTo(pools_[random_() % 2], random_() % 2 * 65536));
          break;
        case 2:
          CHECK_CUDA(cudaEventRecord(event_, streams_[random_() % kStreams]));
          (void)cudaEventQuery(event_);
          break;
        case 3:
        case 4:
        case 5:
          take();
          break;
        default:
          give();
      }
    }
    while (!blocks_.empty()) {
      give();
    }
    for (cudaStream_t stream : streams_) {
      CHECK_CUDA(cudaStreamSynchronize(stream));
    }
    CHECK_EQ(*wrong_, 0);
    unsigned long long used = 1;
    CHECK_CUDA(cudaMemPoolGetAttribute(own_, cudaMemPoolAttrUsedMemCurrent, &used));
    CHECK_EQ(used, 0u);
    CHECK_CUDA(cudaMemPoolDestroy(own_));
    for (cudaStream_t stream : streams_) {
      CHECK_CUDA(cudaStreamDestroy(stream));
    }
    CHECK_CUDA(cudaEventDestroy(event_));
    CHECK_CUDA(cudaFree(wrong_));
  }

private:
  void take() {
    const unsigned counts[] = {100, 16384, 16384, 50000};
    Block block = {nullptr, counts[random_() % 4], next_mark_ += 0x10001, (int)(random_() % kStreams)};
    CHECK_CUDA(cudaMallocFromPoolAsync((void **)&block.cells, block.count * sizeof(unsigned), pools_[random_() % 2],
                                       streams_[block.stream]));
    fill<<<1, 64, 0, streams_[block.stream]>>>(block.cells, block.count, block.mark);
    blocks_.push_back(block);
  }
  /// Looks at the memory and frees it, in its stream or, after an event, in another one.
  void give() {
    if (blocks_.empty()) {
      return;
    }
    const size_t at = random_() % blocks_.size();
    const Block block = blocks_[at];
    blocks_.erase(blocks_.begin() + at);
    cudaStream_t stream = streams_[block.stream];
    verify<<<1, 64, 0, stream>>>(block.cells, block.count, block.mark, wrong_);
    if (random_() % 3 == 0) {
      cudaStream_t other = streams_[random_() % kStreams];
      CHECK_CUDA(cudaEventRecord(event_, stream));
      CHECK_CUDA(cudaStreamWaitEvent(other, event_, 0));
      stream = other;
    }
    CHECK_CUDA(cudaFreeAsync(block.cells, stream));
  }

  std::mt19937 random_;
  unsigned next_mark_;
  cudaStream_t streams_[kStreams] = {};
  cudaEvent_t event_ = nullptr;
  int *wrong_ = nullptr;
  cudaMemPool_t own_ = nullptr, pools_[2] = {};
  std::vector<Block> blocks_;
};

int main(int count, char **arguments) {
  const unsigned seed = count > 1 ? (unsigned)atoi(arguments[1]) : 1;
  steps = count > 2 ? atoi(arguments[2]) : steps;
  cudaMemPool_t shared = nullptr;
  REQUIRE_CUDA(cudaDeviceGetDefaultMemPool(&shared, 0));
  unsigned long long threshold = seed % 2 ? 0 : 1 << 20;
  CHECK_CUDA(cudaMemPoolSetAttribute(shared, cudaMemPoolAttrReleaseThreshold, &threshold));
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; i++) {
    threads.emplace_back([=] { Run(seed * 100 + i, shared).work(); });
  }
  for (std::thread &thread : threads) {
    thread.join();
  }
  CHECK_CUDA(cudaDeviceSynchronize());
  unsigned long long used = 1, reserved = ~0ull;
  CHECK_CUDA(cudaMemPoolGetAttribute(shared, cudaMemPoolAttrUsedMemCurrent, &used));
  CHECK_CUDA(cudaMemPoolGetAttribute(shared, cudaMemPoolAttrReservedMemCurrent, &reserved));
  CHECK_EQ(used, 0u);
  CHECK(reserved <= threshold);
  return check_report();
}
