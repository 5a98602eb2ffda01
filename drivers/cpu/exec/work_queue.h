// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What waits for a worker: the tasks of streams, and grids with blocks that are not dealt out yet.
#pragma once

#include <atomic>
#include <climits>
#include <cstdint>
#include <deque>

#include "base/mutex.h"
#include "drivers/cpu/exec/grid.h"
#include "drivers/cpu/exec/worker.h"
#include "drivers/cpu/exec/worker_pool.h"

namespace hel::cpu::exec {

class WorkQueue {
public:
  static WorkQueue &instance();

  void add_task(const Task &task);
  void add_grid(Grid *grid);

  /// Runs the oldest task (of this owner, if given). False if there is none.
  bool run_task(const void *owner = nullptr);
  /// Some blocks of the first grid that has any for this taker. Of a grid whose blocks do not wait for others the taker
  /// becomes a member.
  bool deal(const Taker &taker, Chunk *chunk);
  /// A member's next blocks. False if there are none, or others come first now.
  bool deal_more(const Taker &taker, Chunk *chunk);
  /// Called by a member that takes no further blocks, before it counts itself as ended (Grid::unfinished).
  void leave(Grid *grid);
  /// Takes the blocks that are not dealt out from a grid; returns their number.
  uint64_t withdraw(Grid *grid);

  /// A host thread begins, ends to help. One thread more than processors would make every grid wait for whichever of
  /// them the system has put aside, so the last workers rest meanwhile, one for each helper.
  void helper_comes() { helpers_.fetch_add(1, std::memory_order_relaxed); }
  void helper_goes();
  bool rests(uint32_t worker) const;

  /// Returns when there may be work for this worker: spins for a moment, then sleeps. The last worker, in whose place
  /// the first helper works, does not spin, and is woken only by what no other idle worker will take.
  void wait_for_work(uint32_t worker);

  // Around fork: nothing is in flight in the child, which starts empty.
  void lock_for_fork() HEL_THREAD_ATTRIBUTE(acquire_capability(mutex_)) { mutex_.lock(); }
  void unlock_after_fork() HEL_THREAD_ATTRIBUTE(release_capability(mutex_)) { mutex_.unlock(); }
  void empty_in_child() HEL_THREAD_ATTRIBUTE(release_capability(mutex_));

private:
  uint32_t pending() const;
  bool wake_for(uint64_t units);
  void wake_resting();
  void rest(uint32_t worker);
  bool join(const Taker &taker, Chunk *chunk);
  bool take_as_member(const Taker &taker, Chunk *chunk);
  void unlist(Grid **at) HEL_REQUIRES(mutex_);

  SpinMutex mutex_;
  std::deque<Task> tasks_ HEL_GUARDED_BY(mutex_);
  Grid *grids_ HEL_GUARDED_BY(mutex_) = nullptr;  ///< by priority, then age

  // Hints for those who do not hold the lock, in a cache line that changes only with the lists: workers that spin read
  // it.
  alignas(64) std::atomic<uint32_t> pending_tasks_{0};
  std::atomic<uint32_t> pending_grids_{0};
  std::atomic<int> first_priority_{INT_MAX};  ///< of the first grid

  alignas(64) std::atomic<uint32_t> epoch_{0};  ///< changes when sleepers are woken; workers sleep on it
  std::atomic<uint32_t> asleep_{0};
  std::atomic<uint32_t> spinning_{0};
  std::atomic<uint32_t> helpers_{0};
  std::atomic<uint32_t> changes_{0};  ///< what resting workers, and the last one, sleep on
  std::atomic<uint32_t> resting_{0};
};

}  // namespace hel::cpu::exec
