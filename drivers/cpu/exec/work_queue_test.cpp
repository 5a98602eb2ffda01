// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In which order the blocks of a grid are dealt out. A queue of the test's own, which no worker looks at.
#include "drivers/cpu/exec/work_queue.h"

#include <gtest/gtest.h>

#include <vector>

namespace hel::cpu::exec {
namespace {

constexpr uint64_t kBlocks = 2000;
const uint32_t kWorkers = static_cast<uint32_t>(WorkerPool::instance().worker_count());

class Deals : public testing::Test {
protected:
  explicit Deals(bool can_wait = false) {
    GridTraits traits;
    traits.blocks = kBlocks;
    traits.can_wait = can_wait;
    traits.most_dealt = 64;
    grid_ = std::make_unique<Grid>(traits);
    grid_->launch = &launch_;
    queue_.add_grid(grid_.get());
  }

  Chunk take(uint32_t worker, DealFor whom = DealFor::Worker) {
    Chunk chunk;
    if (!queue_.deal({whom, worker, nullptr}, &chunk)) {
      return {};
    }
    for (uint64_t i = chunk.begin; i < chunk.end; i++) {
      taken_[i]++;
    }
    return chunk;
  }

  GridLaunch launch_;
  std::unique_ptr<Grid> grid_;
  WorkQueue queue_;
  std::vector<int> taken_ = std::vector<int>(kBlocks);
};

class WaitingDeals : public Deals {
protected:
  WaitingDeals() : Deals(true) {}
};

TEST_F(Deals, FromBothEndsUntilAllAreTaken) {
  const uint32_t last = kWorkers - 1;
  uint64_t next = 0, end = kBlocks;
  while (next < end) {
    Chunk chunk = take(0);
    EXPECT_EQ(chunk.begin, next);
    next = chunk.end;
    if (next < end && last != 0) {
      chunk = take(last);
      EXPECT_EQ(chunk.end, end);
      end = chunk.begin;
    }
  }
  EXPECT_EQ(next, end);
  EXPECT_EQ(taken_, std::vector<int>(kBlocks, 1));
  EXPECT_EQ(take(0).grid, nullptr);
  EXPECT_EQ(take(last, DealFor::Helper).grid, nullptr);
}

TEST_F(Deals, OneTakerGetsAll) {
  while (take(kWorkers - 1).grid != nullptr) {
  }
  EXPECT_EQ(taken_, std::vector<int>(kBlocks, 1));
}

TEST_F(Deals, TheRestIsWithdrawn) {
  uint64_t count = 0;
  for (uint32_t worker : {0u, kWorkers - 1, 0u}) {
    const Chunk chunk = take(worker);
    count += chunk.end - chunk.begin;
  }
  EXPECT_EQ(queue_.withdraw(grid_.get()), kBlocks - count);
  EXPECT_EQ(take(0).grid, nullptr);
}

TEST_F(WaitingDeals, InOrder) {
  for (uint64_t block = 0; block < kBlocks; block++) {
    const Chunk chunk = take(block % 2 == 0 ? 0 : kWorkers - 1);
    EXPECT_EQ(chunk.begin, block);
    EXPECT_EQ(chunk.end, block + 1);
  }
  EXPECT_EQ(take(0).grid, nullptr);
}

}  // namespace
}  // namespace hel::cpu::exec
