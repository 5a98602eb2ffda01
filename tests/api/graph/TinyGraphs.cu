// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A graph of a few tiny kernels, which runs where it is launched: launches from several threads follow each other, one
// that has to wait does not run, a change counts from the next launch on.
// RUN: %mcc %s -o %t && %run %t
// covers: C-4.2.1-01
#include "check.h"

#include <atomic>
#include <thread>
#include <vector>

__global__ void add(int *sum, int value) { *sum += value; }

static std::atomic<bool> gate{false};
static void wait_for_gate(void *) {
  while (!gate) {
    std::this_thread::yield();
  }
}

int main() {
  int *sum;
  REQUIRE_CUDA(cudaMallocManaged(&sum, sizeof(int)));
  *sum = 0;
  cudaGraph_t graph;
  REQUIRE_CUDA(cudaGraphCreate(&graph, 0));
  int value = 1;
  void *args[] = {&sum, &value};
  cudaKernelNodeParams params = {};
  params.func = (void *)add;
  params.gridDim = params.blockDim = dim3(1);
  params.kernelParams = args;
  cudaGraphNode_t nodes[3];
  for (int i = 0; i < 3; i++) {
    REQUIRE_CUDA(cudaGraphAddKernelNode(&nodes[i], graph, i == 0 ? nullptr : &nodes[i - 1], i != 0, &params));
  }
  cudaGraphExec_t exec;
  REQUIRE_CUDA(cudaGraphInstantiate(&exec, graph, 0));

  constexpr int kThreads = 4, kLaunches = 200;
  cudaStream_t shared;
  REQUIRE_CUDA(cudaStreamCreate(&shared));
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; t++) {
    threads.emplace_back([&, t] {
      cudaStream_t own;
      CHECK_CUDA(cudaStreamCreateWithFlags(&own, t % 2 == 0 ? cudaStreamDefault : cudaStreamNonBlocking));
      for (int i = 0; i < kLaunches; i++) {
        CHECK_CUDA(cudaGraphLaunch(exec, i % 2 == 0 ? own : shared));
      }
      CHECK_CUDA(cudaStreamSynchronize(own));
      CHECK_CUDA(cudaStreamDestroy(own));
    });
  }
  for (std::thread &thread : threads) {
    thread.join();
  }
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*sum, 3 * kThreads * kLaunches);

  *sum = 0;
  CHECK_CUDA(cudaLaunchHostFunc(shared, wait_for_gate, nullptr));
  CHECK_CUDA(cudaGraphLaunch(exec, shared));
  value = 100;
  CHECK_CUDA(cudaGraphExecKernelNodeSetParams(exec, nodes[1], &params));
  CHECK_CUDA(cudaGraphLaunch(exec, shared));
  CHECK_EQ(cudaStreamQuery(shared), cudaErrorNotReady);
  CHECK_EQ(*(volatile int *)sum, 0);
  gate = true;
  CHECK_CUDA(cudaStreamSynchronize(shared));
  CHECK_EQ(*sum, 3 + 102);

  CHECK_CUDA(cudaGraphExecDestroy(exec));
  CHECK_CUDA(cudaGraphDestroy(graph));
  CHECK_CUDA(cudaStreamDestroy(shared));
  CHECK_CUDA(cudaFree(sum));
  return check_report();
}
