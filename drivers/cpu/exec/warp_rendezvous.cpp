// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warp functions of the thread engine: lanes meet when every live lane of the mask waits for the same kind of operation
// with the same mask, from whatever branch. A lane that is not in its own mask meets itself alone.
//
// activemask has no mask to wait for. It is answered when no other lane of the warp can come: then the lanes that wait
// at the same call form a group. Code that does not diverge thus always sees the full warp.
#include <bit>

#include "drivers/cpu/exec/block_run.h"

namespace hel::cpu::exec {
namespace {

constexpr uint32_t kPatienceRounds = 16;

template <typename Function> void for_each_lane(uint32_t lanes, Function function) {
  for (; lanes != 0; lanes &= lanes - 1) {
    function(static_cast<uint32_t>(std::countr_zero(lanes)));
  }
}

/// PTX's shfl.sync; a lane outside the group counts as out of range.
void shuffle(const Warp &w, uint32_t group, uint32_t lane) {
  WarpOp &op = w.lanes[lane]->op;
  const uint32_t distance = op.lane & 31;
  const uint32_t clamp = op.clamp & 31;
  const uint32_t segment = op.clamp >> 8 & 31;
  const uint32_t last = (lane & segment) | (clamp & ~segment & 31);
  int32_t from = 0;
  bool in_range = false;
  const auto self = static_cast<int32_t>(lane);
  switch (op.mode) {
    case HlShflUp:
      from = self - static_cast<int32_t>(distance);
      in_range = from >= static_cast<int32_t>(last);
      break;
    case HlShflDown:
      from = self + static_cast<int32_t>(distance);
      in_range = from <= static_cast<int32_t>(last);
      break;
    case HlShflBfly:
      from = static_cast<int32_t>(lane ^ distance);
      in_range = from <= static_cast<int32_t>(last);
      break;
    default:
      from = static_cast<int32_t>((lane & segment) | (distance & ~segment & 31));
      in_range = from <= static_cast<int32_t>(last);
  }
  const bool readable = in_range && from >= 0 && from < static_cast<int32_t>(kWarpSize) && (group >> from & 1) != 0;
  op.result = static_cast<uint32_t>(w.lanes[readable ? from : self]->op.value);
  op.predicate = in_range;
}

void vote(const Warp &w, uint32_t group) {
  uint32_t ballot = 0;
  for_each_lane(group, [&](uint32_t l) { ballot |= (w.lanes[l]->op.value != 0 ? 1u : 0u) << l; });
  for_each_lane(group, [&](uint32_t l) {
    WarpOp &op = w.lanes[l]->op;
    switch (op.mode) {
      case HlVoteAll:
        op.result = ballot == group;
        break;
      case HlVoteAny:
        op.result = ballot != 0;
        break;
      case HlVoteUni:
        op.result = ballot == group || ballot == 0;
        break;
      default:
        op.result = ballot;
    }
  });
}

void match(const Warp &w, uint32_t group) {
  for (uint32_t todo = group; todo != 0;) {
    const uint64_t value = w.lanes[std::countr_zero(todo)]->op.value;
    uint32_t same = 0;
    for_each_lane(todo, [&](uint32_t l) { same |= (w.lanes[l]->op.value == value ? 1u : 0u) << l; });
    for_each_lane(same, [&](uint32_t l) {
      w.lanes[l]->op.result = same;
      w.lanes[l]->op.predicate = same == group;
    });
    todo &= ~same;
  }
}

uint32_t combine(uint32_t op, uint32_t a, uint32_t b) {
  const auto x = static_cast<int32_t>(a);
  const auto y = static_cast<int32_t>(b);
  switch (op) {
    case HlReduxAdd:
      return a + b;
    case HlReduxUMin:
      return a < b ? a : b;
    case HlReduxUMax:
      return a > b ? a : b;
    case HlReduxMin:
      return x < y ? a : b;
    case HlReduxMax:
      return x > y ? a : b;
    case HlReduxAnd:
      return a & b;
    case HlReduxOr:
      return a | b;
    default:
      return a ^ b;
  }
}

void reduce(const Warp &w, uint32_t group) {
  const auto first = static_cast<uint32_t>(std::countr_zero(group));
  const uint32_t mode = w.lanes[first]->op.mode;
  auto result = static_cast<uint32_t>(w.lanes[first]->op.value);
  for_each_lane(group & ~(1u << first),
                [&](uint32_t l) { result = combine(mode, result, static_cast<uint32_t>(w.lanes[l]->op.value)); });
  for_each_lane(group, [&](uint32_t l) { w.lanes[l]->op.result = result; });
}

void compute(const Warp &w, WaitKind kind, uint32_t group) {
  switch (kind) {
    case WaitKind::Shuffle:
      for_each_lane(group, [&](uint32_t l) { shuffle(w, group, l); });
      break;
    case WaitKind::Vote:
      vote(w, group);
      break;
    case WaitKind::Match:
      match(w, group);
      break;
    case WaitKind::MatchAll:
      match(w, group);
      for_each_lane(group, [&](uint32_t l) {
        WarpOp &op = w.lanes[l]->op;
        op.result = op.predicate != 0 ? op.result : 0;
      });
      break;
    case WaitKind::Redux:
      reduce(w, group);
      break;
    default:
      break;
  }
}

}  // namespace

void BlockRun::meet(Fiber *self, WaitKind kind) {
  Warp &w = warps_[self->state.warp];
  const uint32_t bit = 1u << self->state.lane;
  const uint32_t mask = self->op.mask;
  self->waits = kind;
  if (kind == WaitKind::ActiveMask) {
    w.waiting |= bit;
    w.asking |= bit;
    w.patience = 0;
    asking_warps_ |= 1u << self->state.warp;
    wait(self);
    return;
  }
  if ((mask & bit) == 0) {
    compute(w, kind, bit);
    self->waits = WaitKind::None;
    return;
  }
  w.waiting |= bit;
  if (((mask & w.live) & ~w.waiting) == 0 && try_meeting(w, kind, mask, self)) {
    self->waits = WaitKind::None;
    return;
  }
  wait(self);
}

/// Lets the lanes that wait with this kind and mask go, if they are all that can come. `last` came last and runs.
bool BlockRun::try_meeting(Warp &w, WaitKind kind, uint32_t mask, const Fiber *last) {
  uint32_t group = 0;
  for_each_lane(w.waiting & mask, [&](uint32_t l) {
    const Fiber *f = w.lanes[l];
    group |= (f->waits == kind && f->op.mask == mask ? 1u : 0u) << l;
  });
  if ((mask & w.live) != group) {
    return false;
  }
  compute(w, kind, group);
  w.waiting &= ~group;
  for_each_lane(group, [&](uint32_t l) {
    if (w.lanes[l] != last) {
      release(w.lanes[l]);
    }
  });
  return true;
}

/// A lane has exited: those that waited for it alone go on.
void BlockRun::recheck_meetings(Warp &w) {
  for (uint32_t todo = w.waiting & ~w.asking; todo != 0;) {
    const Fiber *f = w.lanes[std::countr_zero(todo)];
    const WaitKind kind = f->waits;
    const uint32_t mask = f->op.mask;
    todo &= todo - 1;
    if (try_meeting(w, kind, mask, nullptr)) {
      todo &= w.waiting;
    }
  }
}

/// Lets the lanes in activemask go, those of the same call as one group.
void BlockRun::answer_warp(Warp &w) {
  while (w.asking != 0) {
    const uint32_t site = w.lanes[std::countr_zero(w.asking)]->op.mask;
    uint32_t group = 0;
    for_each_lane(w.asking, [&](uint32_t l) { group |= (w.lanes[l]->op.mask == site ? 1u : 0u) << l; });
    w.asking &= ~group;
    w.waiting &= ~group;
    for_each_lane(group, [&](uint32_t l) {
      w.lanes[l]->op.result = group;
      release(w.lanes[l]);
    });
  }
}

/// Answers the warps of which no other lane can come. A lane that has done nothing but give way for many rounds counts
/// as unable to come: it may wait for one that asks.
bool BlockRun::answer_activemask() {
  const uint32_t before = asking_warps_;
  for_each_lane(before, [&](uint32_t index) {
    Warp &w = warps_[index];
    bool others_wait = true;
    bool others_yield = true;
    for_each_lane(w.live & ~w.waiting, [&](uint32_t l) {
      const bool at_barrier = w.lanes[l]->waits == WaitKind::Barrier;
      others_wait &= at_barrier;
      others_yield &= at_barrier || w.lanes[l]->yielded;
    });
    w.patience = others_yield ? w.patience + 1 : 0;
    if (others_wait || w.patience >= kPatienceRounds) {
      answer_warp(w);
      asking_warps_ &= ~(1u << index);
    }
  });
  return asking_warps_ != before;
}

}  // namespace hel::cpu::exec
