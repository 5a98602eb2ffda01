// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warp functions against values computed the plain way: full and partial masks, lanes that come from different
// branches, lanes that have exited, partial warps, and reports of meetings that cannot happen.
#include <gtest/gtest.h>

#include "drivers/cpu/exec/test_grid.h"

namespace hel::cpu::exec {
namespace {

constexpr uint32_t kAll = ~0u;

struct Outcome {
  std::atomic<uint32_t> wrong{0};
  std::atomic<uint32_t> lines{0};  ///< of the checks that failed, summed: a hint
  std::atomic<uint32_t> total{0};
};

void check(const void *params, bool right, int line = __builtin_LINE()) {
  if (!right) {
    argument_of<Outcome>(params)->wrong += 1;
    argument_of<Outcome>(params)->lines = static_cast<uint32_t>(line);
  }
}

void run_and_check(abi::ThreadEntry entry, uint32_t threads, uint32_t total = 0) {
  Outcome outcome;
  TestGrid grid(entry, {3, 1, 1}, {threads, 1, 1}, &outcome);
  ASSERT_EQ(grid.run(), nullptr) << grid.fault->text;
  EXPECT_EQ(outcome.wrong, 0u) << "at line " << outcome.lines;
  EXPECT_EQ(outcome.total, 3 * total);
}

uint32_t lane() { return __hl_thread->lane; }

uint32_t clamp_of(uint32_t mode, uint32_t width) { return (32 - width) << 8 | (mode == HlShflUp ? 0 : 31); }

/// What CUDA's guide says of __shfl*_sync with a width.
uint32_t expected_source(uint32_t mode, uint32_t l, uint32_t operand, uint32_t width) {
  const uint32_t segment = l / width * width;
  switch (mode) {
    case HlShflUp:
      return l - segment >= operand ? l - operand : l;
    case HlShflDown:
      return l - segment + operand < width ? l + operand : l;
    case HlShflBfly: {
      const uint32_t from = l ^ operand;
      return from < segment + width ? from : l;
    }
    default:
      return segment + operand % width;
  }
}

void shuffles(const void *params) {
  for (uint32_t mode : {HlShflUp, HlShflDown, HlShflBfly, HlShflIdx}) {
    for (uint32_t width : {2u, 8u, 32u}) {
      for (uint32_t operand = 0; operand < width; ++operand) {
        uint32_t in_range = 7;
        const uint32_t got = __hl_shfl(mode, kAll, lane() * 3, operand, clamp_of(mode, width), &in_range);
        const uint32_t from = expected_source(mode, lane(), operand, width);
        check(params, got == from * 3);
        check(params, in_range <= 1 && (in_range == 1 || from == lane()));
      }
    }
  }
}

TEST(Warp, Shuffles) {
  run_and_check(shuffles, 32);
  run_and_check(shuffles, 128);
}

void shuffle_each_its_lane(const void *params) {
  const uint32_t from = (lane() * 7 + 3) % 32;
  check(params, __hl_shfl(HlShflIdx, kAll, lane() + 100, from, 31, nullptr) == from + 100);
}

TEST(Warp, ShuffleFromDifferentLanes) { run_and_check(shuffle_each_its_lane, 64); }

void shuffle_half(const void *params) {
  if (lane() % 2 == 0) {
    const uint32_t got = __hl_shfl(HlShflDown, 0x55555555, lane(), 2, 31, nullptr);
    check(params, got == (lane() < 30 ? lane() + 2 : lane()));
    const uint32_t outside = __hl_shfl(HlShflDown, 0x55555555, lane(), 1, 31, nullptr);
    check(params, outside == lane());  // the source lane is not there
  } else {
    const uint32_t got = __hl_shfl(HlShflUp, 0xAAAAAAAA, lane(), 2, 0, nullptr);
    check(params, got == (lane() > 2 ? lane() - 2 : lane()));
  }
}

TEST(Warp, DisjointMasksInDifferentBranches) { run_and_check(shuffle_half, 96); }

void same_mask_from_branches(const void *params) {
  uint32_t ballot = 0;
  if (lane() < 10) {
    ballot = __hl_vote(HlVoteBallot, kAll, 1);
  } else if (lane() < 20) {
    __hl_yield();
    ballot = __hl_vote(HlVoteBallot, kAll, 0);
  } else {
    ballot = __hl_vote(HlVoteBallot, kAll, lane() == 31);
  }
  check(params, ballot == 0x800003FF);
  __hl_warp_sync(kAll);
}

TEST(Warp, OneMaskFromSeveralBranches) { run_and_check(same_mask_from_branches, 64); }

void votes(const void *params) {
  check(params, __hl_vote(HlVoteAll, kAll, 3) == 1);
  check(params, __hl_vote(HlVoteAll, kAll, lane() != 4) == 0);
  check(params, __hl_vote(HlVoteAny, kAll, lane() == 4) == 1);
  check(params, __hl_vote(HlVoteAny, kAll, 0) == 0);
  check(params, __hl_vote(HlVoteUni, kAll, 0) == 1);
  check(params, __hl_vote(HlVoteUni, kAll, lane() == 9) == 0);
  check(params, __hl_vote(HlVoteBallot, kAll, lane() % 4 == 1) == 0x22222222);
}

TEST(Warp, Votes) { run_and_check(votes, 64); }

void matches(const void *params) {
  const uint32_t group = 0x11111111u << lane() % 4;
  check(params, __hl_match_any_32(kAll, lane() % 4) == group);
  check(params, __hl_match_any_64(kAll, uint64_t{lane() % 4} << 40) == group);
  uint32_t same = 5;
  check(params, __hl_match_all_32(kAll, 12, &same) == kAll && same == 1);
  check(params, __hl_match_all_32(kAll, lane(), &same) == 0 && same == 0);
  check(params, __hl_match_all_64(kAll, uint64_t{1} << 50, &same) == kAll && same == 1);
  check(params, __hl_match_all_64(kAll, lane() == 3 ? uint64_t{1} << 50 : 0, &same) == 0 && same == 0);
}

TEST(Warp, Matches) { run_and_check(matches, 64); }

void reductions(const void *params) {
  const auto minus = static_cast<uint32_t>(-5);
  const uint32_t value = lane() == 7 ? minus : lane();
  check(params, __hl_redux(HlReduxAdd, kAll, lane()) == 496);
  check(params, __hl_redux(HlReduxUMin, kAll, value) == 0);
  check(params, __hl_redux(HlReduxUMax, kAll, value) == minus);
  check(params, __hl_redux(HlReduxMin, kAll, value) == minus);
  check(params, __hl_redux(HlReduxMax, kAll, value) == 31);
  check(params, __hl_redux(HlReduxAnd, kAll, lane() | 64) == 64);
  check(params, __hl_redux(HlReduxOr, kAll, lane()) == 31);
  check(params, __hl_redux(HlReduxXor, kAll, 1u << lane()) == kAll);
}

TEST(Warp, Reductions) { run_and_check(reductions, 64); }

void partial_warp(const void *params) {
  check(params, __hl_activemask(1) == 0xFFF);
  check(params, __hl_vote(HlVoteBallot, kAll, 1) == 0xFFF);
  check(params, __hl_shfl(HlShflDown, kAll, lane(), 4, 31, nullptr) == (lane() < 8 ? lane() + 4 : lane()));
  check(params, __hl_redux(HlReduxAdd, kAll, 1) == 12);
}

TEST(Warp, PartialWarp) { run_and_check(partial_warp, 12); }

void exited_lanes(const void *params) {
  if (lane() % 2 == 1) {
    if (lane() == 31) {
      __hl_yield();
      __hl_exit();
    }
    return;
  }
  check(params, __hl_vote(HlVoteBallot, kAll, 1) == 0x55555555);
  __hl_warp_sync(kAll);
  check(params, __hl_activemask(1) == 0x55555555);
}

TEST(Warp, ExitedLanesAreNotWaitedFor) { run_and_check(exited_lanes, 64); }

// As `coalesced_threads()` does: the lanes of a branch find each other.
void diverged_activemask(const void *params) {
  check(params, __hl_activemask(1) == kAll);
  if (lane() < 12) {
    __hl_yield();
    const uint32_t mask = __hl_activemask(2);
    check(params, mask == 0xFFF);
    check(params, __hl_redux(HlReduxAdd, mask, 1) == 12);
  } else {
    check(params, __hl_activemask(3) == 0xFFFFF000);
  }
  check(params, __hl_activemask(4) == kAll);
}

TEST(Warp, ActiveMaskFollowsBranches) { run_and_check(diverged_activemask, 96); }

// Lane 0 asks while the others spin until it has its answer.
void activemask_while_others_spin(const void *params) {
  auto *flag = reinterpret_cast<std::atomic<uint32_t> *>(__hl_thread->shared);
  if (lane() == 0) {
    flag->store(0);
  }
  __hl_warp_sync(kAll);
  if (lane() == 0) {
    check(params, __hl_activemask(1) == 1);
    flag->store(1);
  } else {
    while (flag->load() == 0) {
      __hl_yield();
    }
  }
  __hl_barrier(0, 0);
}

TEST(Warp, ActiveMaskWhileOthersSpin) { run_and_check(activemask_while_others_spin, 32); }

void activemask_while_others_wait_at_barrier(const void *params) {
  if (lane() < 4) {
    check(params, __hl_activemask(1) == 0xF);
  }
  __hl_barrier(0, 0);
  argument_of<Outcome>(params)->total += 1;
}

TEST(Warp, ActiveMaskBeforeABarrier) { run_and_check(activemask_while_others_wait_at_barrier, 64, 64); }

// A lane whose mask lacks itself must not disturb the others.
void not_in_own_mask(const void *params) {
  const uint32_t got = __hl_shfl(HlShflIdx, 0xFFFF, lane() + 1, 3, 31, nullptr);
  check(params, got == (lane() < 16 ? 4 : lane() + 1));
}

TEST(Warp, LaneOutsideItsMask) { run_and_check(not_in_own_mask, 32); }

void loop_until_done(const void *params) {
  uint32_t rounds = 0;
  while (__hl_vote(HlVoteAny, kAll, rounds < lane()) != 0) {
    ++rounds;
  }
  check(params, rounds == 31);
}

TEST(Warp, VotesInALoop) { run_and_check(loop_until_done, 64); }

void miss_each_other(const void *) {
  if (lane() < 8) {
    __hl_warp_sync(kAll);
  } else {
    __hl_warp_sync(0xFFFFFF00);
    __hl_vote(HlVoteAny, kAll, 1);
  }
}

TEST(Warp, ReportsMeetingsThatCannotHappen) {
  TestGrid grid(miss_each_other, {1, 1, 1}, {32, 1, 1});
  ASSERT_NE(grid.run(), nullptr);
  EXPECT_EQ(grid.fault->code, 719);
  EXPECT_NE(grid.fault->text.find("8 threads wait at a warp synchronisation with mask 0xffffffff"), std::string::npos)
      << grid.fault->text;
  EXPECT_NE(grid.fault->text.find("24 threads wait at a warp vote"), std::string::npos) << grid.fault->text;
}

}  // namespace
}  // namespace hel::cpu::exec
