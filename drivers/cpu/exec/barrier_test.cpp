// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Block barriers: whole block, named with counts, arrive without waiting, reductions, early exit; grid-wide barriers;
// and reports of those that can never complete.
#include <gtest/gtest.h>

#include <vector>

#include "drivers/cpu/exec/test_grid.h"

namespace hel::cpu::exec {
namespace {

struct Sums {
  std::atomic<uint32_t> wrong{0};
  std::atomic<uint32_t> total{0};
  std::atomic<uint32_t> flag{0};
};

uint32_t *shared_words() { return reinterpret_cast<uint32_t *>(__hl_thread->shared); }

void tree_sum(const void *params) {
  const uint32_t n = __hl_thread->ntid.x;
  const uint32_t i = __hl_thread->tid.x;
  shared_words()[i] = i + 1;
  __hl_barrier(0, 0);
  for (uint32_t step = n / 2; step > 0; step /= 2) {
    if (i < step) {
      shared_words()[i] += shared_words()[i + step];
    }
    __hl_barrier(0, 0);
  }
  if (i == 0) {
    argument_of<Sums>(params)->wrong += shared_words()[0] != n * (n + 1) / 2;
    argument_of<Sums>(params)->total += 1;
  }
}

TEST(Barrier, TreeSum) {
  for (uint32_t threads : {1u, 64u, 1024u}) {
    Sums sums;
    TestGrid grid(tree_sum, {50, 1, 1}, {threads, 1, 1}, &sums, abi::kKernelUsesBarrier);
    grid.launch.state.static_shared_bytes = 4096;
    ASSERT_EQ(grid.run(), nullptr);
    EXPECT_EQ(sums.wrong, 0u);
    EXPECT_EQ(sums.total, 50u);
  }
}

void exited_do_not_count(const void *params) {
  if (__hl_thread->tid.x % 3 == 0) {
    return;
  }
  if (__hl_thread->tid.x % 3 == 1) {
    __hl_barrier(0, 0);
    __hl_exit();
  }
  __hl_barrier(0, 0);
  __hl_barrier(0, 0);
  argument_of<Sums>(params)->total += 1;
}

TEST(Barrier, ExitedThreadsDoNotCount) {
  Sums sums;
  TestGrid grid(exited_do_not_count, {4, 1, 1}, {100, 1, 1}, &sums);
  ASSERT_EQ(grid.run(), nullptr) << grid.fault->text;
  EXPECT_EQ(sums.total, 4 * 33u);
}

void reductions(const void *params) {
  const uint32_t i = __hl_thread->tid.x;
  Sums *sums = argument_of<Sums>(params);
  sums->wrong += __hl_barrier_red_popc(0, 0, i % 2) != 48;
  sums->wrong += __hl_barrier_red_and(0, 0, 5) != 1;
  sums->wrong += __hl_barrier_red_and(0, 0, i != 40) != 0;
  sums->wrong += __hl_barrier_red_or(0, 0, i == 40) != 1;
  sums->wrong += __hl_barrier_red_or(0, 0, 0) != 0;
  sums->wrong += __hl_barrier_red_popc(3, 0, 1) != 96;
}

TEST(Barrier, Reductions) {
  Sums sums;
  TestGrid grid(reductions, {3, 1, 1}, {96, 1, 1}, &sums);
  ASSERT_EQ(grid.run(), nullptr) << grid.fault->text;
  EXPECT_EQ(sums.wrong, 0u);
}

// Warps 0 and 1 meet at barrier 1, warps 2 and 3 at barrier 2, a different number of times.
void named(const void *params) {
  const uint32_t warp = __hl_thread->warp;
  const uint32_t half = warp / 2;
  for (uint32_t round = 0; round < 5 + half * 3; ++round) {
    if (__hl_thread->lane == 0) {
      shared_words()[warp] = round;
    }
    __hl_barrier(1 + half, 64);
    argument_of<Sums>(params)->wrong += shared_words()[warp ^ 1] != round;
    __hl_barrier(1 + half, 64);
  }
}

TEST(Barrier, NamedWithCount) {
  Sums sums;
  TestGrid grid(named, {3, 1, 1}, {128, 1, 1}, &sums);
  grid.launch.state.static_shared_bytes = 64;
  ASSERT_EQ(grid.run(), nullptr) << grid.fault->text;
  EXPECT_EQ(sums.wrong, 0u);
}

// Producer and consumer warps: barrier 1 says "full", barrier 2 says "empty".
void produce_consume(const void *params) {
  const uint32_t lane = __hl_thread->lane;
  const bool producer = __hl_thread->warp == 0;
  for (uint32_t round = 0; round < 20; ++round) {
    if (producer) {
      if (round > 0) {
        __hl_barrier(2, 64);
      }
      shared_words()[lane] = round * 100 + lane;
      __hl_barrier_arrive(1, 64);
    } else {
      __hl_barrier(1, 64);
      argument_of<Sums>(params)->wrong += shared_words()[31 - lane] != round * 100 + 31 - lane;
      if (round < 19) {
        __hl_barrier_arrive(2, 64);
      }
    }
  }
}

TEST(Barrier, ProducerAndConsumer) {
  Sums sums;
  TestGrid grid(produce_consume, {2, 1, 1}, {64, 1, 1}, &sums);
  grid.launch.state.static_shared_bytes = 128;
  ASSERT_EQ(grid.run(), nullptr) << grid.fault->text;
  EXPECT_EQ(sums.wrong, 0u);
}

// The count of a named barrier is of warps: lanes that have exited are counted with their warp.
void named_with_exited_lanes(const void *params) {
  if (__hl_thread->lane >= 20) {
    return;
  }
  __hl_barrier(4, 64);
  argument_of<Sums>(params)->total += 1;
}

TEST(Barrier, NamedCountsExitedLanesOfItsWarps) {
  Sums sums;
  TestGrid grid(named_with_exited_lanes, {1, 1, 1}, {48, 1, 1}, &sums);
  ASSERT_EQ(grid.run(), nullptr) << grid.fault->text;
  EXPECT_EQ(sums.total, 36u);
}

struct GridSums {
  std::atomic<uint32_t> cells[256] = {};
  std::atomic<uint32_t> wrong{0};
};

void cooperative(const void *params) {
  auto *sums = argument_of<GridSums>(params);
  const uint32_t blocks = __hl_thread->nctaid.x;
  for (uint32_t round = 1; round <= 6; ++round) {
    if (__hl_thread->tid.x == 0) {
      sums->cells[linear_block()].store(round * 7, std::memory_order_relaxed);
    }
    __hl_grid_sync();
    sums->wrong += sums->cells[(linear_block() + round * 13) % blocks].load(std::memory_order_relaxed) != round * 7;
    __hl_grid_sync();
  }
}

TEST(Barrier, CooperativeGrid) {
  for (uint32_t blocks : {1u, 2u, 37u, 200u}) {
    GridSums sums;
    TestGrid grid(cooperative, {blocks, 1, 1}, {40, 1, 1}, &sums);
    grid.launch.state.cooperative = 1;
    ASSERT_EQ(grid.run(), nullptr);
    EXPECT_EQ(sums.wrong, 0u);
  }
}

void expect_report(TestGrid &grid, const char *text) {
  FaultReport *fault = grid.run();
  ASSERT_NE(fault, nullptr);
  EXPECT_EQ(fault->code, 719);
  EXPECT_NE(fault->text.find(text), std::string::npos) << fault->text;
  EXPECT_NE(fault->text.find("test_kernel"), std::string::npos) << fault->text;
}

void half_at_another_barrier(const void *) { __hl_barrier(__hl_thread->tid.x < 10 ? 1 : 2, 0); }

TEST(Barrier, ReportsDeadlock) {
  TestGrid grid(half_at_another_barrier, {4, 1, 1}, {64, 1, 1});
  expect_report(grid, "10 threads wait at barrier 1");
  expect_report(grid, "54 threads wait at barrier 2");
}

void too_few(const void *) {
  if (__hl_thread->tid.x < 32) {
    __hl_barrier(1, 64);
  }
}

TEST(Barrier, ReportsTooFewThreads) {
  TestGrid grid(too_few, {1, 1, 1}, {96, 1, 1});
  expect_report(grid, "32 threads wait at barrier 1");
  expect_report(grid, "64 threads have ended");
}

void one_block_leaves(const void *) {
  if (linear_block() != 3) {
    __hl_grid_sync();
  }
}

TEST(Barrier, ReportsGridDeadlock) {
  TestGrid grid(one_block_leaves, {8, 1, 1}, {32, 1, 1});
  grid.launch.state.cooperative = 1;
  expect_report(grid, "grid-wide barrier");
}

void sync_grid(const void *) { __hl_grid_sync(); }

TEST(Barrier, ReportsGridBarrierWithoutCooperation) {
  TestGrid grid(sync_grid, {2, 1, 1}, {32, 1, 1});
  expect_report(grid, "not launched cooperatively");
}

void wrong_number(const void *) { __hl_barrier(31, 0); }

TEST(Barrier, ReportsWrongNumber) {
  TestGrid grid(wrong_number, {2, 1, 1}, {32, 1, 1});
  expect_report(grid, "out of range");
}

}  // namespace
}  // namespace hel::cpu::exec
