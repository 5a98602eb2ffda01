// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Event nodes: a recording that the program sees, a wait for what is recorded elsewhere; also by capture.
// RUN: %mcc %s -o %t && %run %t
// covers: C-4.2.1-01 C-4.2.2.1.2-03 C-4.2.3-02
#include "check.h"

#include <atomic>

static std::atomic<int> gate{0}, order{0};
static void wait_for_gate(void *) {
  while (gate.load() == 0) {
  }
}
static void note(void *place) { *static_cast<int *>(place) = ++order; }

int main() {
  cudaStream_t stream, other;
  cudaEvent_t first, second;
  REQUIRE_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  REQUIRE_CUDA(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  REQUIRE_CUDA(cudaEventCreate(&first));
  REQUIRE_CUDA(cudaEventCreate(&second));
  cudaGraph_t graph;
  cudaGraphNode_t record, host, end;
  REQUIRE_CUDA(cudaGraphCreate(&graph, 0));
  cudaHostNodeParams call = {wait_for_gate, nullptr};
  CHECK_CUDA(cudaGraphAddEventRecordNode(&record, graph, nullptr, 0, first));
  CHECK_CUDA(cudaGraphAddHostNode(&host, graph, &record, 1, &call));
  CHECK_CUDA(cudaGraphAddEventRecordNode(&end, graph, &host, 1, second));
  CHECK_OWN_ERROR(cudaGraphAddEventRecordNode(&end, graph, nullptr, 0, nullptr), cudaErrorInvalidResourceHandle);
  cudaGraphExec_t exec;
  REQUIRE_CUDA(cudaGraphInstantiate(&exec, graph, 0));
  CHECK_CUDA(cudaGraphLaunch(exec, stream));
  CHECK_CUDA(cudaEventSynchronize(first));
  CHECK_ERROR(cudaEventQuery(second), cudaErrorNotReady);  // behind the gate
  gate = 1;
  CHECK_CUDA(cudaEventSynchronize(second));
  float ms = -1;
  CHECK_CUDA(cudaEventElapsedTime(&ms, first, second));
  CHECK(ms >= 0);

  cudaEvent_t got = nullptr;
  CHECK_CUDA(cudaGraphEventRecordNodeGetEvent(record, &got));
  CHECK(got == first);
  CHECK_CUDA(cudaGraphEventRecordNodeSetEvent(record, second));
  CHECK_CUDA(cudaGraphEventRecordNodeGetEvent(record, &got));
  CHECK(got == second);
  CHECK_ERROR(cudaGraphEventRecordNodeGetEvent(host, &got), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGraphEventWaitNodeGetEvent(record, &got), cudaErrorInvalidValue);
  cudaEvent_t third;
  REQUIRE_CUDA(cudaEventCreate(&third));
  CHECK_CUDA(cudaGraphExecEventRecordNodeSetEvent(exec, end, third));
  CHECK_CUDA(cudaGraphLaunch(exec, stream));
  CHECK_CUDA(cudaEventSynchronize(third));
  CHECK_CUDA(cudaStreamSynchronize(stream));

  // A wait node: by capture with the external flag.
  int mine = 0, theirs = 0;
  gate = 0;
  CHECK_ERROR(cudaStreamWaitEvent(stream, first, cudaEventWaitExternal), cudaErrorIllegalState);
  CHECK_ERROR(cudaEventRecordWithFlags(first, stream, cudaEventRecordExternal), cudaErrorIllegalState);
  REQUIRE_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK_CUDA(cudaStreamWaitEvent(stream, first, cudaEventWaitExternal));
  CHECK_CUDA(cudaLaunchHostFunc(stream, note, &mine));
  CHECK_CUDA(cudaEventRecordWithFlags(second, stream, cudaEventRecordExternal));
  cudaGraph_t waits;
  REQUIRE_CUDA(cudaStreamEndCapture(stream, &waits));
  cudaGraphNode_t nodes[4];
  size_t n = 4;
  CHECK_CUDA(cudaGraphGetNodes(waits, nodes, &n));
  CHECK_EQ(n, 3u);
  cudaGraphNodeType type;
  CHECK_CUDA(cudaGraphNodeGetType(nodes[0], &type));
  CHECK_EQ(type, cudaGraphNodeTypeWaitEvent);
  CHECK_CUDA(cudaGraphEventWaitNodeGetEvent(nodes[0], &got));
  CHECK(got == first);
  CHECK_CUDA(cudaGraphNodeGetType(nodes[2], &type));
  CHECK_EQ(type, cudaGraphNodeTypeEventRecord);
  cudaGraphExec_t waits_exec;
  REQUIRE_CUDA(cudaGraphInstantiate(&waits_exec, waits, 0));
  CHECK_CUDA(cudaLaunchHostFunc(other, wait_for_gate, nullptr));
  CHECK_CUDA(cudaLaunchHostFunc(other, note, &theirs));
  CHECK_CUDA(cudaEventRecord(first, other));
  CHECK_CUDA(cudaGraphLaunch(waits_exec, stream));
  CHECK_ERROR(cudaEventQuery(second), cudaErrorNotReady);
  gate = 1;
  CHECK_CUDA(cudaEventSynchronize(second));
  CHECK(theirs == 1 && mine == 2);
  CHECK_CUDA(cudaGraphExecEventWaitNodeSetEvent(waits_exec, nodes[0], third));
  CHECK_CUDA(cudaGraphEventWaitNodeSetEvent(nodes[0], third));
  CHECK_CUDA(cudaGraphLaunch(waits_exec, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  return check_report();
}
