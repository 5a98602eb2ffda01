// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/exec/block_run.h"

#include <algorithm>
#include <bit>

#include "abi/kernel.h"
#include "drivers/cpu/exec/grid.h"
#include "drivers/cpu/exec/worker.h"

namespace hel::cpu::exec {
namespace {

abi::Dim3 block_index_of(const abi::LaunchState &launch, uint64_t block) {
  if (block < launch.grid.x) {
    return {static_cast<uint32_t>(block), 0, 0};
  }
  const uint64_t row = block / launch.grid.x;
  return {static_cast<uint32_t>(block % launch.grid.x), static_cast<uint32_t>(row % launch.grid.y),
          static_cast<uint32_t>(row / launch.grid.y)};
}

}  // namespace

bool BlockRun::start(Worker *worker, Grid *grid, uint64_t block_index) {
  const abi::LaunchState &launch = grid->launch->state;
  worker_ = worker;
  grid_ = grid;
  index_ = block_index;
  threads_ = launch.block.x * launch.block.y * launch.block.z;
  live_ = threads_;
  started_ = 0;
  by_warps_ = grid->by_warps;
  next_tid_ = {0, 0, 0};
  used_barriers_ = 0;
  asking_warps_ = 0;
  waits_for_grid_ = false;
  ready_ = {};
  turns_left_ = 0;
  followed_ = 0;
  prototype_.ctaid = block_index_of(launch, block_index);
  prototype_.ntid = launch.block;
  prototype_.nctaid = launch.grid;
  const uint32_t dynamic = dynamic_shared_offset(launch.static_shared_bytes);
  prototype_.shared = window_.reserve(size_t{dynamic} + launch.dynamic_shared_bytes);
  prototype_.dynamic_shared = prototype_.shared + dynamic;
  prototype_.launch = &launch;
  for (uint32_t first = 0, w = 0; first < threads_; first += kWarpSize, ++w) {
    const uint32_t lanes = threads_ - first;
    warps_[w].live = lanes >= kWarpSize ? ~0u : (1u << lanes) - 1;
    warps_[w].waiting = 0;
    warps_[w].asking = 0;
  }
  return prototype_.shared != nullptr;
}

/// Where no warp can wait, one call runs this block and as many of those behind it in the worker's chunk as may be run
/// before others get their turn.
uint32_t BlockRun::take_blocks() {
  if (!grid_->one_call || grid_->can_wait || followed_ == grid_->most_following) {
    return 1;
  }
  const uint32_t more = worker_->take_following(grid_, index_ + 1, grid_->most_following - followed_);
  followed_ += more;
  return 1 + more;
}

/// The fiber that has run a call's blocks goes on with those behind them, as if they were the same. False if there are
/// none, or others should get their turn.
bool BlockRun::follow(Fiber *self) {
  if (!grid_->one_call || grid_->can_wait) {
    return false;
  }
  const uint64_t next = index_ + self->block_state.blocks;
  if (followed_ == grid_->most_following || worker_->take_following(grid_, next, 1) == 0) {
    return false;
  }
  ++followed_;
  index_ = next;
  prototype_.ctaid = self->state.ctaid = self->block_state.ctaid = block_index_of(grid_->launch->state, next);
  self->block_state.blocks = take_blocks();
  return true;
}

void BlockRun::attach(Fiber *f) {
  f->block = this;
  f->state = prototype_;
  f->state.engine = f;
  if (by_warps_) {
    f->block_state = {prototype_.ctaid, threads_,     prototype_.shared, prototype_.dynamic_shared, &f->state, f, 0,
                      grid_->much,      take_blocks()};
  }
  f->yielded = false;
  f->waits = WaitKind::None;
}

/// A warp, or all warps if none of them can wait.
void BlockRun::begin_warps(Fiber *self) {
  const uint32_t first = started_ / kWarpSize;
  const uint32_t warps = (threads_ + kWarpSize - 1) / kWarpSize;
  self->warp_end = grid_->one_call ? warps : first + 1;
  self->thread = started_;
  self->in_thread = true;
  self->yielded = false;
  self->state.tid = started_ == 0
                        ? abi::Dim3{}
                        : abi::Dim3{started_ % prototype_.ntid.x, started_ / prototype_.ntid.x % prototype_.ntid.y,
                                    started_ / prototype_.ntid.x / prototype_.ntid.y};
  self->state.lane = 0;
  self->state.warp = first;
  for (uint32_t w = first; w < self->warp_end; ++w) {
    warps_[w].lanes[0] = self;
  }
  started_ = std::min(self->warp_end * kWarpSize, threads_);
}

bool BlockRun::begin_next(Fiber *self) {
  if (started_ == threads_) {
    return false;
  }
  if (by_warps_) {
    begin_warps(self);
    return true;
  }
  const uint32_t thread = started_++;
  self->thread = thread;
  self->in_thread = true;
  self->yielded = false;
  self->state.tid = next_tid_;
  self->state.lane = thread % kWarpSize;
  self->state.warp = thread / kWarpSize;
  warps_[thread / kWarpSize].lanes[thread % kWarpSize] = self;
  if (++next_tid_.x == prototype_.ntid.x) {
    next_tid_.x = 0;
    if (++next_tid_.y == prototype_.ntid.y) {
      next_tid_.y = 0;
      ++next_tid_.z;
    }
  }
  return true;
}

void BlockRun::end_thread(Fiber *self) {
  Warp &w = warps_[self->state.warp];
  w.live &= ~(1u << self->state.lane);
  --live_;
  self->in_thread = false;
  if (used_barriers_ != 0) {
    recheck_barriers();
  }
  if (w.waiting != 0) {
    recheck_meetings(w);
  }
}

void BlockRun::end_warps(Fiber *self) {
  // Lane by lane, compiled code may have made state.warp another warp of this call.
  for (uint32_t w = self->thread / kWarpSize; w < self->warp_end; ++w) {
    live_ -= static_cast<uint32_t>(std::popcount(warps_[w].live));
    warps_[w].live = 0;
  }
  self->in_thread = false;
  if (used_barriers_ != 0) {
    recheck_barriers();
  }
}

/// Goes straight on with the next fiber, if one has its turn in this round.
void BlockRun::stop(Fiber *self) {
  if (turns_left_ == 0) {
    Worker::leave(self, FiberEvent::Stopped);
  } else {
    worker_->hand_over(self, next_ready());
  }
}

void BlockRun::wait(Fiber *self) {
  self->yielded = false;
  stop(self);
}

void BlockRun::release(Fiber *f) {
  f->waits = WaitKind::None;
  ready_.push(f);
}

void BlockRun::give_way(Fiber *self) {
  self->yielded = true;
  gave_way_ = true;
  ready_.push(self);
  stop(self);
}

Fiber *BlockRun::next_ready() {
  --turns_left_;
  Fiber *f = ready_.pop();
  if (const Fiber *after = f->next; after != nullptr) {
    __builtin_prefetch(after->context.sp);
    __builtin_prefetch(static_cast<const char *>(after->context.sp) + 64);
    __builtin_prefetch(after->next);
  }
  return f;
}

/// Runs f and those that take over from it, and sees to what the last one stopped for. False after a fault.
bool BlockRun::run_fiber(Fiber *f) {
  Fiber *back = worker_->resume(f);
  switch (back->event) {
    case FiberEvent::Idle:
      worker_->give_fiber(back);
      return true;
    case FiberEvent::Stopped:
      return true;
    case FiberEvent::ThreadExited:
      by_warps_ ? end_warps(back) : end_thread(back);
      worker_->reset_fiber(back);
      worker_->give_fiber(back);
      return true;
    case FiberEvent::Faulted:
      break;
  }
  faulted_ = back;
  return false;
}

RoundResult BlockRun::run_round() {
  gave_way_ = false;
  if (waits_for_grid_) {
    check_grid_barrier();
  }
  while (started_ < threads_) {
    Fiber *f = worker_->take_fiber(grid_->stack_class);
    if (f == nullptr) {
      return RoundResult::NoMemory;
    }
    attach(f);
    if (!run_fiber(f)) {
      return RoundResult::Faulted;
    }
  }
  for (turns_left_ = ready_.size; turns_left_ > 0;) {
    if (!run_fiber(next_ready())) {
      return RoundResult::Faulted;
    }
  }
  if (live_ == 0) {
    return RoundResult::Finished;
  }
  if (ready_.size == 0) {
    if (asking_warps_ != 0 && answer_activemask()) {
      return RoundResult::Progress;
    }
    return waits_for_grid_ ? RoundResult::Stalled : RoundResult::Stuck;
  }
  if (asking_warps_ != 0) {
    answer_activemask();
  }
  return gave_way_ ? RoundResult::Stalled : RoundResult::Progress;
}

void BlockRun::abandon() {
  for (uint32_t w = 0; w * kWarpSize < started_; ++w) {
    if (by_warps_) {
      // One fiber for the warps up to its warp_end.
      Fiber *f = warps_[w].lanes[0];
      if (warps_[w].live != 0 && f->thread == w * kWarpSize) {
        worker_->reset_fiber(f);
        worker_->give_fiber(f);
      }
      continue;
    }
    for (uint32_t lanes = warps_[w].live; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(lanes));
      if (w * kWarpSize + lane < started_) {
        Fiber *f = warps_[w].lanes[lane];
        worker_->reset_fiber(f);
        worker_->give_fiber(f);
      }
    }
  }
  for (Barrier &b : barriers_) {
    b = {};
  }
  live_ = 0;
}

}  // namespace hel::cpu::exec
