// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Block barriers of the thread engine, and the block's part of the grid-wide one.
//
// A barrier for the whole block is full when every live thread has arrived. One with a count follows PTX, which counts
// warps: a warp of which any lane has arrived counts its exited (and never existing) lanes as arrived too.
#include <bit>

#include "drivers/cpu/exec/block_run.h"
#include "drivers/cpu/exec/grid.h"
#include "drivers/cpu/exec/worker.h"

namespace hel::cpu::exec {

bool BlockRun::barrier_is_full(const Barrier &b) const {
  if (b.expected == 0) {
    return b.arrived >= live_;
  }
  uint32_t count = b.arrived;
  for (uint32_t w = 0; w * kWarpSize < threads_; ++w) {
    if (b.lanes[w] != 0) {
      count += static_cast<uint32_t>(std::popcount(~warps_[w].live & ~b.lanes[w]));
    }
  }
  return count >= b.expected;
}

/// Counts self in; true if the barrier is full now.
bool BlockRun::register_arrival(Fiber *self, uint32_t id, uint32_t threads) {
  Barrier &b = barriers_[id];
  if (b.arrived == 0) {
    b.expected = threads;
    used_barriers_ |= 1u << id;
  }
  const uint32_t warp = self->thread / kWarpSize;
  const uint32_t lanes = by_warps_ ? warps_[warp].live : 1u << self->state.lane;
  b.arrived += static_cast<uint32_t>(std::popcount(lanes));
  b.lanes[warp] |= lanes;
  return barrier_is_full(b);
}

/// Lets everybody go and makes the barrier ready for its next use.
void BlockRun::open_barrier(Barrier &b) {
  while (b.waiting.head != nullptr) {
    Fiber *f = b.waiting.pop();
    f->votes_true = b.predicates;
    f->votes_cast = b.voters;
    release(f);
  }
  used_barriers_ &= ~(1u << (&b - barriers_));
  b.arrived = b.predicates = b.voters = 0;
  for (uint32_t w = 0; w * kWarpSize < threads_; ++w) {
    b.lanes[w] = 0;
  }
}

void BlockRun::wait_at_barrier(Fiber *self, uint32_t id, uint32_t threads, uint32_t voters, uint32_t predicates) {
  Barrier &b = barriers_[id];
  const bool full = register_arrival(self, id, threads);
  b.voters += voters;
  b.predicates += predicates;
  if (full && (id != kGridBarrier || enter_grid_barrier())) {
    self->votes_true = b.predicates;
    self->votes_cast = b.voters;
    open_barrier(b);
    return;
  }
  self->waits = WaitKind::Barrier;
  self->barrier = id;
  b.waiting.push(self);
  wait(self);
}

void BlockRun::arrive_at_barrier(Fiber *self, uint32_t id, uint32_t threads) {
  if (register_arrival(self, id, threads)) {
    open_barrier(barriers_[id]);
  }
}

/// A thread has exited: barriers that waited for it alone open.
void BlockRun::recheck_barriers() {
  for (uint32_t used = used_barriers_; used != 0; used &= used - 1) {
    const auto id = static_cast<uint32_t>(std::countr_zero(used));
    Barrier &b = barriers_[id];
    if (b.waiting.size == 0 || !barrier_is_full(b) || (id == kGridBarrier && waits_for_grid_)) {
      continue;
    }
    if (id != kGridBarrier || enter_grid_barrier()) {
      open_barrier(b);
    }
  }
}

/// All live threads of the block have arrived at the grid-wide barrier. True if the whole grid has.
bool BlockRun::enter_grid_barrier() {
  worker_->call_at_home(  // takes a lock
      [](void *self) {
        auto *block = static_cast<BlockRun *>(self);
        block->waits_for_grid_ = !block->grid_->arrive(&block->grid_phase_);
      },
      this);
  return !waits_for_grid_;
}

void BlockRun::check_grid_barrier() {
  if (grid_->phase.load(std::memory_order_acquire) != grid_phase_) {
    waits_for_grid_ = false;
    open_barrier(barriers_[kGridBarrier]);
  }
}

}  // namespace hel::cpu::exec
