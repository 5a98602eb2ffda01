// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/exec/block_shares.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace hel::cpu::exec {
namespace {

struct Range {
  uint64_t begin = 0, end = 0;
  uint64_t size() const { return end - begin; }
  bool operator==(const Range &) const = default;
};

Range take(BlockShares &shares, uint32_t worker, uint64_t least = 1, uint64_t most = 64) {
  Range range;
  return shares.take(worker, least, most, &range.begin, &range.end) ? range : Range{};
}

TEST(BlockShares, AnEighthOfOnesOwnShareFromItsFront) {
  BlockShares shares(1000, 2);
  EXPECT_EQ(take(shares, 0), (Range{0, 62}));
  EXPECT_EQ(take(shares, 1), (Range{500, 562}));
  EXPECT_EQ(take(shares, 0), (Range{62, 116}));
}

TEST(BlockShares, AsManyAsAreWanted) {
  BlockShares shares(10'000, 1);
  EXPECT_EQ(take(shares, 0, 1, 64).size(), 64u);
  EXPECT_EQ(take(shares, 0, 4000, 8000).size(), 4000u);
  BlockShares few(10, 1);
  EXPECT_EQ(take(few, 0, 32, 64), (Range{0, 10}));
}

TEST(BlockShares, OfOthersFromTheEnd) {
  BlockShares shares(16, 4);
  for (uint64_t block = 0; block < 4; block++) {
    EXPECT_EQ(take(shares, 0), (Range{block, block + 1}));
  }
  EXPECT_EQ(take(shares, 0), (Range{7, 8}));
  EXPECT_EQ(take(shares, 1), (Range{4, 5}));
}

TEST(BlockShares, MoreWorkersThanBlocks) {
  BlockShares shares(3, 16);
  EXPECT_EQ(take(shares, 15), (Range{2, 3}));
  EXPECT_EQ(take(shares, 31), (Range{0, 1}));  // a number beyond the workers takes the place of one
  EXPECT_EQ(take(shares, 0), (Range{1, 2}));
  EXPECT_TRUE(shares.empty());
  EXPECT_EQ(take(shares, 0).size(), 0u);
}

TEST(BlockShares, AllThatIsLeft) {
  BlockShares shares(1000, 3);
  const uint64_t taken = take(shares, 0).size() + take(shares, 2).size();
  EXPECT_EQ(shares.take_all(), 1000 - taken);
  EXPECT_TRUE(shares.empty());
  EXPECT_EQ(take(shares, 1).size(), 0u);
}

TEST(BlockShares, MoreBlocksThan32Bits) {
  const uint64_t blocks = (uint64_t{1} << 40) + 12'345;
  BlockShares shares(blocks, 3);
  uint64_t taken = take(shares, 0).size() + take(shares, 2).size();
  EXPECT_EQ(taken + shares.take_all(), blocks);
}

TEST(BlockShares, EachBlockOnceWhenAllTakeAtOnce) {
  constexpr uint64_t kBlocks = 200'000;
  constexpr uint32_t kThreads = 4;
  BlockShares shares(kBlocks, kThreads + 1);  // the last share has no worker of its own
  std::vector<std::atomic<uint8_t>> times(kBlocks);
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < kThreads; t++) {
    threads.emplace_back([&, t] {
      for (Range range; (range = take(shares, t, 1, 5)).size() != 0;) {
        for (uint64_t i = range.begin; i < range.end; i++) {
          times[i].fetch_add(1, std::memory_order_relaxed);
        }
      }
    });
  }
  for (std::thread &thread : threads) {
    thread.join();
  }
  for (uint64_t i = 0; i < kBlocks; i++) {
    ASSERT_EQ(times[i].load(), 1) << i;
  }
  EXPECT_TRUE(shares.empty());
}

}  // namespace
}  // namespace hel::cpu::exec
