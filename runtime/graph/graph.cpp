// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs as a whole, executable graphs, user objects. The handles are the driver's.
#include "helicon/gen/runtime_impl.h"
#include "runtime/core/context.h"
#include "runtime/graph/edges.h"

namespace hel::rt {

Result<void> graph_create(cudaGraph_t *pGraph, unsigned int flags) {
  return check(HEL_TRY(bound_driver())->GraphCreate(pGraph, flags));
}

Result<void> graph_clone(cudaGraph_t *pGraphClone, cudaGraph_t originalGraph) {
  return check(HEL_TRY(bound_driver())->GraphClone(pGraphClone, originalGraph));
}

Result<void> graph_destroy(cudaGraph_t graph) { return check(HEL_TRY(bound_driver())->GraphDestroy(graph)); }

Result<void> graph_get_nodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *numNodes) {
  return check(HEL_TRY(bound_driver())->GraphGetNodes(graph, nodes, numNodes));
}

Result<void> graph_get_root_nodes(cudaGraph_t graph, cudaGraphNode_t *pRootNodes, size_t *pNumRootNodes) {
  return check(HEL_TRY(bound_driver())->GraphGetRootNodes(graph, pRootNodes, pNumRootNodes));
}

Result<void> graph_get_edges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, cudaGraphEdgeData *edgeData,
                             size_t *numEdges) {
  return check(HEL_TRY(bound_driver())->GraphGetEdges(graph, from, to, driver_edges(edgeData), numEdges));
}

Result<void> graph_node_get_dependencies(cudaGraphNode_t node, cudaGraphNode_t *pDependencies,
                                         cudaGraphEdgeData *edgeData, size_t *pNumDependencies) {
  return check(
      HEL_TRY(bound_driver())->GraphNodeGetDependencies(node, pDependencies, driver_edges(edgeData), pNumDependencies));
}

Result<void> graph_node_get_dependent_nodes(cudaGraphNode_t node, cudaGraphNode_t *pDependentNodes,
                                            cudaGraphEdgeData *edgeData, size_t *pNumDependentNodes) {
  return check(HEL_TRY(bound_driver())
                   ->GraphNodeGetDependentNodes(node, pDependentNodes, driver_edges(edgeData), pNumDependentNodes));
}

Result<void> graph_add_dependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                    const cudaGraphEdgeData *edgeData, size_t numDependencies) {
  return check(HEL_TRY(bound_driver())->GraphAddDependencies(graph, from, to, driver_edges(edgeData), numDependencies));
}

Result<void> graph_remove_dependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                       const cudaGraphEdgeData *edgeData, size_t numDependencies) {
  return check(
      HEL_TRY(bound_driver())->GraphRemoveDependencies(graph, from, to, driver_edges(edgeData), numDependencies));
}

Result<void> graph_debug_dot_print(cudaGraph_t graph, const char *path, unsigned int flags) {
  return check(HEL_TRY(bound_driver())->GraphDebugDotPrint(graph, path, flags));
}

Result<void> graph_instantiate(cudaGraphExec_t *pGraphExec, cudaGraph_t graph, unsigned long long flags) {
  return graph_instantiate_with_flags(pGraphExec, graph, flags);
}

Result<void> graph_instantiate_with_flags(cudaGraphExec_t *pGraphExec, cudaGraph_t graph, unsigned long long flags) {
  return check(HEL_TRY(bound_driver())->GraphInstantiateWithFlags(pGraphExec, graph, flags));
}

Result<void> graph_instantiate_with_params(cudaGraphExec_t *pGraphExec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams *instantiateParams) {
  static_assert(sizeof(cudaGraphInstantiateParams) == sizeof(CUDA_GRAPH_INSTANTIATE_PARAMS));
  return check(HEL_TRY(bound_driver())
                   ->GraphInstantiateWithParams(pGraphExec, graph,
                                                reinterpret_cast<CUDA_GRAPH_INSTANTIATE_PARAMS *>(instantiateParams)));
}

Result<void> graph_exec_get_flags(cudaGraphExec_t graphExec, unsigned long long *flags) {
  return check(HEL_TRY(bound_driver())->GraphExecGetFlags(graphExec, reinterpret_cast<cuuint64_t *>(flags)));
}

Result<void> graph_exec_update(cudaGraphExec_t hGraphExec, cudaGraph_t hGraph,
                               cudaGraphExecUpdateResultInfo *resultInfo) {
  static_assert(sizeof(cudaGraphExecUpdateResultInfo) == sizeof(CUgraphExecUpdateResultInfo));
  return check(HEL_TRY(bound_driver())
                   ->GraphExecUpdate(hGraphExec, hGraph, reinterpret_cast<CUgraphExecUpdateResultInfo *>(resultInfo)));
}

Result<void> graph_upload(cudaGraphExec_t graphExec, cudaStream_t stream) {
  return check(HEL_TRY(bound_driver())->GraphUpload(graphExec, stream));
}

Result<void> graph_launch(cudaGraphExec_t graphExec, cudaStream_t stream) {
  return check(HEL_TRY(bound_driver())->GraphLaunch(graphExec, stream));
}

Result<void> graph_exec_destroy(cudaGraphExec_t graphExec) {
  return check(HEL_TRY(bound_driver())->GraphExecDestroy(graphExec));
}

Result<void> user_object_create(cudaUserObject_t *object_out, void *ptr, cudaHostFn_t destroy,
                                unsigned int initialRefcount, unsigned int flags) {
  return check(HEL_TRY(bound_driver())->UserObjectCreate(object_out, ptr, destroy, initialRefcount, flags));
}

Result<void> user_object_retain(cudaUserObject_t object, unsigned int count) {
  return check(HEL_TRY(bound_driver())->UserObjectRetain(object, count));
}

Result<void> user_object_release(cudaUserObject_t object, unsigned int count) {
  return check(HEL_TRY(bound_driver())->UserObjectRelease(object, count));
}

Result<void> graph_retain_user_object(cudaGraph_t graph, cudaUserObject_t object, unsigned int count,
                                      unsigned int flags) {
  return check(HEL_TRY(bound_driver())->GraphRetainUserObject(graph, object, count, flags));
}

Result<void> graph_release_user_object(cudaGraph_t graph, cudaUserObject_t object, unsigned int count) {
  return check(HEL_TRY(bound_driver())->GraphReleaseUserObject(graph, object, count));
}

Result<void> graph_conditional_handle_create(cudaGraphConditionalHandle *pHandle_out, cudaGraph_t graph,
                                             unsigned int defaultLaunchValue, unsigned int flags) {
  return check(HEL_TRY(bound_driver())
                   ->GraphConditionalHandleCreate(reinterpret_cast<CUgraphConditionalHandle *>(pHandle_out), graph,
                                                  nullptr, defaultLaunchValue, flags));
}

Result<void> device_graph_mem_trim(int device) {
  HEL_TRY(check_device(device));
  return check(HEL_TRY(driver())->DeviceGraphMemTrim(device));
}

Result<void> device_get_graph_mem_attribute(int device, cudaGraphMemAttributeType attr, void *value) {
  HEL_TRY(check_device(device));
  return check(HEL_TRY(driver())->DeviceGetGraphMemAttribute(device, static_cast<CUgraphMem_attribute>(attr), value));
}

Result<void> device_set_graph_mem_attribute(int device, cudaGraphMemAttributeType attr, void *value) {
  HEL_TRY(check_device(device));
  return check(HEL_TRY(driver())->DeviceSetGraphMemAttribute(device, static_cast<CUgraphMem_attribute>(attr), value));
}

}  // namespace hel::rt
