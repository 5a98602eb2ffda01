// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole-graph update: what may change, what may not, and what is said about it.
// RUN: %mcc %s -o %t && %run %t
// covers: C-4.2.3-01
#include "check.h"

__global__ void add(int *data, int value) { *data += value; }
__global__ void subtract(int *data, int value) { *data -= value; }

static cudaGraph_t capture(cudaStream_t s, int *d, int value, bool minus, bool extra, bool fill_first) {
  cudaGraph_t graph = nullptr;
  CHECK_CUDA(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  if (fill_first) {
    CHECK_CUDA(cudaMemsetAsync(d, 0, 4, s));
  } else {
    add<<<1, 1, 0, s>>>(d, 0);
  }
  if (minus) {
    subtract<<<1, 1, 0, s>>>(d, value);
  } else {
    add<<<1, 1, 0, s>>>(d, value);
  }
  if (extra) {
    add<<<1, 1, 0, s>>>(d, 1);
  }
  CHECK_CUDA(cudaStreamEndCapture(s, &graph));
  return graph;
}

int main() {
  int *d, host = 0;
  cudaStream_t s;
  REQUIRE_CUDA(cudaMalloc(&d, 4));
  REQUIRE_CUDA(cudaStreamCreate(&s));
  cudaGraphExec_t exec;
  REQUIRE_CUDA(cudaGraphInstantiate(&exec, capture(s, d, 5, false, false, true), 0));
  auto run = [&] {
    CHECK_CUDA(cudaGraphLaunch(exec, s));
    CHECK_CUDA(cudaStreamSynchronize(s));
    CHECK_CUDA(cudaMemcpy(&host, d, 4, cudaMemcpyDeviceToHost));
    return host;
  };
  CHECK_EQ(run(), 5);

  cudaGraphExecUpdateResultInfo info = {};
  CHECK_CUDA(cudaGraphExecUpdate(exec, capture(s, d, 6, false, false, true), &info));
  CHECK_EQ(info.result, cudaGraphExecUpdateSuccess);
  CHECK(info.errorNode == nullptr);
  CHECK_EQ(run(), 6);
  CHECK_CUDA(cudaGraphExecUpdate(exec, capture(s, d, 6, true, false, true), &info));  // another kernel
  CHECK_EQ(run(), -6);

  CHECK_ERROR(cudaGraphExecUpdate(exec, capture(s, d, 1, false, true, true), &info), cudaErrorGraphExecUpdateFailure);
  CHECK_EQ(info.result, cudaGraphExecUpdateErrorTopologyChanged);
  cudaGraph_t changed = capture(s, d, 1, false, false, false);
  CHECK_ERROR(cudaGraphExecUpdate(exec, changed, &info), cudaErrorGraphExecUpdateFailure);
  CHECK_EQ(info.result, cudaGraphExecUpdateErrorNodeTypeChanged);
  cudaGraphNode_t nodes[2];
  size_t n = 2;
  CHECK_CUDA(cudaGraphGetNodes(changed, nodes, &n));
  CHECK(info.errorNode == nodes[0]);
  // The same nodes without their edge.
  cudaGraph_t loose = capture(s, d, 1, false, false, true);
  CHECK_CUDA(cudaGraphGetNodes(loose, nodes, &n));
  CHECK_CUDA(cudaGraphRemoveDependencies(loose, nodes, nodes + 1, nullptr, 1));
  CHECK_ERROR(cudaGraphExecUpdate(exec, loose, &info), cudaErrorGraphExecUpdateFailure);
  CHECK_EQ(info.result, cudaGraphExecUpdateErrorTopologyChanged);
  CHECK_EQ(run(), -6);  // nothing was changed

  // While it runs, and with the earlier form of the call.
  for (int i = 0; i < 20; i++) {
    cudaGraph_t next = capture(s, d, i, false, false, true);
    cudaGraphNode_t error_node = (cudaGraphNode_t)1;
    cudaGraphExecUpdateResult result = cudaGraphExecUpdateError;
    CHECK_CUDA(cudaGraphExecUpdate(exec, next, &error_node, &result));
    CHECK(result == cudaGraphExecUpdateSuccess && error_node == nullptr);
    CHECK_CUDA(cudaGraphLaunch(exec, s));
    CHECK_CUDA(cudaGraphDestroy(next));
  }
  CHECK_CUDA(cudaStreamSynchronize(s));
  CHECK_CUDA(cudaMemcpy(&host, d, 4, cudaMemcpyDeviceToHost));
  CHECK_EQ(host, 19);
  CHECK_OWN_ERROR(cudaGraphExecUpdate(exec, loose, nullptr), cudaErrorGraphExecUpdateFailure);  // nobody reads why
  CHECK_ERROR(cudaGraphExecUpdate(exec, nullptr, &info), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGraphExecUpdate(nullptr, loose, &info), cudaErrorInvalidValue);
  return check_report();
}
