// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/core/command.h"

#include "base/log.h"
#include "drivers/cpu/core/context.h"
#include "drivers/cpu/exec/worker_pool.h"

#include <algorithm>
#include <deque>
#include <memory>

namespace hel::cpu {
namespace {

/// Commands that became ready while this thread was inside execute(): it runs them next instead of recursing.
HEL_THREAD_LOCAL constinit std::deque<CommandRef> *ready_local = nullptr;

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

CommandRef::CommandRef(Command &command) : command_(&command) {
  command.references_.fetch_add(1, std::memory_order_relaxed);
}

CommandRef::CommandRef(const CommandRef &other) : command_(other.command_) {
  if (command_ != nullptr) {
    command_->references_.fetch_add(1, std::memory_order_relaxed);
  }
}

/// Who has the only reference need not count: nobody else can take one meanwhile.
void CommandRef::drop() {
  if (command_->references_.load(std::memory_order_acquire) == 1 ||
      command_->references_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    delete command_;
  }
}

void Command::after(const CommandRef &other) {
  if (!other || other->done()) {
    return;
  }
  awaited_.fetch_add(1, std::memory_order_relaxed);
  auto *dependent = new Dependent{CommandRef(*this), other->dependents_.load(std::memory_order_acquire)};
  while (dependent->next != closed()) {
    if (other->dependents_.compare_exchange_weak(dependent->next, dependent, std::memory_order_acq_rel,
                                                 std::memory_order_acquire)) {
      return;
    }
  }
  awaited_.fetch_sub(1, std::memory_order_relaxed);
  delete dependent;
}

/// One thing less to wait for. Where it is the only one left, nobody else counts.
bool Command::nothing_awaited() {
  return awaited_.load(std::memory_order_acquire) == 1 || awaited_.fetch_sub(1, std::memory_order_acq_rel) == 1;
}

void Command::release(Place place) {
  context_->command_queued();
  if (!nothing_awaited()) {
    return;
  }
  if (place == Place::Worker || may_block()) {
    submit(CommandRef(*this));
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

/// Those that waited for nothing else, in the order in which they came.
std::vector<CommandRef> Command::finish() {
  HEL_LOG(stream, 2, "done command=%s", name());
  drop_payload();
  done_.store(1, std::memory_order_release);
  Dependent *last = dependents_.exchange(closed(), std::memory_order_acq_rel);
  done_.notify_all();
  std::vector<CommandRef> ready;
  while (last != nullptr) {
    const std::unique_ptr<Dependent> dependent(last);
    if (dependent->command->nothing_awaited()) {
      ready.push_back(std::move(dependent->command));
    }
    last = dependent->next;
  }
  std::reverse(ready.begin(), ready.end());
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
