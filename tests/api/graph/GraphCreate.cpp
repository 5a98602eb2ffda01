// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs of empty nodes: nodes, edges, clones, what is refused.
// RUN: %mcc %s -o %t && %run %t
// covers: C-4.2.2-01 C-4.2.2.1.3-01
#include "check.h"

#include <cuda_runtime_api.h>

#include <vector>

static size_t count(cudaGraph_t graph) {
  size_t n = 99;
  CHECK_CUDA(cudaGraphGetNodes(graph, nullptr, &n));
  return n;
}

int main() {
  cudaGraph_t graph = nullptr, other = nullptr;
  CHECK_ERROR(cudaGraphCreate(nullptr, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGraphCreate(&graph, 1), cudaErrorInvalidValue);
  REQUIRE_CUDA(cudaGraphCreate(&graph, 0));
  REQUIRE_CUDA(cudaGraphCreate(&other, 0));
  CHECK_EQ(count(graph), 0u);

  cudaGraphNode_t a, b, c, d, foreign;
  CHECK_CUDA(cudaGraphAddEmptyNode(&a, graph, nullptr, 0));
  CHECK_CUDA(cudaGraphAddEmptyNode(&b, graph, &a, 1));
  CHECK_CUDA(cudaGraphAddEmptyNode(&c, graph, &a, 1));
  CHECK_CUDA(cudaGraphAddEmptyNode(&foreign, other, nullptr, 0));
  cudaGraphNode_t both[] = {b, c};
  CHECK_CUDA(cudaGraphAddEmptyNode(&d, graph, both, 2));
  CHECK_ERROR(cudaGraphAddEmptyNode(nullptr, graph, nullptr, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGraphAddEmptyNode(&d, nullptr, nullptr, 0), cudaErrorInvalidValue);
  cudaGraphNode_t same[] = {b, b};
  CHECK_ERROR(cudaGraphAddEmptyNode(&d, graph, same, 2), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGraphAddEmptyNode(&d, graph, &foreign, 1), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGraphAddEmptyNode(&d, graph, nullptr, 1), cudaErrorInvalidValue);
  CHECK_EQ(count(graph), 4u);

  // Lists: room that is left becomes null, and too little room gives as many as fit.
  cudaGraphNode_t nodes[6];
  size_t n = 6;
  CHECK_CUDA(cudaGraphGetNodes(graph, nodes, &n));
  CHECK_EQ(n, 4u);
  CHECK(nodes[0] == a && nodes[3] == d && nodes[4] == nullptr && nodes[5] == nullptr);
  n = 2;
  CHECK_CUDA(cudaGraphGetNodes(graph, nodes, &n));
  CHECK_EQ(n, 2u);
  CHECK_ERROR(cudaGraphGetNodes(graph, nodes, nullptr), cudaErrorInvalidValue);
  n = 6;
  CHECK_CUDA(cudaGraphGetRootNodes(graph, nodes, &n));
  CHECK(n == 1 && nodes[0] == a);
  n = 6;
  CHECK_CUDA(cudaGraphNodeGetDependencies(d, nodes, nullptr, &n));
  CHECK(n == 2 && nodes[0] == b && nodes[1] == c);
  n = 6;
  CHECK_CUDA(cudaGraphNodeGetDependentNodes(a, nodes, nullptr, &n));
  CHECK(n == 2 && nodes[0] == b && nodes[1] == c);
  cudaGraphNodeType type;
  CHECK_CUDA(cudaGraphNodeGetType(a, &type));
  CHECK_EQ(type, cudaGraphNodeTypeEmpty);
  CHECK_ERROR(cudaGraphNodeGetType(a, nullptr), cudaErrorInvalidValue);

  // Edges.
  CHECK_ERROR(cudaGraphAddDependencies(graph, &a, &b, nullptr, 1), cudaErrorInvalidValue);  // there already
  CHECK_ERROR(cudaGraphAddDependencies(graph, &a, &a, nullptr, 1), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGraphAddDependencies(graph, &a, &foreign, nullptr, 1), cudaErrorInvalidValue);
  CHECK_CUDA(cudaGraphAddDependencies(graph, &b, &c, nullptr, 1));
  n = 0;
  CHECK_CUDA(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &n));
  CHECK_EQ(n, 5u);
  cudaGraphNode_t from[8], to[8];
  n = 8;
  CHECK_CUDA(cudaGraphGetEdges(graph, from, to, nullptr, &n));
  CHECK(n == 5 && from[0] == a && to[0] == b && from[5] == nullptr && to[5] == nullptr);
  CHECK_CUDA(cudaGraphRemoveDependencies(graph, &b, &c, nullptr, 1));
  CHECK_ERROR(cudaGraphRemoveDependencies(graph, &b, &c, nullptr, 1), cudaErrorInvalidValue);
  CHECK_CUDA(cudaGraphRemoveDependencies(graph, nullptr, nullptr, nullptr, 0));
  // Data is for edges from kernels.
  cudaGraphEdgeData data = {};
  data.type = cudaGraphDependencyTypeProgrammatic;
  data.from_port = cudaGraphKernelNodePortProgrammatic;
  CHECK_ERROR(cudaGraphAddDependencies(graph, &b, &c, &data, 1), cudaErrorInvalidValue);

  // A copy has nodes of its own.
  cudaGraph_t clone = nullptr;
  cudaGraphNode_t twin = nullptr;
  CHECK_CUDA(cudaGraphClone(&clone, graph));
  CHECK_ERROR(cudaGraphClone(nullptr, graph), cudaErrorInvalidValue);
  CHECK_EQ(count(clone), 4u);
  CHECK_CUDA(cudaGraphNodeFindInClone(&twin, d, clone));
  CHECK(twin != d);
  n = 6;
  CHECK_CUDA(cudaGraphNodeGetDependencies(twin, nodes, nullptr, &n));
  CHECK_EQ(n, 2u);
  cudaGraphNode_t none;
  CHECK_ERROR(cudaGraphNodeFindInClone(&none, foreign, clone), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGraphNodeFindInClone(&none, d, other), cudaErrorInvalidValue);
  CHECK_CUDA(cudaGraphDestroyNode(twin));
  CHECK_EQ(count(clone), 3u);
  CHECK_EQ(count(graph), 4u);

  CHECK_CUDA(cudaGraphDestroyNode(a));
  CHECK_OWN_ERROR(cudaGraphDestroyNode(a), cudaErrorInvalidValue);
  n = 6;
  CHECK_CUDA(cudaGraphGetRootNodes(graph, nodes, &n));
  CHECK_EQ(n, 2u);

  CHECK_CUDA(cudaGraphDestroy(clone));
  CHECK_CUDA(cudaGraphDestroy(graph));
  CHECK_OWN_ERROR(cudaGraphDestroy(graph), cudaErrorInvalidValue);
  CHECK_OWN_ERROR(cudaGraphDestroyNode(d), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGraphDestroy(nullptr), cudaErrorInvalidValue);
  CHECK_CUDA(cudaGraphDestroy(other));
  return check_report();
}
