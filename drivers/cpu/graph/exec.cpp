// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/graph/exec.h"

#include "base/platform_variable.h"
#include "drivers/cpu/core/device.h"
#include "drivers/cpu/core/stream.h"

#include <algorithm>

namespace hel::cpu {
namespace {

Result<void> check_instantiate_flags(unsigned long long flags) {
  constexpr unsigned long long kKnown = CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH |
                                        CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD | CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH |
                                        CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY;
  if ((flags & ~kKnown) != 0) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "flags 0x%llx are unknown", flags & ~kKnown);
  }
  if ((flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH) != 0) {
    return HEL_FAIL_KIND(CUDA_ERROR_NOT_SUPPORTED, Unsupported,
                         "graphs that kernels launch (CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH) are not supported");
  }
  return {};
}

}  // namespace

GraphExec::~GraphExec() {
  if (source_) {
    source_->close();  // nobody else has its handles
  }
}

bool GraphExec::uses_node_priority() const {
  if (platform_text(PlatformVariable::GraphsUseNodePriority) != nullptr) {
    return is_on(PlatformVariable::GraphsUseNodePriority);
  }
  return (flags_ & CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY) != 0;
}

Result<Ref<GraphExec>> GraphExec::make(Graph &graph, unsigned long long flags, CUgraphInstantiateResult *result,
                                       Node **error_node) {
  *result = CUDA_GRAPH_INSTANTIATE_ERROR;
  HEL_TRY(check_instantiate_flags(flags));
  const bool memory = graph.has_memory_nodes();
  if (memory && !graph.instance.expired()) {
    return HEL_FAIL(CUDA_ERROR_NOT_SUPPORTED, "a graph with memory nodes has one executable graph at a time");
  }
  *result = CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE;
  std::shared_ptr<Plan> plan = HEL_TRY(Plan::make(graph, error_node));
  *result = CUDA_GRAPH_INSTANTIATE_ERROR;
  Ref<GraphExec> exec = HEL_TRY(publish(new GraphExec(flags)));
  if (!exec->uses_node_priority()) {
    plan->clear_priorities();
  }
  exec->source_ = HEL_TRY(graph.clone());
  if (memory) {
    exec->instance_ = std::make_shared<int>();
    graph.instance = exec->instance_;
  }
  Lock lock(exec->mutex_);
  exec->plan_ = std::move(plan);
  exec->collect();
  *result = CUDA_GRAPH_INSTANTIATE_SUCCESS;
  return exec;
}

void GraphExec::collect() {
  modules_.clear();
  kept_.clear();
  freed_.clear();
  for (const Plan::Item &item : plan_->items()) {
    if (const auto *kernel = std::get_if<KernelWork>(&item.work)) {
      auto same = [&](const Ref<Module> &module) { return module.get() == kernel->module.get(); };
      if (std::none_of(modules_.begin(), modules_.end(), same)) {
        modules_.push_back(kernel->module);
      }
    } else if (const auto *alloc = std::get_if<AllocWork>(&item.work)) {
      kept_.push_back(alloc->memory);
    } else if (const auto *release = std::get_if<FreeWork>(&item.work)) {
      auto own = std::find(kept_.begin(), kept_.end(), release->memory);
      if (own == kept_.end()) {
        freed_.push_back(release->memory);
      } else {
        kept_.erase(own);
      }
    }
  }
}

Result<void> GraphExec::check_modules() {
  for (const Ref<Module> &module : modules_) {
    if (!module->alive()) {
      return HEL_FAIL(CUDA_ERROR_CONTEXT_IS_DESTROYED, "a kernel of the graph was unloaded, or its context destroyed");
    }
  }
  return {};
}

/// What this launch allocates and frees, as of its place among launches and frees.
Result<void> GraphExec::mark_memory() {
  const bool auto_free = (flags_ & CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH) != 0;
  for (const auto &memory : kept_) {
    if (!memory->valid() || (memory->is_allocated() && !auto_free)) {
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "memory at 0x%llx is still allocated by an earlier launch",
                      static_cast<unsigned long long>(memory->address()));
    }
  }
  for (const auto &memory : freed_) {
    if (!memory->valid() || !memory->is_allocated()) {
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "memory at 0x%llx is not allocated, and the graph frees it",
                      static_cast<unsigned long long>(memory->address()));
    }
  }
  for (const auto &memory : kept_) {
    memory->mark_allocated();
  }
  for (const auto &memory : freed_) {
    memory->mark_freed();
  }
  return {};
}

Result<void> GraphExec::launch(Stream &stream) {
  bool tiny = false;
  const CommandRef command = HEL_TRY(append_run(stream, &tiny));
  command->release(tiny ? Command::Place::Caller : Command::Place::Worker);
  return {};
}

/// Launches of this graph have one order in their streams and among each other.
Result<CommandRef> GraphExec::append_run(Stream &stream, bool *tiny) {
  Lock lock(mutex_);
  HEL_TRY(check_modules());
  HEL_TRY(mark_memory());
  CommandRef command =
      CommandRef::adopt(new GraphRun(stream.context(), Ref<GraphExec>(*this), plan_, stream.priority()));
  command->set_owner(&stream);
  static_cast<GraphRun &>(*command).prepare();
  const CommandRef before = std::exchange(last_, command);
  last_plan_ = plan_.get();
  // A context whose kernels run here waits for the graph before it goes.
  std::vector<CommandRef> fences;
  for (const Ref<Module> &module : modules_) {
    if (Context &other = module->context(); &other != &stream.context()) {
      fences.push_back(CommandRef::adopt(new FenceCommand(other)));
      fences.back()->after(command);
    }
  }
  for (const CommandRef &fence : fences) {
    fence->release(Command::Place::Worker);
  }
  stream.append(command, before);
  *tiny = plan_->is_tiny();
  return command;
}

Plan &GraphExec::own_plan() {
  if (last_ && !last_->done() && last_plan_ == plan_.get()) {
    plan_ = plan_->copy();
  }
  return *plan_;
}

Result<size_t> GraphExec::item_of(const Node &node) {
  const int item = plan_->find(node.unique_id());
  if (item < 0) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "the node is not one of the graph that was instantiated");
  }
  return static_cast<size_t>(item);
}

Result<void> GraphExec::set_work(const Node &node, Work work) {
  Lock lock(mutex_);
  const size_t item = HEL_TRY(item_of(node));
  HEL_TRY(check_change(plan_->items()[item].work, work));
  Plan &plan = own_plan();
  if (auto *kernel = std::get_if<KernelWork>(&work)) {
    HEL_TRY(keep_attributes(std::get<KernelWork>(plan.items()[item].work), *kernel));
    kernel->config.has_priority &= uses_node_priority();
  }
  plan.items()[item].work = std::move(work);
  plan.renew(item);
  collect();
  return {};
}

Result<void> GraphExec::set_enabled(const Node &node, bool enabled) {
  Lock lock(mutex_);
  const size_t item = HEL_TRY(item_of(node));
  const CUgraphNodeType type = type_of(plan_->items()[item].work);
  if (type != CU_GRAPH_NODE_TYPE_KERNEL && type != CU_GRAPH_NODE_TYPE_MEMSET && type != CU_GRAPH_NODE_TYPE_MEMCPY) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "a %s node cannot be switched off", name_of(node.type()));
  }
  Plan &plan = own_plan();
  plan.items()[item].enabled = enabled;
  plan.renew(item);
  return {};
}

Result<bool> GraphExec::enabled(const Node &node) {
  Lock lock(mutex_);
  return static_cast<bool>(plan_->items()[HEL_TRY(item_of(node))].enabled);
}

}  // namespace hel::cpu
