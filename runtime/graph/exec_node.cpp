// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes of executable graphs: their parameters, switched on or off.
#include "helicon/gen/runtime_impl.h"
#include "runtime/core/context.h"
#include "runtime/graph/convert.h"

namespace hel::rt {
namespace {

Result<void> set_copy(cudaGraphExec_t exec, cudaGraphNode_t node, const CUDA_MEMCPY3D &copy) {
  return check(HEL_TRY(bound_driver())->GraphExecMemcpyNodeSetParams(exec, node, &copy, nullptr));
}

}  // namespace

Result<void> graph_exec_node_set_params(cudaGraphExec_t graphExec, cudaGraphNode_t node,
                                        cudaGraphNodeParams *nodeParams) {
  const DriverTable *cu = HEL_TRY(bound_driver());
  if (nodeParams == nullptr) {
    return HEL_FAIL(cudaErrorInvalidValue, "the node's parameters are null");
  }
  CUgraphNodeParams params = HEL_TRY(driver_node(*nodeParams));
  return check(cu->GraphExecNodeSetParams(graphExec, node, &params));
}

Result<void> graph_exec_kernel_node_set_params(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                               const cudaKernelNodeParams *pNodeParams) {
  CUDA_KERNEL_NODE_PARAMS params = HEL_TRY(driver_kernel(pNodeParams));
  return check(HEL_TRY(driver())->GraphExecKernelNodeSetParams(hGraphExec, node, &params));
}

Result<void> graph_exec_memcpy_node_set_params(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                               const cudaMemcpy3DParms *pNodeParams) {
  if (pNodeParams == nullptr) {
    return HEL_FAIL(cudaErrorInvalidValue, "the node's parameters are null");
  }
  cudaGraphNodeParams params{};
  params.type = cudaGraphNodeTypeMemcpy;
  params.memcpy.copyParams = *pNodeParams;
  return set_copy(hGraphExec, node, HEL_TRY(driver_node(params)).memcpy.copyParams);
}

Result<void> graph_exec_memcpy_node_set_params_to_symbol(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                                         const void *symbol, const void *src, size_t count,
                                                         size_t offset, cudaMemcpyKind kind) {
  return set_copy(hGraphExec, node, HEL_TRY(driver_copy_to_symbol(symbol, src, count, offset, kind)));
}

Result<void> graph_exec_memcpy_node_set_params_from_symbol(cudaGraphExec_t hGraphExec, cudaGraphNode_t node, void *dst,
                                                           const void *symbol, size_t count, size_t offset,
                                                           cudaMemcpyKind kind) {
  return set_copy(hGraphExec, node, HEL_TRY(driver_copy_from_symbol(dst, symbol, count, offset, kind)));
}

Result<void> graph_exec_memcpy_node_set_params1d(cudaGraphExec_t hGraphExec, cudaGraphNode_t node, void *dst,
                                                 const void *src, size_t count, cudaMemcpyKind kind) {
  return set_copy(hGraphExec, node, HEL_TRY(driver_copy_1d(dst, src, count, kind)));
}

Result<void> graph_exec_memset_node_set_params(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                               const cudaMemsetParams *pNodeParams) {
  return check(HEL_TRY(bound_driver())
                   ->GraphExecMemsetNodeSetParams(
                       hGraphExec, node, reinterpret_cast<const CUDA_MEMSET_NODE_PARAMS *>(pNodeParams), nullptr));
}

Result<void> graph_exec_host_node_set_params(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                             const cudaHostNodeParams *pNodeParams) {
  return check(
      HEL_TRY(bound_driver())
          ->GraphExecHostNodeSetParams(hGraphExec, node, reinterpret_cast<const CUDA_HOST_NODE_PARAMS *>(pNodeParams)));
}

Result<void> graph_exec_child_graph_node_set_params(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                                    cudaGraph_t childGraph) {
  return check(HEL_TRY(bound_driver())->GraphExecChildGraphNodeSetParams(hGraphExec, node, childGraph));
}

Result<void> graph_exec_event_record_node_set_event(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode,
                                                    cudaEvent_t event) {
  return check(HEL_TRY(bound_driver())->GraphExecEventRecordNodeSetEvent(hGraphExec, hNode, event));
}

Result<void> graph_exec_event_wait_node_set_event(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode,
                                                  cudaEvent_t event) {
  return check(HEL_TRY(bound_driver())->GraphExecEventWaitNodeSetEvent(hGraphExec, hNode, event));
}

Result<void> graph_node_set_enabled(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode, unsigned int isEnabled) {
  return check(HEL_TRY(bound_driver())->GraphNodeSetEnabled(hGraphExec, hNode, isEnabled));
}

Result<void> graph_node_get_enabled(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode, unsigned int *isEnabled) {
  return check(HEL_TRY(bound_driver())->GraphNodeGetEnabled(hGraphExec, hNode, isEnabled));
}

}  // namespace hel::rt
