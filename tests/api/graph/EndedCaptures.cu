// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is left of a capture: ends in the wrong stream or without a graph, events of captures that are over, external
// flags outside of captures; and memory that two nodes free. The codes are those of a GPU's driver.
// RUN: %mcc -std=c++17 %s -o %t && %run %t
#include <cuda_runtime.h>

#include "check.h"

__global__ void nothing() {}

int main() {
  cudaStream_t origin = nullptr, other = nullptr;
  REQUIRE_CUDA(cudaStreamCreate(&origin));
  REQUIRE_CUDA(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  cudaEvent_t event = nullptr;
  REQUIRE_CUDA(cudaEventCreate(&event));
  cudaGraph_t graph = nullptr;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusActive;

  // A graph that nobody wants.
  CHECK_CUDA(cudaStreamBeginCapture(origin, cudaStreamCaptureModeGlobal));
  nothing<<<1, 1, 0, origin>>>();
  CHECK_CUDA(cudaStreamEndCapture(origin, nullptr));
  CHECK_CUDA(cudaStreamIsCapturing(origin, &status));
  CHECK_EQ(status, cudaStreamCaptureStatusNone);

  // The end in a stream that only joined makes the capture invalid.
  CHECK_CUDA(cudaStreamBeginCapture(origin, cudaStreamCaptureModeGlobal));
  CHECK_CUDA(cudaEventRecord(event, origin));
  CHECK_CUDA(cudaStreamWaitEvent(other, event, 0));
  CHECK_ERROR(cudaStreamEndCapture(other, &graph), cudaErrorStreamCaptureUnmatched);
  CHECK_ERROR(cudaStreamEndCapture(origin, &graph), cudaErrorStreamCaptureInvalidated);
  CHECK_CUDA(cudaStreamIsCapturing(other, &status));
  CHECK_EQ(status, cudaStreamCaptureStatusNone);

  // An event that was recorded in a capture that is over.
  CHECK_CUDA(cudaStreamBeginCapture(origin, cudaStreamCaptureModeGlobal));
  CHECK_CUDA(cudaEventRecord(event, origin));
  nothing<<<1, 1, 0, origin>>>();
  CHECK_CUDA(cudaStreamEndCapture(origin, &graph));
  CHECK_CUDA(cudaGraphDestroy(graph));
  float ms = 0;
  CHECK_ERROR(cudaStreamWaitEvent(other, event, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaEventQuery(event), cudaErrorInvalidValue);
  CHECK_ERROR(cudaEventSynchronize(event), cudaErrorInvalidValue);
  CHECK_ERROR(cudaEventElapsedTime(&ms, event, event), cudaErrorInvalidValue);
  CHECK_CUDA(cudaStreamQuery(other));
  CHECK_CUDA(cudaStreamBeginCapture(origin, cudaStreamCaptureModeGlobal));
  CHECK_ERROR(cudaStreamWaitEvent(origin, event, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaStreamEndCapture(origin, &graph), cudaErrorStreamCaptureInvalidated);

  // An event of a capture that has failed and not ended.
  CHECK_CUDA(cudaStreamBeginCapture(origin, cudaStreamCaptureModeGlobal));
  CHECK_CUDA(cudaEventRecord(event, origin));
  void *memory = nullptr;
  CHECK_ERROR(cudaMalloc(&memory, 4), cudaErrorStreamCaptureUnsupported);
  CHECK_ERROR(cudaStreamWaitEvent(other, event, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaStreamEndCapture(origin, &graph), cudaErrorStreamCaptureInvalidated);
  CHECK_CUDA(cudaEventRecord(event, origin));  // a recording as any other
  CHECK_CUDA(cudaEventSynchronize(event));

  CHECK_ERROR(cudaEventRecordWithFlags(event, origin, cudaEventRecordExternal), cudaErrorIllegalState);
  CHECK_ERROR(cudaStreamWaitEvent(origin, event, cudaEventWaitExternal), cudaErrorIllegalState);
  CHECK_ERROR(cudaStreamWaitEvent(origin, event, 4), cudaErrorInvalidValue);

  // Memory of a node is freed by one node.
  CHECK_CUDA(cudaGraphCreate(&graph, 0));
  cudaMemAllocNodeParams params = {};
  params.poolProps.allocType = cudaMemAllocationTypePinned;
  params.poolProps.location.type = cudaMemLocationTypeDevice;
  params.bytesize = 1 << 20;
  cudaGraphNode_t alloc = nullptr, release = nullptr, again = nullptr;
  CHECK_CUDA(cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params));
  CHECK_CUDA(cudaGraphAddMemFreeNode(&release, graph, &alloc, 1, params.dptr));
  CHECK_ERROR(cudaGraphAddMemFreeNode(&again, graph, &alloc, 1, params.dptr), cudaErrorInvalidValue);
  cudaGraphExec_t exec = nullptr;
  CHECK_CUDA(cudaGraphInstantiate(&exec, graph, 0));
  for (int i = 0; i < 3; i++) {
    CHECK_CUDA(cudaGraphLaunch(exec, origin));
  }
  CHECK_CUDA(cudaStreamSynchronize(origin));
  params.poolProps.location.id = 99;
  CHECK_ERROR(cudaGraphAddMemAllocNode(&again, graph, nullptr, 0, &params), cudaErrorInvalidValue);
  CHECK_CUDA(cudaGraphExecDestroy(exec));
  CHECK_CUDA(cudaGraphDestroy(graph));
  CHECK_CUDA(cudaEventDestroy(event));
  CHECK_CUDA(cudaStreamDestroy(origin));
  CHECK_CUDA(cudaStreamDestroy(other));
  return check_report();
}
