// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Executable graphs: a plan, and what it takes to launch and change it.
#pragma once

#include "base/mutex.h"
#include "drivers/cpu/graph/graph.h"
#include "drivers/cpu/graph/plan.h"

#include <cuda.h>

#include <memory>
#include <vector>

namespace hel::cpu {

class Stream;

class GraphExec : public HandleObject<GraphExec, Tag::GraphExec> {
public:
  /// `result`, `error_node`: why it failed.
  static Result<Ref<GraphExec>> make(Graph &graph, unsigned long long flags, CUgraphInstantiateResult *result,
                                     Node **error_node);
  ~GraphExec() override;

  /// The handle ends: the graph may be made executable again, though launches are in flight.
  void retired() { instance_ = nullptr; }
  unsigned long long flags() const { return flags_; }
  Result<void> launch(Stream &stream);
  /// The graph again, as a child of another one.
  const Ref<Graph> &source() const { return source_; }

  /// Gives a node other work of the same kind, from the next launch on.
  Result<void> set_work(const Node &node, Work work);
  Result<void> set_enabled(const Node &node, bool enabled);
  Result<bool> enabled(const Node &node);
  /// Takes over all work of a graph with the same nodes and edges.
  Result<void> update(Graph &graph, CUgraphExecUpdateResultInfo &info);
  /// The same for the graph inside one node.
  Result<void> update_child(const Node &node, Graph &graph);

private:
  GraphExec(unsigned long long flags) : flags_(flags) {}
  /// The flag, or what CUDA_GRAPHS_USE_NODE_PRIORITY says instead.
  bool uses_node_priority() const;
  Result<void> apply(Graph &shape, Graph &graph, CUgraphExecUpdateResultInfo &info) HEL_REQUIRES(mutex_);
  Result<void> check_modules() HEL_REQUIRES(mutex_);
  Result<void> mark_memory() HEL_REQUIRES(mutex_);
  Result<size_t> item_of(const Node &node) HEL_REQUIRES(mutex_);
  /// A launch that is ready to be released; `*tiny`: in the calling thread.
  Result<CommandRef> append_run(Stream &stream, bool *tiny);
  /// The plan, free to be changed.
  Plan &own_plan() HEL_REQUIRES(mutex_);
  void collect() HEL_REQUIRES(mutex_);

  const unsigned long long flags_;
  Ref<Graph> source_;  ///< a private copy: shape, order, user objects
  std::shared_ptr<void> instance_;
  Mutex mutex_;
  std::shared_ptr<Plan> plan_ HEL_GUARDED_BY(mutex_);
  CommandRef last_ HEL_GUARDED_BY(mutex_);  ///< launches of one executable graph follow each other
  const Plan *last_plan_ HEL_GUARDED_BY(mutex_) = nullptr;
  std::vector<Ref<Module>> modules_ HEL_GUARDED_BY(mutex_);
  std::vector<std::shared_ptr<GraphAllocation>> kept_ HEL_GUARDED_BY(mutex_);   ///< allocated and not freed here
  std::vector<std::shared_ptr<GraphAllocation>> freed_ HEL_GUARDED_BY(mutex_);  ///< of other graphs, freed here
};

/// Fails if a node of an executable graph cannot change from one work to the other.
Result<void> check_change(const Work &from, const Work &to);

}  // namespace hel::cpu
