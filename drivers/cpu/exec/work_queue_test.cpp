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
    grid_ = std::make_unique<Grid>(traits, &launch_, nullptr, nullptr, Grid::Storage::Caller);
    queue_.add_grid(grid_.get());
  }

  Chunk take(uint32_t worker, DealFor whom = DealFor::Worker) {
    Chunk chunk;
    if (!queue_.deal({whom, worker, nullptr}, &chunk)) {
      return {};
    }
    count(chunk);
    return chunk;
  }
  void count(const Chunk &chunk) {
    for (uint64_t i = chunk.begin; i < chunk.end; i++) {
      taken_[i]++;
    }
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

TEST_F(Deals, EachBeginsWithItsOwnShare) {
  for (uint32_t worker = 0; worker < kWorkers; worker++) {
    EXPECT_EQ(take(worker).begin, kBlocks * worker / kWorkers);
  }
}

TEST_F(Deals, AMemberGoesOnUntilAllAreTaken) {
  Chunk chunk = take(0);
  EXPECT_TRUE(chunk.member);
  EXPECT_EQ(grid_->unfinished.load(), kBlocks + 1);
  const Taker taker{DealFor::Worker, 0, nullptr};
  while (queue_.deal_more(taker, &chunk)) {
    count(chunk);
  }
  EXPECT_EQ(taken_, std::vector<int>(kBlocks, 1));
  queue_.leave(grid_.get());
  EXPECT_FALSE(grid_->listed.load());
}

TEST_F(Deals, AMemberStopsForAGridThatComesFirst) {
  Chunk chunk = take(0);
  GridLaunch urgent_launch;
  urgent_launch.priority = -1;
  GridTraits traits;
  traits.blocks = 1;
  Grid urgent(traits, &urgent_launch, nullptr, nullptr, Grid::Storage::Caller);
  queue_.add_grid(&urgent);
  const Taker taker{DealFor::Worker, 0, nullptr};
  EXPECT_FALSE(queue_.deal_more(taker, &chunk));
  queue_.leave(grid_.get());
  EXPECT_TRUE(grid_->listed.load());
  ASSERT_TRUE(queue_.deal(taker, &chunk));
  EXPECT_EQ(chunk.grid, &urgent);
  EXPECT_EQ(take(0).grid, grid_.get());
}

TEST_F(Deals, AMemberStopsForWhomItIsNotMeant) {
  Chunk chunk = take(0);
  EXPECT_FALSE(queue_.deal_more({DealFor::Resting, 0, nullptr}, &chunk));
  EXPECT_FALSE(queue_.deal_more({DealFor::Crowded, 0, nullptr}, &chunk));
  EXPECT_FALSE(queue_.deal_more({DealFor::Helper, 0, this}, &chunk));
  EXPECT_TRUE(queue_.deal_more({DealFor::Helper, 0, nullptr}, &chunk));
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
    EXPECT_FALSE(chunk.member);
    EXPECT_EQ(chunk.begin, block);
    EXPECT_EQ(chunk.end, block + 1);
  }
  EXPECT_EQ(take(0).grid, nullptr);
}

}  // namespace
}  // namespace hel::cpu::exec
