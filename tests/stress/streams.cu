// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random work in many streams, ordered by events alone, from several host threads at once; the result must be that of
// the same work done one after the other. The seed is fixed; `streams SEED` tries another.
//
// RUN: %mcc -O1 -std=c++20 %s -o %t && %run %t
// RUN: env HELICON_THREADS=1 %run %t 7 && env HELICON_THREADS=5 %run %t 11
// covers: M-3.2.8-01
#include <cuda_runtime.h>

#include <stdlib.h>

#include <random>
#include <thread>
#include <vector>

#include "check.h"

constexpr int kStreams = 6, kBuffers = 5, kCells = 512, kSteps = 400, kThreads = 3;

__global__ void mix(unsigned *cells, unsigned factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  cells[i] = cells[i] * factor + i;
}

__global__ void combine(unsigned *to, const unsigned *from) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] ^= from[i] + 1;
}

struct Buffer {
  unsigned *device = nullptr;
  std::vector<unsigned> model = std::vector<unsigned>(kCells);
  cudaEvent_t last = nullptr;
};

class Run {
public:
  explicit Run(unsigned seed) : random_(seed) {
    for (int i = 0; i < kStreams; i++) {
      unsigned flags = i % 2 == 0 ? cudaStreamNonBlocking : cudaStreamDefault;
      CHECK_CUDA(cudaStreamCreateWithFlags(&streams_[i], flags));
    }
    for (Buffer &buffer : buffers_) {
      CHECK_CUDA(cudaMalloc(&buffer.device, kCells * sizeof(unsigned)));
      CHECK_CUDA(cudaEventCreateWithFlags(&buffer.last, cudaEventDisableTiming));
      CHECK_CUDA(cudaMemset(buffer.device, 0, kCells * sizeof(unsigned)));
    }
    CHECK_CUDA(cudaDeviceSynchronize());
  }

  void steps() {
    for (int i = 0; i < kSteps; i++) {
      step();
    }
    for (Buffer &buffer : buffers_) {
      CHECK_CUDA(cudaEventSynchronize(buffer.last));
      std::vector<unsigned> seen(kCells);
      CHECK_CUDA(cudaMemcpy(seen.data(), buffer.device, kCells * sizeof(unsigned), cudaMemcpyDeviceToHost));
      CHECK(seen == buffer.model);
      CHECK_CUDA(cudaFree(buffer.device));
    }
    for (cudaStream_t stream : streams_) {
      CHECK_CUDA(cudaStreamDestroy(stream));
    }
  }

private:
  unsigned draw(unsigned below) { return random_() % below; }

  void step() {
    Buffer &a = buffers_[draw(kBuffers)], &b = buffers_[draw(kBuffers)];
    cudaStream_t stream = streams_[draw(kStreams)];
    CHECK_CUDA(cudaStreamWaitEvent(stream, a.last, 0));
    CHECK_CUDA(cudaStreamWaitEvent(stream, b.last, 0));
    unsigned value = random_();
    switch (draw(6)) {
      case 0:
      case 1:
        mix<<<kCells / 64, 64, 0, stream>>>(a.device, value);
        for (int i = 0; i < kCells; i++) {
          a.model[i] = a.model[i] * value + i;
        }
        break;
      case 2:
        if (&a != &b) {
          combine<<<kCells / 128, 128, 0, stream>>>(a.device, b.device);
          for (int i = 0; i < kCells; i++) {
            a.model[i] ^= b.model[i] + 1;
          }
        }
        break;
      case 3:
        if (&a != &b) {
          CHECK_CUDA(cudaMemcpyAsync(a.device, b.device, kCells * sizeof(unsigned), cudaMemcpyDeviceToDevice, stream));
          a.model = b.model;
        }
        break;
      case 4:
        CHECK_CUDA(cudaMemsetAsync(a.device, value & 0xFF, kCells * sizeof(unsigned), stream));
        a.model.assign(kCells, (value & 0xFF) * 0x01010101u);
        break;
      case 5: {
        // Memory that is only there for the time of this step.
        unsigned *extra = nullptr;
        CHECK_CUDA(cudaMallocAsync(&extra, kCells * sizeof(unsigned), stream));
        CHECK_CUDA(cudaMemcpyAsync(extra, a.device, kCells * sizeof(unsigned), cudaMemcpyDefault, stream));
        mix<<<kCells / 32, 32, 0, stream>>>(extra, value | 1);
        CHECK_CUDA(cudaMemcpyAsync(a.device, extra, kCells * sizeof(unsigned), cudaMemcpyDefault, stream));
        CHECK_CUDA(cudaFreeAsync(extra, stream));
        for (int i = 0; i < kCells; i++) {
          a.model[i] = a.model[i] * (value | 1) + i;
        }
        break;
      }
    }
    CHECK_CUDA(cudaEventRecord(a.last, stream));
    CHECK_CUDA(cudaEventRecord(b.last, stream));
  }

  std::mt19937 random_;
  cudaStream_t streams_[kStreams] = {};
  Buffer buffers_[kBuffers];
};

int main(int argc, char **argv) {
  unsigned seed = argc > 1 ? atoi(argv[1]) : 1;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; i++) {
    threads.emplace_back([=] {
      Run run(seed * 100 + i);
      run.steps();
    });
  }
  for (std::thread &thread : threads) {
    thread.join();
  }
  CHECK_CUDA(cudaDeviceSynchronize());
  return check_report();
}
