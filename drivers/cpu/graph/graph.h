// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs: nodes and what they wait for. A graph is a description; nothing in it runs (plan.h).
//
// Graphs are not thread-safe for programs, but must not break the process: whoever reads or changes one holds
// graph_mutex, from the entry point on. Launches do not need it.
#pragma once

#include "base/mutex.h"
#include "drivers/cpu/core/handle.h"
#include "drivers/cpu/graph/user_object.h"
#include "drivers/cpu/graph/work.h"

#include <cuda.h>

#include <map>
#include <memory>
#include <vector>

namespace hel::cpu {

class Node;

/// Guards all graphs, and the captures that make them. Before every other lock.
extern Mutex graph_mutex;

struct Edge {
  Node *node;
  CUgraphEdgeData data;
};

class Node : public HandleObject<Node, Tag::GraphNode> {
public:
  Node(Graph &graph, Work what) : graph_(graph), work(std::move(what)) {}
  Graph &graph() const { return graph_; }
  CUgraphNodeType type() const { return type_of(work); }

private:
  Graph &graph_;  ///< ends its nodes

public:
  Work work;
  std::vector<Edge> dependencies;
  std::vector<Edge> dependents;
  uint64_t original = 0;               ///< unique id of the node that this one was cloned from
  std::vector<void *> param_pointers;  ///< what cuGraphKernelNodeGetParams gave out
};

class Graph : public HandleObject<Graph, Tag::Graph> {
public:
  ~Graph() override;
  /// Appends a node. Dependencies are nodes of this graph, each once; `data` null: plain ones.
  Result<Ref<Node>> add(Work work, const std::vector<Edge> &dependencies);
  /// Ends the node's handle.
  void remove(Node &node);
  Result<void> connect(Node &from, Node &to, const CUgraphEdgeData &data);
  Result<void> disconnect(Node &from, Node &to, const CUgraphEdgeData &data);
  Result<Ref<Graph>> clone() const;
  /// Ends the handles of the graph and its nodes.
  void close();

  const std::vector<Ref<Node>> &nodes() const { return nodes_; }
  /// Has allocation or free nodes: then it can neither shrink nor be cloned.
  bool has_memory_nodes() const;
  /// Some node of it, or of a graph inside, is `node`.
  bool holds(const Node &node) const;

  std::map<Ref<UserObject>, unsigned, RefLess> objects;  ///< user objects and how often it keeps them
  bool inside_node = false;                              ///< owned by a child graph node
  bool capturing = false;                                ///< a capture adds nodes
  std::weak_ptr<void> instance;                          ///< of a graph with memory nodes: its executable graph

private:
  Result<void> check_freed_once(const FreeWork &release) const;

  std::vector<Ref<Node>> nodes_;  ///< in the order in which they were added
};

/// Looks up what a handle means; null, stale and foreign ones are CUDA_ERROR_INVALID_VALUE.
Result<Ref<Graph>> find_graph(CUgraph handle);
Result<Ref<Node>> find_node(CUgraphNode handle);
/// Dependencies as the API passes them, all of them nodes of `graph`.
Result<std::vector<Edge>> read_dependencies(const Graph &graph, const CUgraphNode *nodes, const CUgraphEdgeData *data,
                                            size_t count);
Result<void> check_edge(const Node &from, const CUgraphEdgeData &data);
bool is_plain(const CUgraphEdgeData &data);

}  // namespace hel::cpu
