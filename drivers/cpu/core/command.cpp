// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/core/command.h"

#include "base/log.h"
#include "drivers/cpu/core/context.h"
#include "drivers/cpu/exec/worker_pool.h"

#include <deque>

namespace hel::cpu {
namespace {

/// Commands that became ready while this thread was inside execute(): it runs them next instead of recursing.
thread_local std::deque<CommandRef> *ready_local = nullptr;

}  // namespace

void execute(CommandRef first);
void submit(CommandRef command);

void submit(CommandRef command) {
  exec::Task task{};
  task.run = [](void *user) { execute(CommandRef::adopt(static_cast<Command *>(user))); };
  task.owner = command->owner_;
  task.kind = command->may_block() ? exec::TaskKind::Host : exec::TaskKind::Short;
  task.user = command.leak();
  exec::WorkerPool::instance().submit(task);
}

CommandRef::CommandRef(Command *command) : command_(command) {
  if (command_ != nullptr) {
    command_->references_.fetch_add(1, std::memory_order_relaxed);
  }
}

CommandRef::CommandRef(const CommandRef &other) : CommandRef(other.command_) {}

CommandRef::~CommandRef() {
  if (command_ != nullptr && command_->references_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    delete command_;
  }
}

void Command::after(const CommandRef &other) {
  if (!other || other->done()) {
    return;
  }
  Lock lock(other->mutex_);
  if (other->done()) {
    return;
  }
  awaited_.fetch_add(1, std::memory_order_relaxed);
  other->dependents_.push_back(CommandRef(this));
}

void Command::release(Place place) {
  context_->command_queued();
  if (awaited_.fetch_sub(1, std::memory_order_acq_rel) != 1) {
    return;
  }
  CommandRef self(this);
  if (place == Place::Worker || may_block()) {
    submit(std::move(self));
    return;
  }
  if (run_unless_faulted() == Progress::Done) {
    for (CommandRef &next : finish()) {
      submit(std::move(next));
    }
  }
}

Command::Progress Command::run_unless_faulted() {
  if (context_->faulted() && !runs_after_fault()) {
    HEL_LOG(stream, 1, "skip command=%s", name());
    return Progress::Done;
  }
  HEL_LOG(stream, 2, "start command=%s", name());
  return run();
}

std::vector<CommandRef> Command::finish() {
  HEL_LOG(stream, 2, "done command=%s", name());
  drop_payload();
  std::vector<CommandRef> ready;
  {
    Lock lock(mutex_);
    done_.store(1, std::memory_order_release);
    ready.swap(dependents_);
  }
  done_.notify_all();
  std::erase_if(ready,
                [](const CommandRef &next) { return next->awaited_.fetch_sub(1, std::memory_order_acq_rel) != 1; });
  context_->command_finished();
  return ready;
}

/// User code goes to the thread that is meant for it, all else stays.
static void run_next_here(std::deque<CommandRef> &ready, CommandRef &next) {
  if (next->may_block()) {
    submit(std::move(next));
  } else {
    ready.push_back(std::move(next));
  }
}

/// Runs a command and then, one after the other, those that it set free; further ones go to other workers.
void execute(CommandRef first) {
  std::deque<CommandRef> ready;
  std::deque<CommandRef> *outer = std::exchange(ready_local, &ready);
  ready.push_back(std::move(first));
  while (!ready.empty()) {
    CommandRef command = std::move(ready.front());
    ready.pop_front();
    for (; !ready.empty(); ready.pop_front()) {
      submit(std::move(ready.front()));
    }
    if (command->run_unless_faulted() == Command::Progress::Done) {
      for (CommandRef &next : command->finish()) {
        run_next_here(ready, next);
      }
    }
  }
  ready_local = outer;
}

void Command::complete() {
  CommandRef self(this);
  for (CommandRef &next : finish()) {
    if (ready_local != nullptr) {
      run_next_here(*ready_local, next);
    } else {
      submit(std::move(next));
    }
  }
}

void Command::wait() const { exec::WorkerPool::instance().help_while(done_, 0, owner_); }

}  // namespace hel::cpu
