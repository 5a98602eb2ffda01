// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cycles are found when a graph is made executable; flags and results of cudaGraphInstantiateWithParams.
// RUN: %mcc %s -o %t && %run %t
// covers: C-4.2.2.2-01 C-4.2.4-01 C-4.2.6-01
#include "check.h"

#include <cuda_runtime_api.h>

int main() {
  cudaGraph_t graph;
  cudaGraphNode_t a, b, c;
  REQUIRE_CUDA(cudaGraphCreate(&graph, 0));
  CHECK_CUDA(cudaGraphAddEmptyNode(&a, graph, nullptr, 0));
  CHECK_CUDA(cudaGraphAddEmptyNode(&b, graph, &a, 1));
  CHECK_CUDA(cudaGraphAddEmptyNode(&c, graph, &b, 1));
  CHECK_CUDA(cudaGraphAddDependencies(graph, &c, &b, nullptr, 1));
  cudaGraphExec_t exec = nullptr;
  CHECK_ERROR(cudaGraphInstantiate(&exec, graph, 0), cudaErrorInvalidValue);
  cudaGraphInstantiateParams params = {};
  CHECK_ERROR(cudaGraphInstantiateWithParams(&exec, graph, &params), cudaErrorInvalidValue);
  CHECK_EQ(params.result_out, cudaGraphInstantiateInvalidStructure);
  CHECK(params.errNode_out == b || params.errNode_out == c);
  CHECK_ERROR(cudaGraphInstantiateWithParams(&exec, graph, nullptr), cudaErrorInvalidValue);

  CHECK_CUDA(cudaGraphRemoveDependencies(graph, &c, &b, nullptr, 1));
  params.flags = cudaGraphInstantiateFlagUseNodePriority | cudaGraphInstantiateFlagUpload;
  CHECK_CUDA(cudaGraphInstantiateWithParams(&exec, graph, &params));
  CHECK_EQ(params.result_out, cudaGraphInstantiateSuccess);
  unsigned long long flags = 0;
  CHECK_CUDA(cudaGraphExecGetFlags(exec, &flags));
  if (check::is_own_driver())
    CHECK_EQ(flags, (unsigned long long)cudaGraphInstantiateFlagUseNodePriority);
  CHECK_CUDA(cudaGraphLaunch(exec, 0));
  CHECK_CUDA(cudaStreamSynchronize(0));
  CHECK_CUDA(cudaGraphExecDestroy(exec));

  // An empty graph can be launched.
  cudaGraph_t empty;
  CHECK_CUDA(cudaGraphCreate(&empty, 0));
  CHECK_CUDA(cudaGraphInstantiate(&exec, empty, 0));
  CHECK_CUDA(cudaGraphLaunch(exec, 0));
  CHECK_CUDA(cudaStreamSynchronize(0));
  CHECK_CUDA(cudaGraphExecDestroy(exec));

  // Not supported, by name.
  cudaGraphConditionalHandle handle;
  CHECK_OWN_ERROR(cudaGraphConditionalHandleCreate(&handle, graph, 0, 0), cudaErrorNotSupported);
  cudaGraphNodeParams node = {};
  node.type = cudaGraphNodeTypeConditional;
  CHECK_OWN_ERROR(cudaGraphAddNode(&c, graph, nullptr, nullptr, 0, &node), cudaErrorNotSupported);
  node.type = (cudaGraphNodeType)77;
  CHECK_ERROR(cudaGraphAddNode(&c, graph, nullptr, nullptr, 0, &node), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGraphAddNode(&c, graph, nullptr, nullptr, 0, nullptr), cudaErrorInvalidValue);
  return check_report();
}
