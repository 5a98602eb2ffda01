// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Child graphs: copied or given away, nested, updated; and host nodes' parameters.
// RUN: %mcc %s -o %t && %run %t
// covers: C-4.2.1-01 C-4.2.3-02 C-4.2.5-02
#include "check.h"

__global__ void add(int *data, int value) { *data += value; }

static cudaGraphNode_t add_kernel(cudaGraph_t graph, int *d, int value, cudaGraphNode_t after) {
  void *args[] = {&d, &value};
  cudaKernelNodeParams k = {};
  k.func = (void *)add;
  k.gridDim = k.blockDim = dim3(1);
  k.kernelParams = args;
  cudaGraphNode_t node = nullptr;
  CHECK_CUDA(cudaGraphAddKernelNode(&node, graph, &after, after != nullptr, &k));
  return node;
}
static void one(void *p) { *static_cast<int *>(p) += 1; }
static void two(void *p) { *static_cast<int *>(p) += 2; }

int main() {
  int *d, host = 0;
  REQUIRE_CUDA(cudaMalloc(&d, 4));
  CHECK_CUDA(cudaMemset(d, 0, 4));
  cudaGraph_t inner, middle, outer, got;
  REQUIRE_CUDA(cudaGraphCreate(&inner, 0));
  REQUIRE_CUDA(cudaGraphCreate(&middle, 0));
  REQUIRE_CUDA(cudaGraphCreate(&outer, 0));
  cudaGraphNode_t a = add_kernel(inner, d, 1, nullptr), child, child2, last;
  add_kernel(inner, d, 10, a);
  CHECK_CUDA(cudaGraphAddChildGraphNode(&child, middle, nullptr, 0, inner));
  add_kernel(inner, d, 5000, a);  // a copy was made
  CHECK_CUDA(cudaGraphAddChildGraphNode(&child2, outer, nullptr, 0, middle));
  last = add_kernel(outer, d, 100, child2);
  CHECK_OWN_ERROR(cudaGraphAddChildGraphNode(&child, outer, nullptr, 0, outer), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGraphAddChildGraphNode(&child, outer, nullptr, 0, nullptr), cudaErrorInvalidValue);

  cudaGraphExec_t exec;
  REQUIRE_CUDA(cudaGraphInstantiate(&exec, outer, 0));
  auto run = [&] {
    CHECK_CUDA(cudaMemset(d, 0, 4));
    CHECK_CUDA(cudaGraphLaunch(exec, 0));
    CHECK_CUDA(cudaMemcpy(&host, d, 4, cudaMemcpyDeviceToHost));
    return host;
  };
  CHECK_EQ(run(), 111);

  CHECK_CUDA(cudaGraphChildGraphNodeGetGraph(child2, &got));
  CHECK(got != middle);
  CHECK_ERROR(cudaGraphChildGraphNodeGetGraph(last, &got), cudaErrorInvalidValue);
  CHECK_OWN_ERROR(cudaGraphDestroy(got), cudaErrorInvalidValue);  // belongs to the node
  size_t n = 0;
  CHECK_CUDA(cudaGraphGetNodes(got, nullptr, &n));
  CHECK_EQ(n, 1u);

  // The child of an executable graph takes the parameters of a graph of the same shape.
  cudaGraph_t other, other_inner;
  CHECK_CUDA(cudaGraphCreate(&other, 0));
  CHECK_CUDA(cudaGraphCreate(&other_inner, 0));
  add_kernel(other_inner, d, 3, add_kernel(other_inner, d, 2, nullptr));
  CHECK_CUDA(cudaGraphAddChildGraphNode(&child, other, nullptr, 0, other_inner));
  CHECK_CUDA(cudaGraphExecChildGraphNodeSetParams(exec, child2, other));
  CHECK_EQ(run(), 105);
  CHECK_ERROR(cudaGraphExecChildGraphNodeSetParams(exec, child2, other_inner), cudaErrorGraphExecUpdateFailure);
  CHECK_ERROR(cudaGraphExecChildGraphNodeSetParams(exec, last, other), cudaErrorInvalidValue);
  CHECK_EQ(run(), 105);

  // Given away instead of copied.
  cudaGraph_t moved, holder;
  CHECK_CUDA(cudaGraphCreate(&moved, 0));
  CHECK_CUDA(cudaGraphCreate(&holder, 0));
  add_kernel(moved, d, 7, nullptr);
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeGraph;
  params.graph.graph = moved;
  params.graph.ownership = cudaGraphChildGraphOwnershipMove;
  CHECK_CUDA(cudaGraphAddNode(&child, holder, nullptr, nullptr, 0, &params));
  CHECK_CUDA(cudaGraphChildGraphNodeGetGraph(child, &got));
  CHECK(got == moved);
  CHECK_ERROR(cudaGraphDestroy(moved), cudaErrorInvalidValue);
  CHECK_CUDA(cudaGraphDestroy(holder));
  CHECK_ERROR(cudaGraphGetNodes(moved, nullptr, &n), cudaErrorInvalidValue);

  // Host nodes.
  int calls = 0;
  cudaGraph_t hosts;
  cudaGraphNode_t h;
  CHECK_CUDA(cudaGraphCreate(&hosts, 0));
  cudaHostNodeParams hp = {one, &calls}, hp_back = {};
  CHECK_CUDA(cudaGraphAddHostNode(&h, hosts, nullptr, 0, &hp));
  CHECK_CUDA(cudaGraphHostNodeGetParams(h, &hp_back));
  CHECK(hp_back.fn == one && hp_back.userData == &calls);
  cudaGraphExec_t hosts_exec;
  REQUIRE_CUDA(cudaGraphInstantiate(&hosts_exec, hosts, 0));
  hp.fn = two;
  CHECK_CUDA(cudaGraphExecHostNodeSetParams(hosts_exec, h, &hp));
  CHECK_CUDA(cudaGraphHostNodeSetParams(h, &hp));
  CHECK_CUDA(cudaGraphLaunch(hosts_exec, 0));
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(calls, 2);
  hp.fn = nullptr;
  CHECK_ERROR(cudaGraphHostNodeSetParams(h, &hp), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGraphAddHostNode(&h, hosts, nullptr, 0, nullptr), cudaErrorInvalidValue);
  return check_report();
}
