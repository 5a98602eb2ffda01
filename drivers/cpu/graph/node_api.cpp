// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points: nodes. Every function for one kind of node is the one for all kinds with that kind's member filled in.
#include "drivers/cpu/core/checks.h"
#include "drivers/cpu/core/device.h"
#include "drivers/cpu/graph/exec.h"
#include "drivers/cpu/graph/graph.h"
#include "helicon/gen/cpu_impl.h"

#include <cstring>

namespace hel::cpu {
namespace {

struct Dependencies {
  const CUgraphNode *nodes;
  const CUgraphEdgeData *data;
  size_t count;
};

Result<void> add_node(CUgraphNode *out, CUgraph graph_handle, const Dependencies &given, CUgraphNodeParams &params) {
  HEL_TRY(check_out(out, "phGraphNode"));
  Lock lock(graph_mutex);
  Ref<Graph> graph = HEL_TRY(find_graph(graph_handle));
  const std::vector<Edge> dependencies = HEL_TRY(read_dependencies(*graph, given.nodes, given.data, given.count));
  if (params.type == CU_GRAPH_NODE_TYPE_GRAPH && params.graph.graph == graph_handle) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "a graph cannot be a child of itself");
  }
  *out = HEL_TRY(graph->add(HEL_TRY(make_work(params)), dependencies))->handle();
  return {};
}

/// Parameters of a node of any kind from the struct of one; earlier versions of a struct are beginnings of the present.
template <auto member, typename Given> CUgraphNodeParams params_of(CUgraphNodeType type, const Given &given) {
  CUgraphNodeParams params{};
  params.type = type;
  static_assert(sizeof(given) <= sizeof(params.*member));
  std::memcpy(&(params.*member), &given, sizeof(given));
  return params;
}

template <auto member, typename Given> Result<void> add(CUgraphNodeType type, CUgraphNode *out, CUgraph graph,
                                                        const Dependencies &dependencies, const Given *given) {
  HEL_TRY(check_out(given, "the node's parameters"));
  CUgraphNodeParams params = params_of<member>(type, *given);
  return add_node(out, graph, dependencies, params);
}

Result<Ref<Node>> find_node_of(CUgraphNode handle, CUgraphNodeType type) {
  Ref<Node> node = HEL_TRY(find_node(handle));
  if (node->type() != type) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "the node is a %s node, not a %s node", name_of(node->type()),
                    name_of(type));
  }
  return node;
}

template <auto member, typename Out> Result<void> get(CUgraphNodeType type, CUgraphNode handle, Out *out) {
  Lock lock(graph_mutex);
  Ref<Node> node = HEL_TRY(find_node_of(handle, type));
  HEL_TRY(check_out(out, "the place for the parameters"));
  CUgraphNodeParams params{};
  describe_work(node->work, params, node->param_pointers);
  std::memcpy(out, &(params.*member), sizeof(*out));
  return {};
}

/// Kinds whose parameters can be set at all.
Result<void> check_settable(CUgraphNodeType type) {
  if (type == CU_GRAPH_NODE_TYPE_MEM_ALLOC || type == CU_GRAPH_NODE_TYPE_MEM_FREE || type == CU_GRAPH_NODE_TYPE_GRAPH ||
      type == CU_GRAPH_NODE_TYPE_EMPTY) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "the parameters of a %s node cannot be set", name_of(type));
  }
  return {};
}

/// Contexts that the caller's struct has no room for stay what they were.
void keep_context(const Work &work, CUgraphNodeParams &params) {
  if (const auto *copy = std::get_if<CopyWork>(&work); copy != nullptr && params.memcpy.copyCtx == nullptr) {
    params.memcpy.copyCtx = copy->context;
  } else if (const auto *fill = std::get_if<FillWork>(&work); fill != nullptr && params.memset.ctx == nullptr) {
    params.memset.ctx = fill->fill.ctx;
  }
}

Result<void> set_node(CUgraphNode handle, CUgraphNodeParams params) {
  Lock lock(graph_mutex);
  Ref<Node> node = HEL_TRY(find_node_of(handle, params.type));
  HEL_TRY(check_settable(params.type));
  keep_context(node->work, params);
  Work work = HEL_TRY(make_work(params));
  if (auto *kernel = std::get_if<KernelWork>(&work)) {
    HEL_TRY(keep_attributes(std::get<KernelWork>(node->work), *kernel));
  }
  node->work = std::move(work);
  return {};
}

template <auto member, typename Given> Result<void> set(CUgraphNodeType type, CUgraphNode node, const Given *given) {
  HEL_TRY(check_out(given, "the node's parameters"));
  return set_node(node, params_of<member>(type, *given));
}

Result<void> set_in_exec(CUgraphExec exec_handle, CUgraphNode handle, CUgraphNodeParams params) {
  HEL_TRY(check_initialized());
  Lock lock(graph_mutex);
  Ref<GraphExec> exec = HEL_TRY(find<GraphExec>(exec_handle));
  Ref<Node> node = HEL_TRY(find_node_of(handle, params.type));
  if (params.type == CU_GRAPH_NODE_TYPE_GRAPH) {
    return exec->update_child(*node, *HEL_TRY(find_graph(params.graph.graph)));
  }
  HEL_TRY(check_settable(params.type));
  keep_context(node->work, params);
  return exec->set_work(*node, HEL_TRY(make_work(params)));
}

template <auto member, typename Given>
Result<void> set_exec(CUgraphNodeType type, CUgraphExec exec, CUgraphNode node, const Given *given) {
  HEL_TRY(check_out(given, "the node's parameters"));
  return set_in_exec(exec, node, params_of<member>(type, *given));
}

CUDA_MEMCPY_NODE_PARAMS copy_params(const CUDA_MEMCPY3D &copy, CUcontext context) {
  CUDA_MEMCPY_NODE_PARAMS params{};
  params.copyCtx = context;
  params.copyParams = copy;
  return params;
}

CUDA_MEMSET_NODE_PARAMS_v2 fill_params(const CUDA_MEMSET_NODE_PARAMS &fill, CUcontext context) {
  return {fill.dst, fill.pitch, fill.value, fill.elementSize, fill.width, fill.height, context};
}

constexpr auto kKernel = &CUgraphNodeParams::kernel;
constexpr auto kCopy = &CUgraphNodeParams::memcpy;
constexpr auto kFill = &CUgraphNodeParams::memset;
constexpr auto kHost = &CUgraphNodeParams::host;
constexpr auto kRecord = &CUgraphNodeParams::eventRecord;
constexpr auto kWait = &CUgraphNodeParams::eventWait;
constexpr auto kAlloc = &CUgraphNodeParams::alloc;
constexpr auto kFree = &CUgraphNodeParams::free;
constexpr auto kChild = &CUgraphNodeParams::graph;
constexpr auto kOperations = &CUgraphNodeParams::memOp;

}  // namespace

Result<void> graph_add_node(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                            const CUgraphEdgeData *dependencyData, size_t numDependencies,
                            CUgraphNodeParams *nodeParams) {
  HEL_TRY(check_out(nodeParams, "nodeParams"));
  HEL_TRY(add_node(phGraphNode, hGraph, {dependencies, dependencyData, numDependencies}, *nodeParams));
  if (nodeParams->type == CU_GRAPH_NODE_TYPE_GRAPH) {
    return graph_child_graph_node_get_graph(*phGraphNode, &nodeParams->graph.graph);
  }
  return {};
}

Result<void> graph_add_node_v1(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                               size_t numDependencies, CUgraphNodeParams *nodeParams) {
  return graph_add_node(phGraphNode, hGraph, dependencies, nullptr, numDependencies, nodeParams);
}

Result<void> graph_node_set_params(CUgraphNode hNode, CUgraphNodeParams *nodeParams) {
  HEL_TRY(check_out(nodeParams, "nodeParams"));
  return set_node(hNode, *nodeParams);
}

Result<void> graph_exec_node_set_params(CUgraphExec hGraphExec, CUgraphNode hNode, CUgraphNodeParams *nodeParams) {
  HEL_TRY(check_out(nodeParams, "nodeParams"));
  return set_in_exec(hGraphExec, hNode, *nodeParams);
}

Result<void> graph_node_get_type(CUgraphNode hNode, CUgraphNodeType *type) {
  Lock lock(graph_mutex);
  Ref<Node> node = HEL_TRY(find_node(hNode));
  HEL_TRY(check_out(type, "type"));
  *type = node->type();
  return {};
}

// Kernels.

Result<void> graph_add_kernel_node(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                                   size_t numDependencies, const CUDA_KERNEL_NODE_PARAMS *nodeParams) {
  return add<kKernel>(CU_GRAPH_NODE_TYPE_KERNEL, phGraphNode, hGraph, {dependencies, nullptr, numDependencies},
                      nodeParams);
}

Result<void> graph_add_kernel_node_v1(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                                      size_t numDependencies, const CUDA_KERNEL_NODE_PARAMS_v1 *nodeParams) {
  return add<kKernel>(CU_GRAPH_NODE_TYPE_KERNEL, phGraphNode, hGraph, {dependencies, nullptr, numDependencies},
                      nodeParams);
}

Result<void> graph_kernel_node_get_params(CUgraphNode hNode, CUDA_KERNEL_NODE_PARAMS *nodeParams) {
  return get<kKernel>(CU_GRAPH_NODE_TYPE_KERNEL, hNode, nodeParams);
}

Result<void> graph_kernel_node_get_params_v1(CUgraphNode hNode, CUDA_KERNEL_NODE_PARAMS_v1 *nodeParams) {
  return get<kKernel>(CU_GRAPH_NODE_TYPE_KERNEL, hNode, nodeParams);
}

Result<void> graph_kernel_node_set_params(CUgraphNode hNode, const CUDA_KERNEL_NODE_PARAMS *nodeParams) {
  return set<kKernel>(CU_GRAPH_NODE_TYPE_KERNEL, hNode, nodeParams);
}

Result<void> graph_kernel_node_set_params_v1(CUgraphNode hNode, const CUDA_KERNEL_NODE_PARAMS_v1 *nodeParams) {
  return set<kKernel>(CU_GRAPH_NODE_TYPE_KERNEL, hNode, nodeParams);
}

Result<void> graph_exec_kernel_node_set_params(CUgraphExec hGraphExec, CUgraphNode hNode,
                                               const CUDA_KERNEL_NODE_PARAMS *nodeParams) {
  return set_exec<kKernel>(CU_GRAPH_NODE_TYPE_KERNEL, hGraphExec, hNode, nodeParams);
}

Result<void> graph_exec_kernel_node_set_params_v1(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                  const CUDA_KERNEL_NODE_PARAMS_v1 *nodeParams) {
  return set_exec<kKernel>(CU_GRAPH_NODE_TYPE_KERNEL, hGraphExec, hNode, nodeParams);
}

Result<void> graph_kernel_node_copy_attributes(CUgraphNode dst, CUgraphNode src) {
  Lock lock(graph_mutex);
  Ref<Node> to = HEL_TRY(find_node_of(dst, CU_GRAPH_NODE_TYPE_KERNEL));
  Ref<Node> from = HEL_TRY(find_node_of(src, CU_GRAPH_NODE_TYPE_KERNEL));
  return keep_attributes(std::get<KernelWork>(from->work), std::get<KernelWork>(to->work));
}

Result<void> graph_kernel_node_get_attribute(CUgraphNode hNode, CUkernelNodeAttrID attr,
                                             CUkernelNodeAttrValue *value_out) {
  Lock lock(graph_mutex);
  Ref<Node> node = HEL_TRY(find_node_of(hNode, CU_GRAPH_NODE_TYPE_KERNEL));
  HEL_TRY(check_out(value_out, "value_out"));
  return get_attribute(std::get<KernelWork>(node->work), attr, *value_out);
}

Result<void> graph_kernel_node_set_attribute(CUgraphNode hNode, CUkernelNodeAttrID attr,
                                             const CUkernelNodeAttrValue *value) {
  Lock lock(graph_mutex);
  Ref<Node> node = HEL_TRY(find_node_of(hNode, CU_GRAPH_NODE_TYPE_KERNEL));
  HEL_TRY(check_out(value, "value"));
  return set_attribute(std::get<KernelWork>(node->work), attr, *value);
}

// Copies and fills.

Result<void> graph_add_memcpy_node(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                                   size_t numDependencies, const CUDA_MEMCPY3D *copyParams, CUcontext ctx) {
  HEL_TRY(check_out(copyParams, "copyParams"));
  const CUDA_MEMCPY_NODE_PARAMS params = copy_params(*copyParams, ctx);
  return add<kCopy>(CU_GRAPH_NODE_TYPE_MEMCPY, phGraphNode, hGraph, {dependencies, nullptr, numDependencies}, &params);
}

Result<void> graph_memcpy_node_get_params(CUgraphNode hNode, CUDA_MEMCPY3D *nodeParams) {
  HEL_TRY(check_out(nodeParams, "nodeParams"));
  CUDA_MEMCPY_NODE_PARAMS params{};
  HEL_TRY(get<kCopy>(CU_GRAPH_NODE_TYPE_MEMCPY, hNode, &params));
  *nodeParams = params.copyParams;
  return {};
}

Result<void> graph_memcpy_node_set_params(CUgraphNode hNode, const CUDA_MEMCPY3D *nodeParams) {
  HEL_TRY(check_out(nodeParams, "nodeParams"));
  const CUDA_MEMCPY_NODE_PARAMS params = copy_params(*nodeParams, nullptr);
  return set<kCopy>(CU_GRAPH_NODE_TYPE_MEMCPY, hNode, &params);
}

Result<void> graph_exec_memcpy_node_set_params(CUgraphExec hGraphExec, CUgraphNode hNode,
                                               const CUDA_MEMCPY3D *copyParams, CUcontext ctx) {
  HEL_TRY(check_out(copyParams, "copyParams"));
  const CUDA_MEMCPY_NODE_PARAMS params = copy_params(*copyParams, ctx);
  return set_exec<kCopy>(CU_GRAPH_NODE_TYPE_MEMCPY, hGraphExec, hNode, &params);
}

Result<void> graph_add_memset_node(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                                   size_t numDependencies, const CUDA_MEMSET_NODE_PARAMS *memsetParams, CUcontext ctx) {
  HEL_TRY(check_out(memsetParams, "memsetParams"));
  const CUDA_MEMSET_NODE_PARAMS_v2 params = fill_params(*memsetParams, ctx);
  return add<kFill>(CU_GRAPH_NODE_TYPE_MEMSET, phGraphNode, hGraph, {dependencies, nullptr, numDependencies}, &params);
}

Result<void> graph_memset_node_get_params(CUgraphNode hNode, CUDA_MEMSET_NODE_PARAMS *nodeParams) {
  return get<kFill>(CU_GRAPH_NODE_TYPE_MEMSET, hNode, nodeParams);
}

Result<void> graph_memset_node_set_params(CUgraphNode hNode, const CUDA_MEMSET_NODE_PARAMS *nodeParams) {
  return set<kFill>(CU_GRAPH_NODE_TYPE_MEMSET, hNode, nodeParams);
}

Result<void> graph_exec_memset_node_set_params(CUgraphExec hGraphExec, CUgraphNode hNode,
                                               const CUDA_MEMSET_NODE_PARAMS *memsetParams, CUcontext ctx) {
  HEL_TRY(check_out(memsetParams, "memsetParams"));
  const CUDA_MEMSET_NODE_PARAMS_v2 params = fill_params(*memsetParams, ctx);
  return set_exec<kFill>(CU_GRAPH_NODE_TYPE_MEMSET, hGraphExec, hNode, &params);
}

// Host functions, child graphs, nothing.

Result<void> graph_add_host_node(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                                 size_t numDependencies, const CUDA_HOST_NODE_PARAMS *nodeParams) {
  return add<kHost>(CU_GRAPH_NODE_TYPE_HOST, phGraphNode, hGraph, {dependencies, nullptr, numDependencies}, nodeParams);
}

Result<void> graph_host_node_get_params(CUgraphNode hNode, CUDA_HOST_NODE_PARAMS *nodeParams) {
  return get<kHost>(CU_GRAPH_NODE_TYPE_HOST, hNode, nodeParams);
}

Result<void> graph_host_node_set_params(CUgraphNode hNode, const CUDA_HOST_NODE_PARAMS *nodeParams) {
  return set<kHost>(CU_GRAPH_NODE_TYPE_HOST, hNode, nodeParams);
}

Result<void> graph_exec_host_node_set_params(CUgraphExec hGraphExec, CUgraphNode hNode,
                                             const CUDA_HOST_NODE_PARAMS *nodeParams) {
  return set_exec<kHost>(CU_GRAPH_NODE_TYPE_HOST, hGraphExec, hNode, nodeParams);
}

Result<void> graph_add_child_graph_node(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                                        size_t numDependencies, CUgraph childGraph) {
  const CUDA_CHILD_GRAPH_NODE_PARAMS params{childGraph, CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE};
  return add<kChild>(CU_GRAPH_NODE_TYPE_GRAPH, phGraphNode, hGraph, {dependencies, nullptr, numDependencies}, &params);
}

Result<void> graph_child_graph_node_get_graph(CUgraphNode hNode, CUgraph *phGraph) {
  HEL_TRY(check_out(phGraph, "phGraph"));
  CUDA_CHILD_GRAPH_NODE_PARAMS params{};
  HEL_TRY(get<kChild>(CU_GRAPH_NODE_TYPE_GRAPH, hNode, &params));
  *phGraph = params.graph;
  return {};
}

Result<void> graph_exec_child_graph_node_set_params(CUgraphExec hGraphExec, CUgraphNode hNode, CUgraph childGraph) {
  const CUDA_CHILD_GRAPH_NODE_PARAMS params{childGraph, CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE};
  return set_exec<kChild>(CU_GRAPH_NODE_TYPE_GRAPH, hGraphExec, hNode, &params);
}

Result<void> graph_add_empty_node(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                                  size_t numDependencies) {
  CUgraphNodeParams params{};
  params.type = CU_GRAPH_NODE_TYPE_EMPTY;
  return add_node(phGraphNode, hGraph, {dependencies, nullptr, numDependencies}, params);
}

// Events.

Result<void> graph_add_event_record_node(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                                         size_t numDependencies, CUevent event) {
  const CUDA_EVENT_RECORD_NODE_PARAMS params{event};
  return add<kRecord>(CU_GRAPH_NODE_TYPE_EVENT_RECORD, phGraphNode, hGraph, {dependencies, nullptr, numDependencies},
                      &params);
}

Result<void> graph_event_record_node_get_event(CUgraphNode hNode, CUevent *event_out) {
  return get<kRecord>(CU_GRAPH_NODE_TYPE_EVENT_RECORD, hNode, event_out);
}

Result<void> graph_event_record_node_set_event(CUgraphNode hNode, CUevent event) {
  return set<kRecord>(CU_GRAPH_NODE_TYPE_EVENT_RECORD, hNode, &event);
}

Result<void> graph_exec_event_record_node_set_event(CUgraphExec hGraphExec, CUgraphNode hNode, CUevent event) {
  return set_exec<kRecord>(CU_GRAPH_NODE_TYPE_EVENT_RECORD, hGraphExec, hNode, &event);
}

Result<void> graph_add_event_wait_node(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                                       size_t numDependencies, CUevent event) {
  const CUDA_EVENT_WAIT_NODE_PARAMS params{event};
  return add<kWait>(CU_GRAPH_NODE_TYPE_WAIT_EVENT, phGraphNode, hGraph, {dependencies, nullptr, numDependencies},
                    &params);
}

Result<void> graph_event_wait_node_get_event(CUgraphNode hNode, CUevent *event_out) {
  return get<kWait>(CU_GRAPH_NODE_TYPE_WAIT_EVENT, hNode, event_out);
}

Result<void> graph_event_wait_node_set_event(CUgraphNode hNode, CUevent event) {
  return set<kWait>(CU_GRAPH_NODE_TYPE_WAIT_EVENT, hNode, &event);
}

Result<void> graph_exec_event_wait_node_set_event(CUgraphExec hGraphExec, CUgraphNode hNode, CUevent event) {
  return set_exec<kWait>(CU_GRAPH_NODE_TYPE_WAIT_EVENT, hGraphExec, hNode, &event);
}

// Memory.

Result<void> graph_add_mem_alloc_node(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                                      size_t numDependencies, CUDA_MEM_ALLOC_NODE_PARAMS *nodeParams) {
  HEL_TRY(check_out(nodeParams, "nodeParams"));
  CUgraphNodeParams params = params_of<kAlloc>(CU_GRAPH_NODE_TYPE_MEM_ALLOC, *nodeParams);
  HEL_TRY(add_node(phGraphNode, hGraph, {dependencies, nullptr, numDependencies}, params));
  nodeParams->dptr = params.alloc.dptr;
  return {};
}

Result<void> graph_mem_alloc_node_get_params(CUgraphNode hNode, CUDA_MEM_ALLOC_NODE_PARAMS *params_out) {
  return get<kAlloc>(CU_GRAPH_NODE_TYPE_MEM_ALLOC, hNode, params_out);
}

Result<void> graph_add_mem_free_node(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                                     size_t numDependencies, CUdeviceptr dptr) {
  return add<kFree>(CU_GRAPH_NODE_TYPE_MEM_FREE, phGraphNode, hGraph, {dependencies, nullptr, numDependencies}, &dptr);
}

Result<void> graph_mem_free_node_get_params(CUgraphNode hNode, CUdeviceptr *dptr_out) {
  return get<kFree>(CU_GRAPH_NODE_TYPE_MEM_FREE, hNode, dptr_out);
}

Result<void> graph_add_batch_mem_op_node(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
                                         size_t numDependencies, const CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams) {
  return add<kOperations>(CU_GRAPH_NODE_TYPE_BATCH_MEM_OP, phGraphNode, hGraph,
                          {dependencies, nullptr, numDependencies}, nodeParams);
}

Result<void> graph_batch_mem_op_node_get_params(CUgraphNode hNode, CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams_out) {
  return get<kOperations>(CU_GRAPH_NODE_TYPE_BATCH_MEM_OP, hNode, nodeParams_out);
}

Result<void> graph_batch_mem_op_node_set_params(CUgraphNode hNode, const CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams) {
  return set<kOperations>(CU_GRAPH_NODE_TYPE_BATCH_MEM_OP, hNode, nodeParams);
}

Result<void> graph_exec_batch_mem_op_node_set_params(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                     const CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams) {
  return set_exec<kOperations>(CU_GRAPH_NODE_TYPE_BATCH_MEM_OP, hGraphExec, hNode, nodeParams);
}

}  // namespace hel::cpu
