// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A node that faults: the rest is skipped, events and waits still end, the error is sticky. And: memory of a copy node
// that is gone.
// gpu: no (a fault stays with the vendor's driver until the process ends)
// RUN: %mcc %s -o %t && %run %t 2>&1 | %FileCheck %s
#include "check.h"

__global__ void store(int *p, int value) { *p = value; }
static void called(void *p) { *static_cast<int *>(p) = 1; }

int main(int argc, char **) {
  int *d, host_called = 0, *gone;
  cudaStream_t s;
  cudaEvent_t end;
  REQUIRE_CUDA(cudaMalloc(&d, 4));
  REQUIRE_CUDA(cudaMalloc(&gone, 1 << 20));
  REQUIRE_CUDA(cudaStreamCreate(&s));
  REQUIRE_CUDA(cudaEventCreate(&end));
  REQUIRE_CUDA(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  CHECK_CUDA(cudaMemsetAsync(gone, 1, 1 << 20, s));
  cudaGraph_t graph;
  REQUIRE_CUDA(cudaStreamEndCapture(s, &graph));
  cudaGraphExec_t fill;
  REQUIRE_CUDA(cudaGraphInstantiate(&fill, graph, 0));
  CHECK_CUDA(cudaFree(gone));
  CHECK_CUDA(cudaGraphLaunch(fill, s));
  // CHECK: a node of a graph uses memory that is gone
  CHECK_ERROR(cudaStreamSynchronize(s), cudaErrorIllegalAddress);
  CHECK_CUDA(cudaDeviceReset());

  REQUIRE_CUDA(cudaMalloc(&d, 4));
  REQUIRE_CUDA(cudaStreamCreate(&s));
  REQUIRE_CUDA(cudaEventCreate(&end));
  // The graph outlives its context, but cannot be launched any more.
  CHECK(cudaGraphLaunch(fill, s) == cudaSuccess || cudaGetLastError() != cudaSuccess);
  (void)cudaStreamSynchronize(s);
  CHECK_CUDA(cudaDeviceReset());
  REQUIRE_CUDA(cudaStreamCreate(&s));
  REQUIRE_CUDA(cudaEventCreate(&end));

  REQUIRE_CUDA(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  // CHECK: store
  store<<<1, 1, 0, s>>>((int *)8, 1);
  CHECK_CUDA(cudaLaunchHostFunc(s, called, &host_called));
  CHECK_CUDA(cudaEventRecordWithFlags(end, s, cudaEventRecordExternal));
  REQUIRE_CUDA(cudaStreamEndCapture(s, &graph));
  cudaGraphExec_t exec;
  REQUIRE_CUDA(cudaGraphInstantiate(&exec, graph, 0));
  CHECK_CUDA(cudaGraphLaunch(exec, s));
  CHECK_ERROR(cudaStreamSynchronize(s), cudaErrorIllegalAddress);
  CHECK_EQ(host_called, 0);
  CHECK_ERROR(cudaGraphLaunch(exec, s), cudaErrorIllegalAddress);
  // CHECK: passed
  return check_report();
}
