// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random streams, events, allocations and graphs from eight threads at once; each thread's result must be that of the same
// work done one after the other. `graphs SEED STEPS` tries another seed, and more.
//
// RUN: %mcc -O1 -std=c++20 %s -o %t && %run %t
// RUN: env HELICON_THREADS=1 %run %t 7 && env HELICON_THREADS=5 %run %t 11
// covers: C-4.2.7-01
#include <cuda_runtime.h>

#include <stdlib.h>

#include <random>
#include <thread>
#include <vector>

#include "check.h"

constexpr int kCells = 256, kThreads = 8;
static int steps = 60;

__global__ void mix(unsigned *cells, unsigned factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  cells[i] = cells[i] * factor + i;
}
static void count(void *p) { ++*static_cast<unsigned *>(p); }

class Run {
public:
  explicit Run(unsigned seed) : random_(seed), model_(kCells) {
    CHECK_CUDA(cudaStreamCreateWithFlags(&stream_, seed % 2 ? cudaStreamNonBlocking : cudaStreamDefault));
    CHECK_CUDA(cudaStreamCreateWithFlags(&side_, cudaStreamNonBlocking));
    CHECK_CUDA(cudaEventCreateWithFlags(&fork_, cudaEventDisableTiming));
    CHECK_CUDA(cudaEventCreateWithFlags(&join_, cudaEventDisableTiming));
    CHECK_CUDA(cudaMallocAsync(&cells_, kCells * sizeof(unsigned), stream_));
    CHECK_CUDA(cudaMemsetAsync(cells_, 0, kCells * sizeof(unsigned), stream_));
  }

  void work() {
    for (int i = 0; i < steps; i++) {
      switch (random_() % 5) {
        case 0:
          captured();
          break;
        case 1:
          updated();
          break;
        case 2:
          scratch();
          break;
        case 3:
          CHECK_CUDA(cudaStreamSynchronize(stream_));
          break;
        default:
          launch(stream_, 3);
          apply(3);
      }
    }
    std::vector<unsigned> seen(kCells);
    CHECK_CUDA(cudaMemcpyAsync(seen.data(), cells_, kCells * sizeof(unsigned), cudaMemcpyDeviceToHost, stream_));
    CHECK_CUDA(cudaStreamSynchronize(stream_));
    CHECK(seen == model_);
    CHECK_EQ(called_, expected_calls_);
    CHECK_CUDA(cudaFreeAsync(cells_, stream_));
    CHECK_CUDA(cudaStreamDestroy(stream_));
    CHECK_CUDA(cudaStreamDestroy(side_));
  }

private:
  void launch(cudaStream_t stream, unsigned factor) {
    unsigned blocks = 1u << random_() % 4;
    mix<<<blocks, kCells / blocks, 0, stream>>>(cells_, factor);
  }
  void apply(unsigned factor) {
    for (int i = 0; i < kCells; i++) {
      model_[i] = model_[i] * factor + i;
    }
  }

  /// A graph across two streams, launched a few times, and destroyed while it may still run.
  void captured() {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    unsigned *scratch = nullptr;
    CHECK_CUDA(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeRelaxed));
    launch(stream_, 5);
    CHECK_CUDA(cudaEventRecord(fork_, stream_));
    CHECK_CUDA(cudaStreamWaitEvent(side_, fork_, 0));
    CHECK_CUDA(cudaMallocAsync(&scratch, kCells * sizeof(unsigned), side_));
    CHECK_CUDA(cudaMemcpyAsync(scratch, cells_, kCells * sizeof(unsigned), cudaMemcpyDeviceToDevice, side_));
    CHECK_CUDA(cudaFreeAsync(scratch, side_));
    CHECK_CUDA(cudaLaunchHostFunc(stream_, count, &called_));
    CHECK_CUDA(cudaEventRecord(join_, side_));
    CHECK_CUDA(cudaStreamWaitEvent(stream_, join_, 0));
    launch(stream_, 7);
    CHECK_CUDA(cudaStreamEndCapture(stream_, &graph));
    CHECK_CUDA(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 1 + random_() % 3; i > 0; i--) {
      CHECK_CUDA(cudaGraphLaunch(exec, stream_));
      apply(5);
      apply(7);
      expected_calls_++;
    }
    CHECK_CUDA(cudaGraphDestroy(graph));
    CHECK_CUDA(cudaGraphExecDestroy(exec));
  }

  /// One executable graph whose parameter changes from launch to launch.
  void updated() {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t node;
    unsigned factor = 1;
    void *args[] = {&cells_, &factor};
    cudaKernelNodeParams k = {};
    k.func = (void *)mix;
    k.gridDim = dim3(2);
    k.blockDim = dim3(kCells / 2);
    k.kernelParams = args;
    CHECK_CUDA(cudaGraphCreate(&graph, 0));
    CHECK_CUDA(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &k));
    CHECK_CUDA(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 3; i++) {
      factor = 2 * (random_() % 100) + 1;
      CHECK_CUDA(cudaGraphExecKernelNodeSetParams(exec, node, &k));
      CHECK_CUDA(cudaGraphLaunch(exec, stream_));
      apply(factor);
    }
    CHECK_CUDA(cudaGraphExecDestroy(exec));
    CHECK_CUDA(cudaGraphDestroy(graph));
  }

  void scratch() {
    unsigned *p = nullptr;
    CHECK_CUDA(cudaMallocAsync(&p, 1 + random_() % 100000, stream_));
    CHECK_CUDA(cudaMemsetAsync(p, 1, 1, stream_));
    CHECK_CUDA(cudaFreeAsync(p, stream_));
  }

  std::mt19937 random_;
  cudaStream_t stream_ = nullptr, side_ = nullptr;
  cudaEvent_t fork_ = nullptr, join_ = nullptr;
  unsigned *cells_ = nullptr;
  std::vector<unsigned> model_;
  unsigned called_ = 0, expected_calls_ = 0;
};

int main(int argc, char **argv) {
  unsigned seed = argc > 1 ? static_cast<unsigned>(atoi(argv[1])) : 1;
  steps = argc > 2 ? atoi(argv[2]) : steps;
  CHECK_CUDA(cudaFree(nullptr));
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < kThreads; t++) {
    threads.emplace_back([=] { Run(seed * 100 + t).work(); });
  }
  for (std::thread &thread : threads) {
    thread.join();
  }
  CHECK_CUDA(cudaDeviceSynchronize());
  return check_report();
}
