// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/graph/plan.h"

#include "drivers/cpu/core/context.h"
#include "drivers/cpu/exec/launch.h"
#include "drivers/cpu/exec/worker_pool.h"
#include "drivers/cpu/graph/exec.h"

namespace hel::cpu {
namespace {

/// Writes the nodes of a graph, and of the graphs inside, one after the other.
class Flattener {
public:
  explicit Flattener(std::vector<Plan::Item> &items) : items_(items) {}

  /// `entry`: what the graph's first nodes wait for, or nothing. Returns the last nodes.
  Result<std::vector<uint32_t>> flatten(const Graph &graph, const std::vector<uint32_t> &entry, Node **error_node) {
    std::unordered_map<const Node *, uint32_t> exits;
    std::unordered_map<const Node *, size_t> open;
    std::vector<Node *> ready;
    for (const Ref<Node> &node : graph.nodes()) {
      open[node.get()] = node->dependencies.size();
      if (node->dependencies.empty()) {
        ready.push_back(node.get());
      }
    }
    std::vector<uint32_t> last;
    for (size_t i = 0; i < ready.size(); i++) {
      Node &node = *ready[i];
      exits[&node] = HEL_TRY(place(node, exits, entry, error_node));
      if (node.dependents.empty()) {
        last.push_back(exits[&node]);
      }
      for (const Edge &edge : node.dependents) {
        if (--open[edge.node] == 0) {
          ready.push_back(edge.node);
        }
      }
    }
    if (ready.size() != graph.nodes().size()) {
      *error_node = first_open(graph, open);
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "the graph has a cycle");
    }
    return last;
  }

private:
  static Node *first_open(const Graph &graph, std::unordered_map<const Node *, size_t> &open) {
    for (const Ref<Node> &node : graph.nodes()) {
      if (open[node.get()] != 0) {
        return node.get();
      }
    }
    return nullptr;
  }

  uint32_t append(Work work, uint64_t node_id, std::vector<uint32_t> dependencies) {
    items_.push_back({std::move(work), node_id, std::move(dependencies)});
    return static_cast<uint32_t>(items_.size() - 1);
  }

  Result<uint32_t> place(const Node &node, const std::unordered_map<const Node *, uint32_t> &exits,
                         const std::vector<uint32_t> &entry, Node **error_node) {
    std::vector<uint32_t> dependencies = node.dependencies.empty() ? entry : std::vector<uint32_t>();
    for (const Edge &edge : node.dependencies) {
      dependencies.push_back(exits.at(edge.node));
    }
    const auto *child = std::get_if<ChildWork>(&node.work);
    if (child == nullptr) {
      return append(node.work, node.unique_id(), std::move(dependencies));
    }
    // The child begins when all that its node waits for has ended, and ends as a whole.
    const uint32_t begin = append(EmptyWork{}, node.unique_id(), std::move(dependencies));
    std::vector<uint32_t> last = HEL_TRY(flatten(*child->graph, {begin}, error_node));
    return last.empty() ? begin : append(EmptyWork{}, 0, std::move(last));
  }

  std::vector<Plan::Item> &items_;
};

}  // namespace

Result<std::shared_ptr<Plan>> Plan::make(const Graph &graph, Node **error_node) {
  std::shared_ptr<Plan> plan(new Plan);
  HEL_TRY(Flattener(plan->items_).flatten(graph, {}, error_node));
  plan->prepare();
  return plan;
}

std::shared_ptr<Plan> Plan::copy() const {
  std::shared_ptr<Plan> plan(new Plan);
  plan->items_ = items_;
  plan->prepare();
  return plan;
}

void Plan::prepare() {
  for (uint32_t i = 0; i < items_.size(); i++) {
    if (items_[i].node_id != 0) {
      index_[items_[i].node_id] = i;
    }
    const CUgraphNodeType type = type_of(items_[i].work);
    has_events_ |= type == CU_GRAPH_NODE_TYPE_EVENT_RECORD || type == CU_GRAPH_NODE_TYPE_WAIT_EVENT;
    steps_.push_back(nullptr);
    renew(i);
  }
  cut_into_branches();
}

int Plan::find(uint64_t node_id) const {
  auto found = index_.find(node_id);
  return found == index_.end() ? -1 : static_cast<int>(found->second);
}

void Plan::renew(size_t item) {
  if (steps_[item] != nullptr) {
    count_size(*steps_[item], false);
  }
  steps_[item] = make_step(items_[item].work);
  steps_[item]->enabled = items_[item].enabled;
  count_size(*steps_[item], true);
}

void Plan::count_size(const Step &step, bool in) {
  if (step.tiny_threads) {
    tiny_threads_ += in ? *step.tiny_threads : -*step.tiny_threads;
  } else {
    large_steps_ += in ? 1 : -1u;
  }
}

bool Plan::is_tiny() const { return large_steps_ == 0 && tiny_threads_ <= exec::kTinyThreads; }

void Plan::clear_priorities() {
  for (size_t i = 0; i < items_.size(); i++) {
    if (auto *kernel = std::get_if<KernelWork>(&items_[i].work); kernel != nullptr && kernel->config.has_priority) {
      kernel->config.has_priority = false;
      renew(i);
    }
  }
}

/// Items stand in an order in which each comes after its dependencies. An item goes on with the branch of its only
/// dependency if it is that one's only successor.
void Plan::cut_into_branches() {
  constexpr uint32_t kNone = UINT32_MAX;
  const size_t count = items_.size();
  std::vector<std::vector<uint32_t>> successors(count);
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t dependency : items_[i].dependencies) {
      successors[dependency].push_back(i);
    }
  }
  auto goes_on = [&](uint32_t i) {
    return successors[i].size() == 1 && items_[successors[i][0]].dependencies.size() == 1 ? successors[i][0] : kNone;
  };
  std::vector<uint32_t> branch_of(count, kNone);
  std::vector<std::pair<uint32_t, uint32_t>> ranges;
  for (uint32_t i = 0; i < count; i++) {
    if (branch_of[i] != kNone) {
      continue;
    }
    const auto first = static_cast<uint32_t>(order_.size());
    for (uint32_t at = i; at != kNone; at = goes_on(at)) {
      branch_of[at] = static_cast<uint32_t>(ranges.size());
      order_.push_back(at);
    }
    ranges.emplace_back(first, static_cast<uint32_t>(order_.size()));
  }
  branch_count_ = static_cast<uint32_t>(ranges.size());
  branches_ = std::make_unique<Branch[]>(branch_count_);
  for (uint32_t b = 0; b < branch_count_; b++) {
    Branch &branch = branches_[b];
    branch.plan_ = this;
    branch.first_ = ranges[b].first;
    branch.last_ = ranges[b].second;
    branch.predecessors_ = static_cast<uint32_t>(items_[order_[branch.first_]].dependencies.size());
    for (uint32_t successor : successors[order_[branch.last_ - 1]]) {
      branch.successors_.push_back(branch_of[successor]);
    }
  }
}

void Plan::start(GraphRun &run) {
  run_ = CommandRef(run);
  unfinished_.store(branch_count_, std::memory_order_relaxed);
  for (uint32_t b = 0; b < branch_count_; b++) {
    branches_[b].at_ = branches_[b].first_;
    branches_[b].waiting_.store(branches_[b].predecessors_, std::memory_order_relaxed);
  }
  int own = -1;
  for (uint32_t b = 0; b < branch_count_; b++) {
    if (branches_[b].predecessors_ != 0) {
      continue;
    }
    if (own < 0) {
      own = static_cast<int>(b);
    } else {
      hand_over(b);
    }
  }
  branches_[own].resume();
}

void Plan::hand_over(uint32_t index) {
  exec::Task task{};
  task.owner = run_->owner();
  task.user = &branches_[index];
  task.run = [](void *branch) { static_cast<Branch *>(branch)->resume(); };
  exec::WorkerPool::instance().submit(task);
}

/// `*next`: a branch that can go on in this thread, or -1.
void Plan::end_branch(const Branch &branch, int *next) {
  *next = -1;
  for (uint32_t successor : branch.successors_) {
    if (branches_[successor].waiting_.fetch_sub(1, std::memory_order_acq_rel) != 1) {
      continue;
    }
    if (*next < 0) {
      *next = static_cast<int>(successor);
    } else {
      hand_over(successor);
    }
  }
  if (unfinished_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    const CommandRef run = std::move(run_);  // its end may start the plan anew, or delete it
    run->complete();
  }
}

GraphRun &Branch::graph_run() const { return static_cast<GraphRun &>(*plan_->run_); }

bool Branch::run_steps() {
  while (at_ < last_) {
    Step &step = *plan_->steps_[plan_->order_[at_++]];
    if (!step.enabled || (!step.runs_after_fault() && graph_run().context().faulted())) {
      continue;
    }
    if (step.run(*this) == Step::Outcome::Later) {
      return false;
    }
  }
  return true;
}

void Branch::resume() {
  Plan *const plan = plan_;
  for (Branch *branch = this; branch->run_steps();) {
    int next = -1;
    plan->end_branch(*branch, &next);
    if (next < 0) {
      return;
    }
    branch = &plan->branches_[next];
  }
}

GraphRun::GraphRun(Context &context, Ref<GraphExec> exec, std::shared_ptr<Plan> plan, int priority)
    : Command(context), priority(priority), exec_(std::move(exec)), plan_(std::move(plan)) {}

GraphRun::~GraphRun() = default;

void GraphRun::drop_payload() {
  recordings.clear();
  plan_ = nullptr;
  exec_ = nullptr;
}

void GraphRun::prepare() {
  if (!plan_->has_events()) {
    return;
  }
  for (const std::unique_ptr<Step> &step : plan_->steps()) {
    step->prepare(*this, context());
  }
}

Command::Progress GraphRun::run() {
  if (plan_->steps().empty()) {
    return Progress::Done;
  }
  const CommandRef self(*this);  // it may end before start() returns
  plan_->start(*this);
  return Progress::Later;
}

}  // namespace hel::cpu
