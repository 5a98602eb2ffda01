// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/exec/work_queue.h"

#include <immintrin.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include <algorithm>
#include <utility>

namespace hel::cpu::exec {
namespace {

constexpr uint64_t kSpinNanoseconds = 50'000;
constexpr uint64_t kWorthwhileCycles = 4000;
constexpr long kRestNanoseconds = 1'000'000;  // a resting worker looks around after so long in any case

uint64_t now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(t.tv_nsec);
}

void futex_wait(std::atomic<uint32_t> &word, uint32_t value, const timespec *longest = nullptr) {
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, longest, nullptr, 0);
}

void futex_wake(std::atomic<uint32_t> &word, uint32_t count) {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, count, nullptr, nullptr, 0);
}

uint32_t last_worker() { return static_cast<uint32_t>(WorkerPool::instance().worker_count()) - 1; }

/// Whether the taker may have blocks of this grid.
bool suits(const Grid &grid, const Taker &taker) {
  if (taker.owner != nullptr && grid.launch->owner != taker.owner) {
    return false;
  }
  switch (taker.whom) {
    case DealFor::Worker:
      return true;
    case DealFor::Crowded:
      return grid.launch->state.cooperative != 0;
    case DealFor::Resting:
      return grid.can_wait;
    case DealFor::Helper:
      return !grid.can_wait;
  }
  __builtin_unreachable();
}

/// As many blocks as take longer than to be dealt out, going by the time that the last ones took.
uint64_t worthwhile(const Chunk &chunk, uint64_t cycles) {
  return cycles == 0 ? chunk.dealt : chunk.dealt * kWorthwhileCycles / cycles;
}

bool take(Grid &grid, uint32_t worker, Chunk *chunk) {
  if (grid.can_wait) {  // a block that is dealt out but not started could be what others wait for
    return grid.undealt->take(worker, 1, 1, &chunk->begin, &chunk->end);
  }
  const uint64_t now = __rdtsc();
  const uint64_t least = std::clamp(worthwhile(*chunk, now - chunk->since), grid.least_dealt, grid.most_dealt);
  if (!grid.undealt->take(worker, least, grid.most_dealt, &chunk->begin, &chunk->end)) {
    return false;
  }
  chunk->since = now;
  chunk->dealt = chunk->end - chunk->begin;
  return true;
}

}  // namespace

WorkQueue &WorkQueue::instance() {
  static WorkQueue &queue = *new WorkQueue;  // outlives every thread
  return queue;
}

uint32_t WorkQueue::pending() const {
  return pending_tasks_.load(std::memory_order_relaxed) + pending_grids_.load(std::memory_order_relaxed);
}

/// Wakes as many sleepers as there is work for beyond what spinning workers will take. Whoever takes work and leaves
/// some calls this again, so that counting a spinner twice costs only a moment. False if all workers are busy, but
/// those that rest.
bool WorkQueue::wake_for(uint64_t units) {
  const uint32_t spinning = spinning_.load(), asleep = asleep_.load();
  if (units > spinning && asleep != 0) {
    epoch_.fetch_add(1);
    futex_wake(epoch_, static_cast<uint32_t>(std::min<uint64_t>(asleep, units - spinning)));
  }
  return units == 0 || spinning + asleep != 0;
}

/// There is work that those who rest may have to do: a helper has gone, or no other worker is idle.
void WorkQueue::wake_resting() {
  if (resting_.load() != 0 && pending() != 0) {
    changes_.fetch_add(1);
    futex_wake(changes_, UINT32_MAX >> 1);
  }
}

void WorkQueue::helper_goes() {
  helpers_.fetch_sub(1);
  wake_resting();
}

void WorkQueue::add_task(const Task &task) {
  {
    SpinLock lock(mutex_);
    tasks_.push_back(task);
    pending_tasks_.fetch_add(1);
  }
  if (!wake_for(1)) {
    wake_resting();
  }
}

void WorkQueue::add_grid(Grid *grid) {
  const auto workers = static_cast<uint64_t>(WorkerPool::instance().worker_count());
  const uint64_t units = (grid->blocks + grid->least_dealt - 1) / grid->least_dealt;
  // Blocks that others may wait for start in their order, in one share.
  grid->undealt.emplace(grid->blocks, grid->can_wait ? 1 : static_cast<uint32_t>(std::min(units, workers)));
  {
    SpinLock lock(mutex_);
    Grid **at = &grids_;
    while (*at != nullptr && (*at)->launch->priority <= grid->launch->priority) {
      at = &(*at)->next;
    }
    grid->next = *at;
    *at = grid;
    grid->listed.store(true, std::memory_order_relaxed);
    first_priority_.store(grids_->launch->priority, std::memory_order_relaxed);
    pending_grids_.fetch_add(1);
  }
  if (!wake_for(units)) {
    wake_resting();
  }
}

void WorkQueue::unlist(Grid **at) {
  (*at)->listed.store(false, std::memory_order_release);  // whoever sees it knows all members: none come after
  *at = (*at)->next;
  first_priority_.store(grids_ == nullptr ? INT_MAX : grids_->launch->priority, std::memory_order_relaxed);
  pending_grids_.fetch_sub(1);
}

bool WorkQueue::run_task(const void *owner) {
  if (pending_tasks_.load(std::memory_order_relaxed) == 0) {
    return false;
  }
  Task task{};
  {
    SpinLock lock(mutex_);
    auto at = tasks_.begin();
    while (at != tasks_.end() && owner != nullptr && at->owner != owner) {
      ++at;
    }
    if (at == tasks_.end()) {
      return false;
    }
    task = *at;
    tasks_.erase(at);
    pending_tasks_.fetch_sub(1);
  }
  if (!wake_for(pending())) {
    wake_resting();
  }
  task.run(task.user);
  return true;
}

bool WorkQueue::deal(const Taker &taker, Chunk *chunk) {
  do {
    if (pending_grids_.load(std::memory_order_relaxed) == 0 || !join(taker, chunk)) {
      return false;
    }
  } while (!take_as_member(taker, chunk));
  const uint32_t units = pending(), own = chunk->member && chunk->grid->listed.load(std::memory_order_relaxed) ? 1 : 0;
  // What is left of its own grid is also for a host thread that helps; that one comes soon, or not at all.
  if (!wake_for(units) && (units > own || !rests(last_worker()))) {
    wake_resting();
  }
  return true;
}

/// The first grid for this taker: a membership of it, or, if its blocks may wait for others, its next block.
bool WorkQueue::join(const Taker &taker, Chunk *chunk) {
  SpinLock lock(mutex_);
  Grid **at = &grids_;
  while (*at != nullptr && !suits(**at, taker)) {
    at = &(*at)->next;
  }
  Grid *grid = *at;
  if (grid == nullptr) {
    return false;
  }
  *chunk = {.grid = grid, .member = !grid->can_wait};
  if (chunk->member) {
    grid->unfinished.fetch_add(1,
                               std::memory_order_relaxed);  // what is listed has blocks, or members who will see to it
    return true;
  }
  take(*grid, taker.index, chunk);
  if (grid->undealt->empty()) {
    unlist(at);
  }
  return true;
}

/// False if the grid has no further blocks; it is left then.
bool WorkQueue::take_as_member(const Taker &taker, Chunk *chunk) {
  if (!chunk->member || take(*chunk->grid, taker.index, chunk)) {
    return true;
  }
  Grid *grid = std::exchange(*chunk, {}).grid;
  leave(grid);
  grid->end_blocks(1);
  return false;
}

bool WorkQueue::deal_more(const Taker &taker, Chunk *chunk) {
  Grid &grid = *chunk->grid;
  return suits(grid, taker) && first_priority_.load(std::memory_order_relaxed) >= grid.launch->priority &&
         take(grid, taker.index, chunk);
}

void WorkQueue::leave(Grid *grid) {
  if (grid->listed.load(std::memory_order_acquire) && grid->undealt->empty()) {
    withdraw(grid);
  }
}

uint64_t WorkQueue::withdraw(Grid *grid) {
  SpinLock lock(mutex_);
  for (Grid **at = &grids_; *at != nullptr; at = &(*at)->next) {
    if (*at == grid) {
      unlist(at);
      break;
    }
  }
  return grid->undealt ? grid->undealt->take_all() : 0;
}

bool WorkQueue::rests(uint32_t worker) const {
  const uint32_t helpers = helpers_.load(std::memory_order_relaxed);
  return helpers != 0 && worker + helpers >= static_cast<uint32_t>(WorkerPool::instance().worker_count());
}

void WorkQueue::rest(uint32_t worker) {
  const timespec longest{0, kRestNanoseconds};
  const uint32_t seen = changes_.load();
  resting_.fetch_add(1);
  const bool work = pending() != 0;
  if (!work || rests(worker)) {
    futex_wait(changes_, seen, work ? &longest : nullptr);
  }
  resting_.fetch_sub(1);
}

void WorkQueue::wait_for_work(uint32_t worker) {
  if (worker == last_worker() || (pending() != 0 && rests(worker))) {
    rest(worker);
    return;
  }
  spinning_.fetch_add(1);
  const uint64_t until = now() + kSpinNanoseconds;
  do {
    for (int i = 0; i < 32; ++i) {
      if (pending() != 0) {
        spinning_.fetch_sub(1);
        return;
      }
      _mm_pause();
    }
  } while (now() < until);
  spinning_.fetch_sub(1);
  const uint32_t epoch = epoch_.load();
  asleep_.fetch_add(1);
  if (pending() == 0) {
    futex_wait(epoch_, epoch);
  }
  asleep_.fetch_sub(1);
}

void WorkQueue::empty_in_child() {
  tasks_.clear();
  grids_ = nullptr;
  pending_tasks_.store(0);
  pending_grids_.store(0);
  first_priority_.store(INT_MAX);
  asleep_.store(0);
  spinning_.store(0);
  helpers_.store(0);
  resting_.store(0);
  mutex_.unlock();
}

}  // namespace hel::cpu::exec
