// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A prepared graph: its steps in an order that can be run as it stands, cut into branches.
//
//   A ─► B ─┬─► C ─► D ─┐            branch 0: A B      branch 1: C D
//           └─► E ──────┴─► F        branch 2: E        branch 3: F (waits for 1 and 2)
//
// A branch runs its steps one after the other in one thread, without any queue between them. A step that goes on
// elsewhere (a large kernel, a host function) resumes its branch when it has ended. Whoever ends a branch runs one of
// those that waited for it, and hands the others to the workers. All of it is set up once; a launch allocates nothing
// for a step.
#pragma once

#include "drivers/cpu/core/command.h"
#include "drivers/cpu/graph/graph.h"

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace hel::cpu {

class Branch;
class GraphExec;
class GraphRun;
class Plan;

/// One node, ready to run.
class Step {
public:
  enum class Outcome {
    Done,
    Later,  ///< somebody will call Branch::resume
  };
  virtual ~Step() = default;
  virtual Outcome run(Branch &branch) = 0;
  /// False for work that is pointless in a context that has faulted.
  virtual bool runs_after_fault() const { return false; }
  /// A pending recording that this step reaches, or looks at; made when the graph is launched.
  virtual void prepare(GraphRun &, Context &) {}
  bool enabled = true;
  /// How many threads it has, if it is a launch that would run in the thread that asks for it; 0: nothing is to be
  /// done.
  std::optional<uint64_t> tiny_threads;
};

std::unique_ptr<Step> make_step(const Work &work);

class Branch {
public:
  /// Runs its next steps. The end of a branch may run others.
  void resume();
  GraphRun &graph_run() const;

private:
  friend class Plan;
  /// False: a step goes on elsewhere.
  bool run_steps();

  Plan *plan_ = nullptr;
  uint32_t first_ = 0, last_ = 0;  ///< in Plan::order_
  uint32_t at_ = 0;
  uint32_t predecessors_ = 0;
  std::atomic<uint32_t> waiting_{0};
  std::vector<uint32_t> successors_;
};

/// A launch of a plan: one command of the stream.
class GraphRun : public Command {
public:
  GraphRun(Context &context, Ref<GraphExec> exec, std::shared_ptr<Plan> plan, int priority);
  ~GraphRun() override;
  const char *name() const override { return "graph"; }
  /// Event nodes get what they record or wait for. In the order of the steps: a wait sees an earlier recording.
  void prepare();

  const int priority;
  std::unordered_map<const Step *, CommandRef> recordings;

protected:
  Progress run() override;
  bool runs_after_fault() const override { return true; }
  void drop_payload() override;

private:
  Ref<GraphExec> exec_;  ///< lives as long as it runs, and with it the user objects
  std::shared_ptr<Plan> plan_;
};

class Plan {
public:
  /// What becomes of one node, with the nodes of child graphs in its place.
  struct Item {
    Work work;
    uint64_t node_id = 0;  ///< unique id of the node; 0: only joins
    std::vector<uint32_t> dependencies;
    bool enabled = true;
  };

  /// Fails with the node that is part of a cycle.
  static Result<std::shared_ptr<Plan>> make(const Graph &graph, Node **error_node);
  /// The same plan with other work, for when this one is still running.
  std::shared_ptr<Plan> copy() const;

  std::span<Item> items() { return items_; }
  /// Index of a node's item, or -1.
  int find(uint64_t node_id) const;
  /// The work of an item was changed.
  void renew(size_t item);
  /// Kernel nodes get the priority of the stream, whatever they ask for.
  void clear_priorities();
  void start(GraphRun &run);
  std::span<const std::unique_ptr<Step>> steps() const { return steps_; }
  bool has_events() const { return has_events_; }
  /// All of it is launches that would run in the thread that asks for them, and together no larger than one of those.
  bool is_tiny() const;

private:
  friend class Branch;
  Plan() = default;
  void prepare();
  void count_size(const Step &step, bool in);
  void cut_into_branches();
  void hand_over(uint32_t index);
  void end_branch(const Branch &branch, int *next);

  std::vector<Item> items_;
  std::unordered_map<uint64_t, uint32_t> index_;  ///< node id to item
  std::vector<uint32_t> order_;                   ///< items, branch by branch
  std::vector<std::unique_ptr<Step>> steps_;      ///< by item
  std::unique_ptr<Branch[]> branches_;
  uint32_t branch_count_ = 0;
  bool has_events_ = false;
  uint64_t tiny_threads_ = 0;            ///< of all steps that have them,
  uint32_t large_steps_ = 0;             ///< and the number of the others
  CommandRef run_;                       ///< the GraphRun that runs; nobody else need keep it until it ends
  std::atomic<uint32_t> unfinished_{0};  ///< branches
};

}  // namespace hel::cpu
