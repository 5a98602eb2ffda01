// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Capture of a stream: work becomes nodes, nothing runs; forks and joins across streams.
// RUN: %mcc %s -o %t && %run %t
// covers: C-2.5.9.2-01 C-4.2.2.1.2-01 C-4.2.2.1.2-02
#include "check.h"

__global__ void add(int *data, int value) { data[threadIdx.x] += value; }
__global__ void twice(int *data) { data[threadIdx.x] *= 2; }
static void count(void *user) { ++*static_cast<int *>(user); }

static size_t nodes_of(cudaGraph_t graph) {
  size_t n = 0;
  CHECK_CUDA(cudaGraphGetNodes(graph, nullptr, &n));
  return n;
}

int main() {
  int *a, *b, host[64] = {}, calls = 0;
  REQUIRE_CUDA(cudaMalloc(&a, sizeof(host)));
  REQUIRE_CUDA(cudaMalloc(&b, sizeof(host)));
  cudaStream_t stream, other;
  cudaEvent_t fork, join;
  REQUIRE_CUDA(cudaStreamCreate(&stream));
  REQUIRE_CUDA(cudaStreamCreate(&other));
  REQUIRE_CUDA(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  REQUIRE_CUDA(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  CHECK_CUDA(cudaMemset(a, 0, sizeof(host)));
  CHECK_CUDA(cudaDeviceSynchronize());

  cudaStreamCaptureStatus status;
  CHECK_CUDA(cudaStreamIsCapturing(stream, &status));
  CHECK_EQ(status, cudaStreamCaptureStatusNone);
  REQUIRE_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK_CUDA(cudaStreamIsCapturing(stream, &status));
  CHECK_EQ(status, cudaStreamCaptureStatusActive);

  CHECK_CUDA(cudaMemsetAsync(a, 0, sizeof(host), stream));
  add<<<1, 64, 0, stream>>>(a, 3);
  CHECK_CUDA(cudaGetLastError());
  CHECK_CUDA(cudaEventRecord(fork, stream));
  CHECK_CUDA(cudaStreamWaitEvent(other, fork, 0));
  CHECK_CUDA(cudaStreamIsCapturing(other, &status));
  CHECK_EQ(status, cudaStreamCaptureStatusActive);
  CHECK_CUDA(cudaMemcpyAsync(b, a, sizeof(host), cudaMemcpyDeviceToDevice, other));
  add<<<1, 64, 0, other>>>(b, 100);
  CHECK_CUDA(cudaEventRecord(join, other));
  CHECK_CUDA(cudaStreamWaitEvent(stream, join, 0));
  twice<<<1, 64, 0, stream>>>(a);
  add<<<1, 64, 0, stream>>>(a, 0);
  CHECK_CUDA(cudaLaunchHostFunc(stream, count, &calls));
  cudaGraph_t graph = nullptr;
  REQUIRE_CUDA(cudaStreamEndCapture(stream, &graph));
  CHECK_CUDA(cudaStreamIsCapturing(other, &status));
  CHECK_EQ(status, cudaStreamCaptureStatusNone);
  CHECK_EQ(nodes_of(graph), 7u);
  size_t edges = 0;
  CHECK_CUDA(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
  CHECK_EQ(edges, 7u);  // fill, add, copy, add in a row; both adds to twice; add; host

  // Nothing has run.
  CHECK_CUDA(cudaMemcpy(host, a, sizeof(host), cudaMemcpyDeviceToHost));
  CHECK_EQ(host[5], 0);
  CHECK_EQ(calls, 0);

  cudaGraphExec_t exec;
  REQUIRE_CUDA(cudaGraphInstantiate(&exec, graph, 0));
  for (int i = 1; i <= 5; i++) {
    CHECK_CUDA(cudaGraphLaunch(exec, stream));
    CHECK_CUDA(cudaStreamSynchronize(stream));
    CHECK_EQ(calls, i);
    CHECK_CUDA(cudaMemcpy(host, a, sizeof(host), cudaMemcpyDeviceToHost));
    CHECK_EQ(host[63], 6);
    CHECK_CUDA(cudaMemcpy(host, b, sizeof(host), cudaMemcpyDeviceToHost));
    CHECK_EQ(host[63], 103);
  }

  // A launch into a captured stream becomes a child graph; NVIDIA's driver refuses it.
  if (check::is_own_driver()) {
    CHECK_CUDA(cudaStreamBeginCapture(other, cudaStreamCaptureModeRelaxed));
    CHECK_CUDA(cudaGraphLaunch(exec, other));
    add<<<1, 64, 0, other>>>(a, 1000);
    cudaGraph_t outer = nullptr;
    REQUIRE_CUDA(cudaStreamEndCapture(other, &outer));
    CHECK_EQ(nodes_of(outer), 2u);
    cudaGraphExec_t outer_exec;
    REQUIRE_CUDA(cudaGraphInstantiate(&outer_exec, outer, 0));
    CHECK_CUDA(cudaGraphLaunch(outer_exec, other));
    CHECK_CUDA(cudaStreamSynchronize(other));
    CHECK_CUDA(cudaMemcpy(host, a, sizeof(host), cudaMemcpyDeviceToHost));
    CHECK_EQ(host[1], 1006);
    CHECK_EQ(calls, 6);
  }

  // The per-thread default stream can be captured.
  CHECK_CUDA(cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeThreadLocal));
  add<<<1, 64, 0, cudaStreamPerThread>>>(a, 1);
  CHECK_CUDA(cudaStreamEndCapture(cudaStreamPerThread, &graph));
  CHECK_EQ(nodes_of(graph), 1u);

  // The driver's older form, and nothing captured.
  CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  CHECK_CUDA(cudaStreamEndCapture(stream, &graph));
  CHECK_EQ(nodes_of(graph), 0u);
  return check_report();
}
