// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points: graphs as a whole, their nodes and edges.
#include "drivers/cpu/core/checks.h"
#include "drivers/cpu/core/device.h"
#include "drivers/cpu/graph/dot.h"
#include "drivers/cpu/graph/graph.h"
#include "helicon/gen/cpu_impl.h"

#include <algorithm>

namespace hel::cpu {
namespace {

/// Graphs that the program may take apart.
Result<Ref<Graph>> find_changeable(CUgraph handle) {
  Ref<Graph> graph = HEL_TRY(find_graph(handle));
  if (graph->has_memory_nodes()) {
    return HEL_FAIL(CUDA_ERROR_NOT_SUPPORTED,
                    "a graph with memory nodes can neither lose nodes or edges nor be cloned");
  }
  return graph;
}

/// Lists as the API gives them out: `*count` is the room, then the number; room that is left becomes null.
template <typename List, typename Get>
Result<void> give_list(const List &list, CUgraphNode *out, size_t *count, Get get) {
  HEL_TRY(check_out(count, "the number"));
  if (out != nullptr) {
    for (size_t i = 0; i < *count; i++) {
      out[i] = i < list.size() ? get(list[i]) : nullptr;
    }
    *count = std::min(*count, list.size());
  } else {
    *count = list.size();
  }
  return {};
}

Result<void> give_edges(const std::vector<Edge> &edges, CUgraphNode *out, CUgraphEdgeData *data, size_t *count) {
  HEL_TRY(check_out(count, "the number"));
  const size_t room = out == nullptr ? 0 : std::min(*count, edges.size());
  for (size_t i = 0; i < room; i++) {
    if (data != nullptr) {
      data[i] = edges[i].data;
    } else if (!is_plain(edges[i].data)) {
      return HEL_FAIL(CUDA_ERROR_LOSSY_QUERY, "an edge has data, and no place for it was given");
    }
  }
  return give_list(edges, out, count, [](const Edge &edge) { return edge.node->handle(); });
}

struct EdgeEnds {
  Ref<Node> from, to;
  CUgraphEdgeData data{};
};

Result<std::vector<EdgeEnds>> read_edges(const Graph &graph, const CUgraphNode *from, const CUgraphNode *to,
                                         const CUgraphEdgeData *data, size_t count) {
  if (count != 0 && (from == nullptr || to == nullptr)) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%zu edges at null", count);
  }
  std::vector<EdgeEnds> edges;
  for (size_t i = 0; i < count; i++) {
    edges.push_back(
        {HEL_TRY(find_node(from[i])), HEL_TRY(find_node(to[i])), data == nullptr ? CUgraphEdgeData{} : data[i]});
    if (&edges.back().from->graph() != &graph || &edges.back().to->graph() != &graph) {
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "edge %zu has an end outside of the graph", i);
    }
  }
  return edges;
}

}  // namespace

Result<void> graph_create(CUgraph *phGraph, unsigned int flags) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(phGraph, "phGraph"));
  HEL_TRY(check_flags(flags, 0));
  Lock lock(graph_mutex);
  *phGraph = HEL_TRY(publish(new Graph))->handle();
  return {};
}

Result<void> graph_destroy(CUgraph hGraph) {
  Lock lock(graph_mutex);
  Ref<Graph> graph = HEL_TRY(find_graph(hGraph));
  if (graph->inside_node || graph->capturing) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "the graph %s",
                    graph->capturing ? "is being captured" : "belongs to a node of another one");
  }
  graph->close();
  return {};
}

Result<void> graph_clone(CUgraph *phGraphClone, CUgraph originalGraph) {
  HEL_TRY(check_out(phGraphClone, "phGraphClone"));
  Lock lock(graph_mutex);
  Ref<Graph> graph = HEL_TRY(find_changeable(originalGraph));
  *phGraphClone = HEL_TRY(graph->clone())->handle();
  return {};
}

Result<void> graph_node_find_in_clone(CUgraphNode *phNode, CUgraphNode hOriginalNode, CUgraph hClonedGraph) {
  HEL_TRY(check_out(phNode, "phNode"));
  Lock lock(graph_mutex);
  Ref<Node> original = HEL_TRY(find_node(hOriginalNode));
  Ref<Graph> clone = HEL_TRY(find_graph(hClonedGraph));
  for (const Ref<Node> &node : clone->nodes()) {
    if (node->original == original->unique_id()) {
      *phNode = node->handle();
      return {};
    }
  }
  return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "the graph has no copy of the node");
}

Result<void> graph_destroy_node(CUgraphNode hNode) {
  Lock lock(graph_mutex);
  Ref<Node> node = HEL_TRY(find_node(hNode));
  HEL_TRY(find_changeable(node->graph().handle()));
  if (node->graph().capturing) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "the graph is being captured");
  }
  node->graph().remove(*node);
  return {};
}

Result<void> graph_get_nodes(CUgraph hGraph, CUgraphNode *nodes, size_t *numNodes) {
  Lock lock(graph_mutex);
  Ref<Graph> graph = HEL_TRY(find_graph(hGraph));
  return give_list(graph->nodes(), nodes, numNodes, [](const Ref<Node> &node) { return node->handle(); });
}

Result<void> graph_get_root_nodes(CUgraph hGraph, CUgraphNode *rootNodes, size_t *numRootNodes) {
  Lock lock(graph_mutex);
  Ref<Graph> graph = HEL_TRY(find_graph(hGraph));
  std::vector<Ref<Node>> roots = graph->nodes();
  std::erase_if(roots, [](const Ref<Node> &node) { return !node->dependencies.empty(); });
  return give_list(roots, rootNodes, numRootNodes, [](const Ref<Node> &node) { return node->handle(); });
}

Result<void> graph_get_edges(CUgraph hGraph, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *edgeData,
                             size_t *numEdges) {
  Lock lock(graph_mutex);
  Ref<Graph> graph = HEL_TRY(find_graph(hGraph));
  HEL_TRY(check_out(numEdges, "numEdges"));
  if ((from == nullptr) != (to == nullptr)) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "from and to are either both null or both given");
  }
  std::vector<Edge> sources;
  std::vector<CUgraphNode> targets;
  for (const Ref<Node> &node : graph->nodes()) {
    for (const Edge &edge : node->dependencies) {
      sources.push_back(edge);
      targets.push_back(node->handle());
    }
  }
  size_t same = *numEdges;
  HEL_TRY(give_edges(sources, from, edgeData, numEdges));
  return give_list(targets, to, &same, [](CUgraphNode node) { return node; });
}

Result<void> graph_get_edges_v1(CUgraph hGraph, CUgraphNode *from, CUgraphNode *to, size_t *numEdges) {
  return graph_get_edges(hGraph, from, to, nullptr, numEdges);
}

Result<void> graph_node_get_dependencies(CUgraphNode hNode, CUgraphNode *dependencies, CUgraphEdgeData *edgeData,
                                         size_t *numDependencies) {
  Lock lock(graph_mutex);
  return give_edges(HEL_TRY(find_node(hNode))->dependencies, dependencies, edgeData, numDependencies);
}

Result<void> graph_node_get_dependencies_v1(CUgraphNode hNode, CUgraphNode *dependencies, size_t *numDependencies) {
  return graph_node_get_dependencies(hNode, dependencies, nullptr, numDependencies);
}

Result<void> graph_node_get_dependent_nodes(CUgraphNode hNode, CUgraphNode *dependentNodes, CUgraphEdgeData *edgeData,
                                            size_t *numDependentNodes) {
  Lock lock(graph_mutex);
  return give_edges(HEL_TRY(find_node(hNode))->dependents, dependentNodes, edgeData, numDependentNodes);
}

Result<void> graph_node_get_dependent_nodes_v1(CUgraphNode hNode, CUgraphNode *dependentNodes,
                                               size_t *numDependentNodes) {
  return graph_node_get_dependent_nodes(hNode, dependentNodes, nullptr, numDependentNodes);
}

Result<void> graph_add_dependencies(CUgraph hGraph, const CUgraphNode *from, const CUgraphNode *to,
                                    const CUgraphEdgeData *edgeData, size_t numDependencies) {
  Lock lock(graph_mutex);
  Ref<Graph> graph = HEL_TRY(find_graph(hGraph));
  for (const EdgeEnds &edge : HEL_TRY(read_edges(*graph, from, to, edgeData, numDependencies))) {
    HEL_TRY(graph->connect(*edge.from, *edge.to, edge.data));
  }
  return {};
}

Result<void> graph_add_dependencies_v1(CUgraph hGraph, const CUgraphNode *from, const CUgraphNode *to,
                                       size_t numDependencies) {
  return graph_add_dependencies(hGraph, from, to, nullptr, numDependencies);
}

Result<void> graph_remove_dependencies(CUgraph hGraph, const CUgraphNode *from, const CUgraphNode *to,
                                       const CUgraphEdgeData *edgeData, size_t numDependencies) {
  Lock lock(graph_mutex);
  Ref<Graph> graph = HEL_TRY(find_changeable(hGraph));
  for (const EdgeEnds &edge : HEL_TRY(read_edges(*graph, from, to, edgeData, numDependencies))) {
    HEL_TRY(graph->disconnect(*edge.from, *edge.to, edge.data));
  }
  return {};
}

Result<void> graph_remove_dependencies_v1(CUgraph hGraph, const CUgraphNode *from, const CUgraphNode *to,
                                          size_t numDependencies) {
  return graph_remove_dependencies(hGraph, from, to, nullptr, numDependencies);
}

Result<void> graph_debug_dot_print(CUgraph hGraph, const char *path, unsigned int flags) {
  HEL_TRY(check_out(path, "path"));
  Lock lock(graph_mutex);
  return print_dot(*HEL_TRY(find_graph(hGraph)), path, flags);
}

Result<void> graph_conditional_handle_create(CUgraphConditionalHandle *pHandle_out, CUgraph hGraph, CUcontext ctx,
                                             unsigned int defaultLaunchValue, unsigned int flags) {
  return HEL_FAIL_KIND(CUDA_ERROR_NOT_SUPPORTED, Unsupported, "conditional nodes are not supported");
}

Result<void> device_graph_mem_trim(CUdevice device) {
  HEL_TRY(graph_pool(*HEL_TRY(find_device(device))))->trim_graphs();
  return {};
}

Result<void> device_get_graph_mem_attribute(CUdevice device, CUgraphMem_attribute attr, void *value) {
  Ref<GraphPool> pool = HEL_TRY(graph_pool(*HEL_TRY(find_device(device))));
  HEL_TRY(check_out(value, "value"));
  *static_cast<cuuint64_t *>(value) = HEL_TRY(pool->graph_attribute(attr));
  return {};
}

Result<void> device_set_graph_mem_attribute(CUdevice device, CUgraphMem_attribute attr, void *value) {
  Ref<GraphPool> pool = HEL_TRY(graph_pool(*HEL_TRY(find_device(device))));
  HEL_TRY(check_out(value, "value"));
  if (*static_cast<cuuint64_t *>(value) != 0) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "a high mark can only be set to 0");
  }
  return pool->reset_high(attr);
}

}  // namespace hel::cpu
