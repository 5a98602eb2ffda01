// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steps of a plan: how each kind of node runs.
#include "drivers/cpu/core/context.h"
#include "drivers/cpu/core/stream.h"
#include "drivers/cpu/exec/launch.h"
#include "drivers/cpu/exec/worker_pool.h"
#include "drivers/cpu/graph/plan.h"
#include "drivers/cpu/memory/copy_plan.h"
#include "drivers/cpu/memory/memory_operations.h"
#include "drivers/cpu/module/module.h"

#include <sched.h>
#include <x86intrin.h>

#include <optional>

namespace hel::cpu {
namespace {

/// A launch of up to this many threads is done in place, as if it were one block.
constexpr uint64_t kThreadsInPlace = 1024;
/// Several blocks that take longer than this in place are given to the workers from then on.
constexpr uint64_t kCyclesInPlace = 60'000;

/// Goes on with a branch when another command has ended.
class ResumeCommand : public Command {
public:
  ResumeCommand(Context &context, Branch &branch) : Command(context), branch_(branch) {}
  const char *name() const override { return "graph branch"; }

protected:
  bool runs_after_fault() const override { return true; }
  Progress run() override {
    branch_.resume();
    return Progress::Done;
  }

private:
  Branch &branch_;
};

void resume_after(const CommandRef &command, Branch &branch) {
  CommandRef resume = CommandRef::adopt(new ResumeCommand(branch.graph_run().context(), branch));
  resume->set_owner(branch.graph_run().owner());
  resume->after(command);
  resume->release(Command::Place::Worker);
}

void resume_on_worker(Branch &branch) {
  exec::Task task{};
  task.owner = branch.graph_run().owner();
  task.user = &branch;
  task.run = [](void *user) { static_cast<Branch *>(user)->resume(); };
  exec::WorkerPool::instance().submit(task);
}

class EmptyStep : public Step {
public:
  EmptyStep() { tiny_threads = 0; }
  Outcome run(Branch &) override { return Outcome::Done; }
};

class KernelStep : public Step {
public:
  explicit KernelStep(const KernelWork &work) : context_(work.module->context()) {
    const abi::Dim3 &grid = work.config.grid, &block = work.config.block;
    const uint64_t blocks = uint64_t{grid.x} * grid.y * grid.z;
    const uint64_t threads = uint64_t{block.x} * block.y * block.z;
    one_block_ = blocks == 1;
    has_priority_ = work.config.has_priority;
    describe_launch(launch_, context_, *work.function, work.config, work.params);
    launch_.priority = work.config.priority;
    if (blocks <= kThreadsInPlace && blocks * threads <= kThreadsInPlace) {
      in_place_ = exec::traits_to_run_here(launch_);
      if (in_place_ && exec::is_tiny(launch_, *in_place_)) {
        tiny_threads = blocks * threads;
      }
    }
  }

  Outcome run(Branch &branch) override {
    if (context_.faulted()) {
      return Outcome::Done;
    }
    branch_ = &branch;
    launch_.owner = branch.graph_run().owner();
    if (!has_priority_) {
      launch_.priority = branch.graph_run().priority;
    }
    if (in_place_.has_value() && run_in_place()) {
      return Outcome::Done;
    }
    exec::queue_grid(&launch_, ended, this);
    return Outcome::Later;
  }

private:
  bool run_in_place() {
    if (one_block_) {
      return exec::run_grid_here(&launch_, *in_place_, ended_here, this);
    }
    const uint64_t start = __rdtsc();
    if (!exec::run_grid_here(&launch_, *in_place_, ended_here, this)) {
      return false;
    }
    if (__rdtsc() - start >= kCyclesInPlace) {
      in_place_.reset();
    }
    return true;
  }

  static void ended_here(void *user, std::unique_ptr<exec::FaultReport> fault) {
    if (fault != nullptr) {
      auto &step = *static_cast<KernelStep *>(user);
      step.context_.set_fault(static_cast<CUresult>(fault->code), fault->text);
      step.branch_->graph_run().context().set_fault(static_cast<CUresult>(fault->code), std::move(fault->text));
    }
  }

  static void ended(void *user, std::unique_ptr<exec::FaultReport> fault) {
    ended_here(user, std::move(fault));
    static_cast<KernelStep *>(user)->branch_->resume();
  }

  Context &context_;
  exec::GridLaunch launch_;
  Branch *branch_ = nullptr;
  std::optional<exec::GridTraits> in_place_;  ///< if it is run by the thread that comes to it
  bool one_block_, has_priority_;
};

/// Copies and fills. The memory is looked at again: the program may have freed it since.
class BulkStep : public Step {
public:
  Outcome run(Branch &branch) override {
    Context &context = branch.graph_run().context();
    if (Result<void> there = check(); !there) {
      context.set_fault(CUDA_ERROR_ILLEGAL_ADDRESS,
                        "a node of a graph uses memory that is gone: " + there.failure().message);
      return Outcome::Done;
    }
    if (bytes() < BulkCommand::kSplitBytes) {
      run_now();
      return Outcome::Done;
    }
    CommandRef command = make_command(context);
    command->set_owner(branch.graph_run().owner());
    resume_after(command, branch);
    command->release(Command::Place::Worker);
    return Outcome::Later;
  }

protected:
  virtual Result<void> check() const = 0;
  virtual size_t bytes() const = 0;
  virtual void run_now() const = 0;
  virtual CommandRef make_command(Context &context) const = 0;

  static Result<void> check_end(const void *pointer, size_t bytes, const char *what) {
    const auto address = reinterpret_cast<uintptr_t>(pointer);
    if (in_driver_range(address)) {
      HEL_TRY(check_memory(address, bytes, what));
    }
    return {};
  }
};

class CopyStep : public BulkStep {
public:
  explicit CopyStep(const CopyWork &work) : plan_(work.plan) {}

protected:
  Result<void> check() const override {
    const size_t planes = plan_.depth - 1, rows = plan_.height - 1;
    HEL_TRY(check_end(plan_.source, planes * plan_.source_slice + rows * plan_.source_pitch + plan_.width, "source"));
    return check_end(plan_.target, planes * plan_.target_slice + rows * plan_.target_pitch + plan_.width, "target");
  }
  size_t bytes() const override { return plan_.bytes(); }
  void run_now() const override { copy_now(plan_); }
  CommandRef make_command(Context &context) const override { return make_copy(context, plan_); }

private:
  const CopyPlan plan_;
};

class FillStep : public BulkStep {
public:
  explicit FillStep(const FillWork &work) : plan_(work.plan) {}

protected:
  Result<void> check() const override {
    return check_end(plan_.target, (plan_.height - 1) * plan_.pitch + plan_.width, "target");
  }
  size_t bytes() const override { return plan_.bytes(); }
  void run_now() const override { fill_now(plan_); }
  CommandRef make_command(Context &context) const override { return make_fill(context, plan_); }

private:
  const FillPlan plan_;
};

class HostStep : public Step {
public:
  explicit HostStep(const HostWork &work) : work_(work) {}
  Outcome run(Branch &branch) override {
    branch_ = &branch;
    exec::Task task{};
    task.kind = exec::TaskKind::Host;
    task.owner = branch.graph_run().owner();
    task.user = this;
    task.run = [](void *user) {
      auto &step = *static_cast<HostStep *>(user);
      in_host_function = true;
      step.work_.function(step.work_.user);
      in_host_function = false;
      resume_on_worker(*step.branch_);
    };
    exec::WorkerPool::instance().submit(task);
    return Outcome::Later;
  }

private:
  const HostWork work_;
  Branch *branch_ = nullptr;
};

class RecordStep : public Step {
public:
  explicit RecordStep(const RecordWork &work) : event_(work.event) {}
  bool runs_after_fault() const override { return true; }
  void prepare(GraphRun &run, Context &context) override {
    CommandRef record = event_->begin_record(context);
    record->set_owner(run.owner());
    run.recordings[this] = std::move(record);
  }
  Outcome run(Branch &branch) override {
    branch.graph_run().recordings.at(this)->release(Command::Place::Caller);
    return Outcome::Done;
  }

private:
  const Ref<Event> event_;
};

class WaitStep : public Step {
public:
  explicit WaitStep(const WaitWork &work) : event_(work.event) {}
  bool runs_after_fault() const override { return true; }
  void prepare(GraphRun &run, Context &) override { run.recordings[this] = event_->last_record(); }
  Outcome run(Branch &branch) override {
    const CommandRef &record = branch.graph_run().recordings.at(this);
    if (!record || record->done()) {
      return Outcome::Done;
    }
    resume_after(record, branch);
    return Outcome::Later;
  }

private:
  const Ref<Event> event_;
};

class AllocStep : public Step {
public:
  explicit AllocStep(const AllocWork &work) : memory_(work.memory) {}
  Outcome run(Branch &) override {
    memory_->allocate_now();
    return Outcome::Done;
  }

private:
  const std::shared_ptr<GraphAllocation> memory_;
};

class FreeStep : public Step {
public:
  explicit FreeStep(const FreeWork &work) : memory_(work.memory) {}
  bool runs_after_fault() const override { return true; }
  Outcome run(Branch &) override {
    memory_->free_now();
    return Outcome::Done;
  }

private:
  const std::shared_ptr<GraphAllocation> memory_;
};

class MemoryOperationsStep : public Step {
public:
  explicit MemoryOperationsStep(const MemoryOperationsWork &work) : work_(work) {}
  Outcome run(Branch &branch) override {
    branch_ = &branch;
    next_ = 0;
    if (go_on()) {
      return Outcome::Done;
    }
    look_again();
    return Outcome::Later;
  }

private:
  bool go_on() {
    return run_operations(work_.operations.data(), static_cast<unsigned>(work_.operations.size()), &next_);
  }

  void look_again() {
    exec::Task task{};
    task.owner = branch_->graph_run().owner();
    task.user = this;
    task.run = [](void *user) {
      auto &step = *static_cast<MemoryOperationsStep *>(user);
      sched_yield();
      if (step.branch_->graph_run().context().faulted() || step.go_on()) {
        step.branch_->resume();
      } else {
        step.look_again();
      }
    };
    exec::WorkerPool::instance().submit(task);
  }

  const MemoryOperationsWork work_;
  Branch *branch_ = nullptr;
  unsigned next_ = 0;
};

std::unique_ptr<Step> step_for(const EmptyWork &) { return std::make_unique<EmptyStep>(); }
std::unique_ptr<Step> step_for(const ChildWork &) { return std::make_unique<EmptyStep>(); }
std::unique_ptr<Step> step_for(const KernelWork &work) { return std::make_unique<KernelStep>(work); }
std::unique_ptr<Step> step_for(const CopyWork &work) { return std::make_unique<CopyStep>(work); }
std::unique_ptr<Step> step_for(const FillWork &work) { return std::make_unique<FillStep>(work); }
std::unique_ptr<Step> step_for(const HostWork &work) { return std::make_unique<HostStep>(work); }
std::unique_ptr<Step> step_for(const RecordWork &work) { return std::make_unique<RecordStep>(work); }
std::unique_ptr<Step> step_for(const WaitWork &work) { return std::make_unique<WaitStep>(work); }
std::unique_ptr<Step> step_for(const AllocWork &work) { return std::make_unique<AllocStep>(work); }
std::unique_ptr<Step> step_for(const FreeWork &work) { return std::make_unique<FreeStep>(work); }
std::unique_ptr<Step> step_for(const MemoryOperationsWork &work) {
  return std::make_unique<MemoryOperationsStep>(work);
}

}  // namespace

std::unique_ptr<Step> make_step(const Work &work) {
  return std::visit([](const auto &kind) { return step_for(kind); }, work);
}

}  // namespace hel::cpu
