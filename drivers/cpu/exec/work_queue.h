// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What waits for a worker: the tasks of streams, and grids with blocks that are not dealt out yet.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>

#include "base/mutex.h"
#include "drivers/cpu/exec/grid.h"
#include "drivers/cpu/exec/worker.h"
#include "drivers/cpu/exec/worker_pool.h"

namespace hel::cpu::exec {

enum class DealFor : uint8_t {
  Worker,
  Crowded,  ///< a worker that has many live threads: only what must be live together
  Resting,  ///< a worker that rests (see rests()): only grids that can wait, which no helper takes
  Helper,   ///< a host thread: only grids that cannot wait
};

/// Who asks for blocks.
struct Taker {
  DealFor whom;
  uint32_t index;     ///< of the worker, or of the one in whose place a host thread helps
  const void *owner;  ///< only grids of this owner; null: any
};

class WorkQueue {
public:
  static WorkQueue &instance();

  void add_task(const Task &task);
  void add_grid(Grid *grid);

  /// Runs the oldest task (of this owner, if given). False if there is none.
  bool run_task(const void *owner = nullptr);
  /// Some blocks of the first grid that has any for this taker: the first ones, or, of a large grid whose blocks do not
  /// wait for others, the last ones for those who begin at the end.
  bool deal(const Taker &taker, Chunk *chunk);
  /// Takes the blocks that are not dealt out from a grid; returns their number.
  uint64_t withdraw(Grid *grid);

  /// A host thread begins, ends to help. One thread more than processors would make every grid wait for whichever of
  /// them the system has put aside, so the last workers rest meanwhile, one for each helper.
  void helper_comes() { helpers_.fetch_add(1, std::memory_order_relaxed); }
  void helper_goes();
  bool rests(uint32_t worker) const;

  /// Returns when there may be work for this worker: spins for a moment, then sleeps.
  void wait_for_work(uint32_t worker);

  // Around fork: nothing is in flight in the child, which starts empty.
  void lock_for_fork() HEL_THREAD_ATTRIBUTE(acquire_capability(mutex_)) { mutex_.lock(); }
  void unlock_after_fork() HEL_THREAD_ATTRIBUTE(release_capability(mutex_)) { mutex_.unlock(); }
  void empty_in_child() HEL_THREAD_ATTRIBUTE(release_capability(mutex_));

private:
  void wake_sleepers(uint64_t units);
  void wake_resting();
  bool take_chunk(const Taker &taker, Chunk *chunk);

  Mutex mutex_;
  std::deque<Task> tasks_ HEL_GUARDED_BY(mutex_);
  Grid *grids_ HEL_GUARDED_BY(mutex_) = nullptr;  ///< by priority, then age
  std::atomic<uint32_t> pending_{0};  ///< tasks and grids in the lists; a hint for those who do not hold the lock
  std::atomic<uint32_t> epoch_{0};    ///< changes when sleepers are woken; workers sleep on it
  std::atomic<uint32_t> asleep_{0};
  std::atomic<uint32_t> spinning_{0};
  std::atomic<uint32_t> helpers_{0};
  std::atomic<uint32_t> changes_{0};  ///< what resting workers sleep on
  std::atomic<uint32_t> resting_{0};
};

}  // namespace hel::cpu::exec
