// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The threads of the CPU driver: one pool a process, one worker a processor core. Grids (launch.h) and the tasks of
// streams run here. Started on first use; a forked child starts its own. Workers spin for a moment, then park.
#pragma once

#include <atomic>
#include <cstdint>

namespace hel::cpu::exec {

class Worker;

enum class TaskKind : uint8_t {
  Short,  ///< never blocks (a copy, a memset, moving a queue on): any worker or helping host thread runs it
  Host,   ///< the user's code, may block (host functions): runs on a thread of its own, one after the other
};

/// `run(user)` is called once, with nothing locked. It may submit tasks and start grids; it must not wait for them.
struct Task {
  void (*run)(void *user);
  void *user;
  const void *owner = nullptr;  ///< what help_while selects by, e.g. the stream
  TaskKind kind = TaskKind::Short;
};

struct HelpOrder;

class WorkerPool {
public:
  static WorkerPool &instance();

  /// Number of workers: HELICON_THREADS, else the cores this process may use. Starts nothing; never changes.
  int worker_count() const;

  /// Whether the calling thread is one of the half of the workers, and host threads in their place, that have the later
  /// shares of a grid (block_shares.h). Who does other work in parts begins with its end, too: what a launch leaves in
  /// a core's caches is there for a copy of the same memory.
  bool begins_at_end() const;

  /// Starts the workers, if they do not run yet (submit and start_grid do).
  void ensure_started();

  /// Queues a task. Tasks run before further blocks of grids, in the order of submission, on any number of workers.
  void submit(const Task &task);

  /// The calling thread's means to run blocks, if it runs none now; else null.
  Worker *idle_worker();

  /// Waits while `word` has `value`: helps (runs tasks, and blocks of grids that cannot wait for others; with an owner,
  /// only that owner's), spins, then sleeps. Who changes the word calls `word.notify_all()`.
  void help_while(const std::atomic<uint32_t> &word, uint32_t value, const void *owner = nullptr);

  /// Whether any host thread sleeps in help_while.
  bool host_waits() const { return sleeping_hosts_.load(std::memory_order_relaxed) != 0; }

  WorkerPool(const WorkerPool &) = delete;
  WorkerPool &operator=(const WorkerPool &) = delete;

private:
  WorkerPool() = default;
  bool help_once(const HelpOrder &order);

  std::atomic<uint32_t> sleeping_hosts_{0};
};

}  // namespace hel::cpu::exec
