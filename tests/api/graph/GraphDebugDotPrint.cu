// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The DOT file of a graph.
// RUN: %mcc %s -o %t && %run %t %t.dot && cat %t.dot | %FileCheck %s
// covers: C-4.2.2.1.3-01
#include "check.h"

__global__ void one_kernel(int *data) { *data = 1; }

// By the CPU driver, or by that of a GPU.
// CHECK: digraph dot {
// CHECK: {{label="kernel.n.*one_kernel.*grid 3 x 1 x 1.*block 32 x 1 x 1|one_kernel.*<3,32,0.*>}}
// CHECK: {{label="memset|MEMSET}}
// CHECK: {{label="graph|^graph_[0-9]+$}}
// CHECK: {{"node_[0-9]+" -> "node_[0-9]+"|"graph_[0-9]+_node_[0-9]+" -> "graph_[0-9]+_node_[0-9]+"}}
// CHECK: subgraph cluster_{{[0-9]+}}
// CHECK: {{label="empty|EMPTY}}
int main(int argc, char **argv) {
  int *d;
  cudaStream_t s;
  cudaGraph_t graph, inner;
  cudaGraphNode_t node;
  REQUIRE_CUDA(cudaMalloc(&d, 4));
  REQUIRE_CUDA(cudaStreamCreate(&s));
  REQUIRE_CUDA(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  one_kernel<<<3, 32, 0, s>>>(d);
  CHECK_CUDA(cudaMemsetAsync(d, 0, 4, s));
  REQUIRE_CUDA(cudaStreamEndCapture(s, &graph));
  CHECK_CUDA(cudaGraphCreate(&inner, 0));
  CHECK_CUDA(cudaGraphAddEmptyNode(&node, inner, nullptr, 0));
  CHECK_CUDA(cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, inner));
  CHECK_CUDA(cudaGraphDebugDotPrint(graph, argv[1], cudaGraphDebugDotFlagsVerbose));
  CHECK_ERROR(cudaGraphDebugDotPrint(graph, nullptr, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGraphDebugDotPrint(graph, "/nowhere/at/all.dot", 0), cudaErrorOperatingSystem);
  CHECK_OWN_ERROR(cudaGraphDebugDotPrint(graph, argv[1], 1u << 30), cudaErrorInvalidValue);
  return check_report();
}
