// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/exec/work_queue.h"

#include <immintrin.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

namespace hel::cpu::exec {
namespace {

constexpr uint64_t kSpinNanoseconds = 50'000;
constexpr long kRestNanoseconds = 1'000'000;  // a resting worker looks around after so long in any case
constexpr uint64_t kChunksPerWorker = 8;
constexpr uint64_t kManyBlocks = 1024;  // of a grid that is dealt out from both ends

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

uint64_t chunk_size(const Grid &grid) {
  if (grid.can_wait) {
    return 1;  // a block that is dealt out but not started could be what others wait for
  }
  const auto workers = static_cast<uint64_t>(WorkerPool::instance().worker_count());
  const uint64_t left = grid.end_block - grid.next_block, share = (left + workers - 1) / workers;
  return std::clamp(left / (workers * kChunksPerWorker), std::min(grid.least_dealt, share), grid.most_dealt);
}

}  // namespace

WorkQueue &WorkQueue::instance() {
  static WorkQueue &queue = *new WorkQueue;  // outlives every thread
  return queue;
}

/// Wakes as many sleepers as there is work for beyond what spinning workers will take. Whoever takes work and leaves
/// some calls this again, so that counting a spinner twice costs only a moment.
void WorkQueue::wake_sleepers(uint64_t units) {
  const uint32_t asleep = asleep_.load();
  const uint32_t spinning = asleep != 0 ? spinning_.load() : 0;
  if (asleep != 0 && units > spinning) {
    epoch_.fetch_add(1);
    futex_wake(epoch_, static_cast<uint32_t>(std::min<uint64_t>(asleep, units - spinning)));
  }
}

/// There is work that those who rest may have to do: a helper has gone, or something new has come.
void WorkQueue::wake_resting() {
  if (resting_.load() != 0 && pending_.load() != 0) {
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
    Lock lock(mutex_);
    tasks_.push_back(task);
    pending_.fetch_add(1);
  }
  wake_sleepers(1);
  wake_resting();
}

void WorkQueue::add_grid(Grid *grid) {
  const uint64_t units = grid->blocks;
  grid->end_block = grid->blocks;
  {
    Lock lock(mutex_);
    Grid **at = &grids_;
    while (*at != nullptr && (*at)->launch->priority <= grid->launch->priority) {
      at = &(*at)->next;
    }
    grid->next = *at;
    *at = grid;
    pending_.fetch_add(1);
  }
  wake_sleepers(units);
  wake_resting();
}

bool WorkQueue::run_task(const void *owner) {
  if (pending_.load(std::memory_order_relaxed) == 0) {
    return false;
  }
  Task task{};
  {
    Lock lock(mutex_);
    auto at = tasks_.begin();
    while (at != tasks_.end() && owner != nullptr && at->owner != owner) {
      ++at;
    }
    if (at == tasks_.end()) {
      return false;
    }
    task = *at;
    tasks_.erase(at);
    pending_.fetch_sub(1);
  }
  wake_sleepers(pending_.load());
  task.run(task.user);
  return true;
}

bool WorkQueue::deal(const Taker &taker, Chunk *chunk) {
  if (pending_.load(std::memory_order_relaxed) == 0 || !take_chunk(taker, chunk)) {
    return false;
  }
  wake_sleepers(pending_.load());
  return true;
}

bool WorkQueue::take_chunk(const Taker &taker, Chunk *chunk) {
  const auto [whom, index, owner] = taker;
  const bool from_end = WorkerPool::instance().begins_at_end(index);
  Lock lock(mutex_);
  for (Grid **at = &grids_; *at != nullptr; at = &(*at)->next) {
    Grid *grid = *at;
    const bool wanted = owner == nullptr || grid->launch->owner == owner;
    if (!wanted || (whom == DealFor::Helper && grid->can_wait) || (whom == DealFor::Resting && !grid->can_wait) ||
        (whom == DealFor::Crowded && grid->launch->state.cooperative == 0)) {
      continue;
    }
    const uint64_t size = std::min(grid->end_block - grid->next_block, chunk_size(*grid));
    if (from_end && !grid->can_wait && grid->blocks >= kManyBlocks) {
      grid->end_block -= size;
      *chunk = {grid, grid->end_block, grid->end_block + size, 0};
    } else {
      *chunk = {grid, grid->next_block, grid->next_block + size, 0};
      grid->next_block += size;
    }
    if (grid->next_block == grid->end_block) {
      *at = grid->next;
      pending_.fetch_sub(1);
    }
    return true;
  }
  return false;
}

uint64_t WorkQueue::withdraw(Grid *grid) {
  Lock lock(mutex_);
  const uint64_t rest = grid->end_block - grid->next_block;
  grid->next_block = grid->end_block;
  for (Grid **at = &grids_; *at != nullptr; at = &(*at)->next) {
    if (*at == grid) {
      *at = grid->next;
      pending_.fetch_sub(1);
      break;
    }
  }
  return rest;
}

bool WorkQueue::rests(uint32_t worker) const {
  const uint32_t helpers = helpers_.load(std::memory_order_relaxed);
  return helpers != 0 && worker + helpers >= static_cast<uint32_t>(WorkerPool::instance().worker_count());
}

void WorkQueue::wait_for_work(uint32_t worker) {
  if (pending_.load(std::memory_order_relaxed) != 0 && rests(worker)) {
    const timespec rest{0, kRestNanoseconds};
    const uint32_t seen = changes_.load();
    resting_.fetch_add(1);
    if (rests(worker)) {
      futex_wait(changes_, seen, &rest);
    }
    resting_.fetch_sub(1);
    return;
  }
  const auto spinners = static_cast<uint32_t>(std::max(1, WorkerPool::instance().worker_count() - 1));
  if (spinning_.fetch_add(1) < spinners) {
    const uint64_t until = now() + kSpinNanoseconds;
    do {
      for (int i = 0; i < 32; ++i) {
        if (pending_.load(std::memory_order_relaxed) != 0) {
          spinning_.fetch_sub(1);
          return;
        }
        _mm_pause();
      }
    } while (now() < until);
  }
  spinning_.fetch_sub(1);
  const uint32_t epoch = epoch_.load();
  asleep_.fetch_add(1);
  if (pending_.load() == 0) {
    futex_wait(epoch_, epoch);
  }
  asleep_.fetch_sub(1);
}

void WorkQueue::empty_in_child() {
  tasks_.clear();
  grids_ = nullptr;
  pending_.store(0);
  asleep_.store(0);
  spinning_.store(0);
  helpers_.store(0);
  resting_.store(0);
  mutex_.unlock();
}

}  // namespace hel::cpu::exec
