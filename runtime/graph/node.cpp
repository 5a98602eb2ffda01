// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes of graphs. A cudaGraphNode_t is the driver's CUgraphNode.
#include "helicon/gen/runtime_impl.h"
#include "runtime/core/context.h"
#include "runtime/core/convert.h"
#include "runtime/graph/convert.h"
#include "runtime/graph/edges.h"

namespace hel::rt {

static_assert(sizeof(cudaMemsetParams) == sizeof(CUDA_MEMSET_NODE_PARAMS));
static_assert(sizeof(cudaHostNodeParams) == sizeof(CUDA_HOST_NODE_PARAMS));
static_assert(sizeof(cudaMemAllocNodeParams) == sizeof(CUDA_MEM_ALLOC_NODE_PARAMS));
static_assert(sizeof(cudaLaunchAttributeValue) == sizeof(CUlaunchAttributeValue));

Result<void> graph_add_node(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies,
                            const cudaGraphEdgeData *dependencyData, size_t numDependencies,
                            cudaGraphNodeParams *nodeParams) {
  const DriverTable *cu = HEL_TRY(bound_driver());
  if (nodeParams == nullptr) {
    return HEL_FAIL(cudaErrorInvalidValue, "the node's parameters are null");
  }
  CUgraphNodeParams params = HEL_TRY(driver_node(*nodeParams));
  HEL_TRY(check(
      cu->GraphAddNode(pGraphNode, graph, pDependencies, driver_edges(dependencyData), numDependencies, &params)));
  if (nodeParams->type == cudaGraphNodeTypeMemAlloc) {
    nodeParams->alloc.dptr = reinterpret_cast<void *>(params.alloc.dptr);
  } else if (nodeParams->type == cudaGraphNodeTypeGraph) {
    nodeParams->graph.graph = params.graph.graph;
  }
  return {};
}

Result<void> graph_node_set_params(cudaGraphNode_t node, cudaGraphNodeParams *nodeParams) {
  const DriverTable *cu = HEL_TRY(bound_driver());
  if (nodeParams == nullptr) {
    return HEL_FAIL(cudaErrorInvalidValue, "the node's parameters are null");
  }
  CUgraphNodeParams params = HEL_TRY(driver_node(*nodeParams));
  return check(cu->GraphNodeSetParams(node, &params));
}

Result<void> graph_node_get_type(cudaGraphNode_t node, cudaGraphNodeType *pType) {
  return check(HEL_TRY(bound_driver())->GraphNodeGetType(node, reinterpret_cast<CUgraphNodeType *>(pType)));
}

Result<void> graph_node_find_in_clone(cudaGraphNode_t *pNode, cudaGraphNode_t originalNode, cudaGraph_t clonedGraph) {
  return check(HEL_TRY(bound_driver())->GraphNodeFindInClone(pNode, originalNode, clonedGraph));
}

Result<void> graph_destroy_node(cudaGraphNode_t node) { return check(HEL_TRY(bound_driver())->GraphDestroyNode(node)); }

// Kernels.

Result<void> graph_add_kernel_node(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies,
                                   size_t numDependencies, const cudaKernelNodeParams *pNodeParams) {
  CUDA_KERNEL_NODE_PARAMS params = HEL_TRY(driver_kernel(pNodeParams));
  return check(HEL_TRY(driver())->GraphAddKernelNode(pGraphNode, graph, pDependencies, numDependencies, &params));
}

Result<void> graph_kernel_node_get_params(cudaGraphNode_t node, cudaKernelNodeParams *pNodeParams) {
  CUDA_KERNEL_NODE_PARAMS params{};
  HEL_TRY(check(HEL_TRY(bound_driver())->GraphKernelNodeGetParams(node, pNodeParams == nullptr ? nullptr : &params)));
  *pNodeParams = runtime_kernel(params);
  return {};
}

Result<void> graph_kernel_node_set_params(cudaGraphNode_t node, const cudaKernelNodeParams *pNodeParams) {
  CUDA_KERNEL_NODE_PARAMS params = HEL_TRY(driver_kernel(pNodeParams));
  return check(HEL_TRY(driver())->GraphKernelNodeSetParams(node, &params));
}

Result<void> graph_kernel_node_copy_attributes(cudaGraphNode_t hDst, cudaGraphNode_t hSrc) {
  return check(HEL_TRY(bound_driver())->GraphKernelNodeCopyAttributes(hDst, hSrc));
}

Result<void> graph_kernel_node_get_attribute(cudaGraphNode_t hNode, cudaLaunchAttributeID attr,
                                             cudaLaunchAttributeValue *value_out) {
  return check(HEL_TRY(bound_driver())
                   ->GraphKernelNodeGetAttribute(hNode, static_cast<CUkernelNodeAttrID>(attr),
                                                 reinterpret_cast<CUkernelNodeAttrValue *>(value_out)));
}

Result<void> graph_kernel_node_set_attribute(cudaGraphNode_t hNode, cudaLaunchAttributeID attr,
                                             const cudaLaunchAttributeValue *value) {
  return check(HEL_TRY(bound_driver())
                   ->GraphKernelNodeSetAttribute(hNode, static_cast<CUkernelNodeAttrID>(attr),
                                                 reinterpret_cast<const CUkernelNodeAttrValue *>(value)));
}

// Copies.

static Result<void> add_copy(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *dependencies, size_t count,
                             const CUDA_MEMCPY3D &copy) {
  return check(HEL_TRY(bound_driver())->GraphAddMemcpyNode(out, graph, dependencies, count, &copy, nullptr));
}

static Result<void> set_copy(cudaGraphNode_t node, const CUDA_MEMCPY3D &copy) {
  return check(HEL_TRY(bound_driver())->GraphMemcpyNodeSetParams(node, &copy));
}

static Result<CUDA_MEMCPY3D> copy_of(const cudaMemcpy3DParms *params) {
  cudaGraphNodeParams node{};
  if (params == nullptr) {
    return HEL_FAIL(cudaErrorInvalidValue, "the node's parameters are null");
  }
  node.type = cudaGraphNodeTypeMemcpy;
  node.memcpy.copyParams = *params;
  return HEL_TRY(driver_node(node)).memcpy.copyParams;
}

Result<void> graph_add_memcpy_node(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies,
                                   size_t numDependencies, const cudaMemcpy3DParms *pCopyParams) {
  return add_copy(pGraphNode, graph, pDependencies, numDependencies, HEL_TRY(copy_of(pCopyParams)));
}

Result<void> graph_add_memcpy_node_to_symbol(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                             const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                             const void *symbol, const void *src, size_t count, size_t offset,
                                             cudaMemcpyKind kind) {
  return add_copy(pGraphNode, graph, pDependencies, numDependencies,
                  HEL_TRY(driver_copy_to_symbol(symbol, src, count, offset, kind)));
}

Result<void> graph_add_memcpy_node_from_symbol(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                               const cudaGraphNode_t *pDependencies, size_t numDependencies, void *dst,
                                               const void *symbol, size_t count, size_t offset, cudaMemcpyKind kind) {
  return add_copy(pGraphNode, graph, pDependencies, numDependencies,
                  HEL_TRY(driver_copy_from_symbol(dst, symbol, count, offset, kind)));
}

Result<void> graph_add_memcpy_node1d(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                     const cudaGraphNode_t *pDependencies, size_t numDependencies, void *dst,
                                     const void *src, size_t count, cudaMemcpyKind kind) {
  return add_copy(pGraphNode, graph, pDependencies, numDependencies, HEL_TRY(driver_copy_1d(dst, src, count, kind)));
}

Result<void> graph_memcpy_node_get_params(cudaGraphNode_t node, cudaMemcpy3DParms *pNodeParams) {
  CUDA_MEMCPY3D copy{};
  HEL_TRY(check(HEL_TRY(bound_driver())->GraphMemcpyNodeGetParams(node, pNodeParams == nullptr ? nullptr : &copy)));
  *pNodeParams = HEL_TRY(runtime_copy(copy));
  return {};
}

Result<void> graph_memcpy_node_set_params(cudaGraphNode_t node, const cudaMemcpy3DParms *pNodeParams) {
  return set_copy(node, HEL_TRY(copy_of(pNodeParams)));
}

Result<void> graph_memcpy_node_set_params_to_symbol(cudaGraphNode_t node, const void *symbol, const void *src,
                                                    size_t count, size_t offset, cudaMemcpyKind kind) {
  return set_copy(node, HEL_TRY(driver_copy_to_symbol(symbol, src, count, offset, kind)));
}

Result<void> graph_memcpy_node_set_params_from_symbol(cudaGraphNode_t node, void *dst, const void *symbol, size_t count,
                                                      size_t offset, cudaMemcpyKind kind) {
  return set_copy(node, HEL_TRY(driver_copy_from_symbol(dst, symbol, count, offset, kind)));
}

Result<void> graph_memcpy_node_set_params1d(cudaGraphNode_t node, void *dst, const void *src, size_t count,
                                            cudaMemcpyKind kind) {
  return set_copy(node, HEL_TRY(driver_copy_1d(dst, src, count, kind)));
}

// Fills, host functions, child graphs, nothing.

Result<void> graph_add_memset_node(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies,
                                   size_t numDependencies, const cudaMemsetParams *pMemsetParams) {
  return check(HEL_TRY(bound_driver())
                   ->GraphAddMemsetNode(pGraphNode, graph, pDependencies, numDependencies,
                                        reinterpret_cast<const CUDA_MEMSET_NODE_PARAMS *>(pMemsetParams), nullptr));
}

Result<void> graph_memset_node_get_params(cudaGraphNode_t node, cudaMemsetParams *pNodeParams) {
  return check(HEL_TRY(bound_driver())
                   ->GraphMemsetNodeGetParams(node, reinterpret_cast<CUDA_MEMSET_NODE_PARAMS *>(pNodeParams)));
}

Result<void> graph_memset_node_set_params(cudaGraphNode_t node, const cudaMemsetParams *pNodeParams) {
  return check(HEL_TRY(bound_driver())
                   ->GraphMemsetNodeSetParams(node, reinterpret_cast<const CUDA_MEMSET_NODE_PARAMS *>(pNodeParams)));
}

Result<void> graph_add_host_node(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies,
                                 size_t numDependencies, const cudaHostNodeParams *pNodeParams) {
  return check(HEL_TRY(bound_driver())
                   ->GraphAddHostNode(pGraphNode, graph, pDependencies, numDependencies,
                                      reinterpret_cast<const CUDA_HOST_NODE_PARAMS *>(pNodeParams)));
}

Result<void> graph_host_node_get_params(cudaGraphNode_t node, cudaHostNodeParams *pNodeParams) {
  return check(
      HEL_TRY(bound_driver())->GraphHostNodeGetParams(node, reinterpret_cast<CUDA_HOST_NODE_PARAMS *>(pNodeParams)));
}

Result<void> graph_host_node_set_params(cudaGraphNode_t node, const cudaHostNodeParams *pNodeParams) {
  return check(HEL_TRY(bound_driver())
                   ->GraphHostNodeSetParams(node, reinterpret_cast<const CUDA_HOST_NODE_PARAMS *>(pNodeParams)));
}

Result<void> graph_add_child_graph_node(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                        const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                        cudaGraph_t childGraph) {
  return check(
      HEL_TRY(bound_driver())->GraphAddChildGraphNode(pGraphNode, graph, pDependencies, numDependencies, childGraph));
}

Result<void> graph_child_graph_node_get_graph(cudaGraphNode_t node, cudaGraph_t *pGraph) {
  return check(HEL_TRY(bound_driver())->GraphChildGraphNodeGetGraph(node, pGraph));
}

Result<void> graph_add_empty_node(cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies,
                                  size_t numDependencies) {
  return check(HEL_TRY(bound_driver())->GraphAddEmptyNode(pGraphNode, graph, pDependencies, numDependencies));
}

// Events.

Result<void> graph_add_event_record_node(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                         const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                         cudaEvent_t event) {
  return check(
      HEL_TRY(bound_driver())->GraphAddEventRecordNode(pGraphNode, graph, pDependencies, numDependencies, event));
}

Result<void> graph_event_record_node_get_event(cudaGraphNode_t node, cudaEvent_t *event_out) {
  return check(HEL_TRY(bound_driver())->GraphEventRecordNodeGetEvent(node, event_out));
}

Result<void> graph_event_record_node_set_event(cudaGraphNode_t node, cudaEvent_t event) {
  return check(HEL_TRY(bound_driver())->GraphEventRecordNodeSetEvent(node, event));
}

Result<void> graph_add_event_wait_node(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                       const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                       cudaEvent_t event) {
  return check(
      HEL_TRY(bound_driver())->GraphAddEventWaitNode(pGraphNode, graph, pDependencies, numDependencies, event));
}

Result<void> graph_event_wait_node_get_event(cudaGraphNode_t node, cudaEvent_t *event_out) {
  return check(HEL_TRY(bound_driver())->GraphEventWaitNodeGetEvent(node, event_out));
}

Result<void> graph_event_wait_node_set_event(cudaGraphNode_t node, cudaEvent_t event) {
  return check(HEL_TRY(bound_driver())->GraphEventWaitNodeSetEvent(node, event));
}

// Memory.

Result<void> graph_add_mem_alloc_node(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                      const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                      cudaMemAllocNodeParams *nodeParams) {
  return check(HEL_TRY(bound_driver())
                   ->GraphAddMemAllocNode(pGraphNode, graph, pDependencies, numDependencies,
                                          reinterpret_cast<CUDA_MEM_ALLOC_NODE_PARAMS *>(nodeParams)));
}

Result<void> graph_mem_alloc_node_get_params(cudaGraphNode_t node, cudaMemAllocNodeParams *params_out) {
  return check(HEL_TRY(bound_driver())
                   ->GraphMemAllocNodeGetParams(node, reinterpret_cast<CUDA_MEM_ALLOC_NODE_PARAMS *>(params_out)));
}

Result<void> graph_add_mem_free_node(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                     const cudaGraphNode_t *pDependencies, size_t numDependencies, void *dptr) {
  return check(HEL_TRY(bound_driver())
                   ->GraphAddMemFreeNode(pGraphNode, graph, pDependencies, numDependencies, device_pointer(dptr)));
}

Result<void> graph_mem_free_node_get_params(cudaGraphNode_t node, void *dptr_out) {
  return check(HEL_TRY(bound_driver())->GraphMemFreeNodeGetParams(node, static_cast<CUdeviceptr *>(dptr_out)));
}

}  // namespace hel::rt
