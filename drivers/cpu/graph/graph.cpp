// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/graph/graph.h"

#include "drivers/cpu/core/device.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>

namespace hel::cpu {

Mutex graph_mutex;

namespace {

auto edge_to(std::vector<Edge> &edges, const Node &node) {
  return std::find_if(edges.begin(), edges.end(), [&](const Edge &edge) { return edge.node == &node; });
}

Result<Work> clone_work(const Work &work) {
  const auto *child = std::get_if<ChildWork>(&work);
  if (child == nullptr) {
    return Work(work);
  }
  Ref<Graph> copy = HEL_TRY(child->graph->clone());
  copy->inside_node = true;
  return Work(ChildWork{std::move(copy)});
}

}  // namespace

Graph::~Graph() {
  for (auto &[object, count] : objects) {
    object->graph_release(count);
  }
}

Result<void> Graph::check_freed_once(const FreeWork &release) const {
  for (const Ref<Node> &node : nodes_) {
    if (const auto *other = std::get_if<FreeWork>(&node->work); other != nullptr && other->memory == release.memory) {
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "0x%llx is freed by another node of the graph already",
                      static_cast<unsigned long long>(release.pointer));
    }
  }
  return {};
}

Result<Ref<Node>> Graph::add(Work work, const std::vector<Edge> &dependencies) {
  if (const auto *release = std::get_if<FreeWork>(&work)) {
    HEL_TRY(check_freed_once(*release));
  }
  Ref<Node> node = HEL_TRY(publish(new Node(*this, std::move(work))));
  for (const Edge &edge : dependencies) {
    node->dependencies.push_back(edge);
    edge.node->dependents.push_back({node.get(), edge.data});
  }
  nodes_.push_back(node);
  return node;
}

void Graph::remove(Node &node) {
  const Ref<Node> keep(node);
  for (const Edge &edge : node.dependencies) {
    edge.node->dependents.erase(edge_to(edge.node->dependents, node));
  }
  for (const Edge &edge : node.dependents) {
    edge.node->dependencies.erase(edge_to(edge.node->dependencies, node));
  }
  std::erase_if(nodes_, [&](const Ref<Node> &other) { return other.get() == &node; });
  if (auto *child = std::get_if<ChildWork>(&node.work)) {
    child->graph->close();
  }
  (void)retire<Node>(node.handle());
}

Result<void> Graph::connect(Node &from, Node &to, const CUgraphEdgeData &data) {
  if (&from == &to || edge_to(to.dependencies, from) != to.dependencies.end()) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE,
                    &from == &to ? "a node cannot depend on itself" : "the nodes are connected already");
  }
  HEL_TRY(check_edge(from, data));
  to.dependencies.push_back({&from, data});
  from.dependents.push_back({&to, data});
  return {};
}

Result<void> Graph::disconnect(Node &from, Node &to, const CUgraphEdgeData &data) {
  auto edge = edge_to(to.dependencies, from);
  if (edge == to.dependencies.end() || std::memcmp(&edge->data, &data, sizeof(data)) != 0) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "the nodes are not connected by such an edge");
  }
  to.dependencies.erase(edge);
  from.dependents.erase(edge_to(from.dependents, to));
  return {};
}

Result<Ref<Graph>> Graph::clone() const {
  Ref<Graph> copy = HEL_TRY(publish(new Graph));
  std::unordered_map<const Node *, Node *> copies;
  for (const Ref<Node> &node : nodes_) {
    Ref<Node> twin = HEL_TRY(copy->add(HEL_TRY(clone_work(node->work)), {}));
    twin->original = node->unique_id();
    copies[node.get()] = twin.get();
  }
  for (const Ref<Node> &node : nodes_) {
    for (const Edge &edge : node->dependencies) {
      copies[node.get()]->dependencies.push_back({copies[edge.node], edge.data});
    }
    for (const Edge &edge : node->dependents) {
      copies[node.get()]->dependents.push_back({copies[edge.node], edge.data});
    }
  }
  for (const auto &[object, count] : objects) {
    object->graph_retain(count);
    copy->objects[object] = count;
  }
  return copy;
}

void Graph::close() {
  for (const Ref<Node> &node : nodes_) {
    if (auto *child = std::get_if<ChildWork>(&node->work)) {
      child->graph->close();
    }
    (void)retire<Node>(node->handle());
  }
  nodes_.clear();
  (void)retire<Graph>(handle());
}

bool Graph::has_memory_nodes() const {
  return std::any_of(nodes_.begin(), nodes_.end(), [](const Ref<Node> &node) {
    const auto *child = std::get_if<ChildWork>(&node->work);
    return node->type() == CU_GRAPH_NODE_TYPE_MEM_ALLOC || node->type() == CU_GRAPH_NODE_TYPE_MEM_FREE ||
           (child != nullptr && child->graph->has_memory_nodes());
  });
}

bool Graph::holds(const Node &node) const {
  return std::any_of(nodes_.begin(), nodes_.end(), [&](const Ref<Node> &own) {
    const auto *child = std::get_if<ChildWork>(&own->work);
    return own.get() == &node || (child != nullptr && child->graph->holds(node));
  });
}

Result<Ref<Graph>> find_graph(CUgraph handle) {
  HEL_TRY(check_initialized());
  return find<Graph>(handle);
}

Result<Ref<Node>> find_node(CUgraphNode handle) {
  HEL_TRY(check_initialized());
  return find<Node>(handle);
}

bool is_plain(const CUgraphEdgeData &data) {
  constexpr CUgraphEdgeData kPlain{};
  return std::memcmp(&data, &kPlain, sizeof(data)) == 0;
}

/// An edge that may let its target begin early lets it begin at the end here.
Result<void> check_edge(const Node &from, const CUgraphEdgeData &data) {
  constexpr unsigned char kNone[sizeof(data.reserved)] = {};
  const bool kernel = from.type() == CU_GRAPH_NODE_TYPE_KERNEL;
  const unsigned last_port = kernel ? CU_GRAPH_KERNEL_NODE_PORT_LAUNCH_ORDER : 0;
  const bool programmatic = data.type == CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC;
  if (data.from_port > last_port || data.to_port != 0 || data.type > CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC ||
      (programmatic && (!kernel || data.from_port == 0)) || std::memcmp(data.reserved, kNone, sizeof(kNone)) != 0) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "an edge from a %s node cannot have ports %u and %u and type %u",
                    name_of(from.type()), data.from_port, data.to_port, data.type);
  }
  return {};
}

Result<std::vector<Edge>> read_dependencies(const Graph &graph, const CUgraphNode *nodes, const CUgraphEdgeData *data,
                                            size_t count) {
  if (count != 0 && nodes == nullptr) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%zu dependencies at null", count);
  }
  std::vector<Edge> edges;
  for (size_t i = 0; i < count; i++) {
    Ref<Node> node = HEL_TRY(find_node(nodes[i]));
    if (&node->graph() != &graph) {
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "dependency %zu is a node of another graph", i);
    }
    if (edge_to(edges, *node) != edges.end()) {
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "dependency %zu is named twice", i);
    }
    const CUgraphEdgeData kind = data == nullptr ? CUgraphEdgeData{} : data[i];
    HEL_TRY(check_edge(*node, kind));
    edges.push_back({node.get(), kind});
  }
  return edges;
}

}  // namespace hel::cpu
