// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device heap: limit, reuse, joining of neighbours, and use from kernels.
#include "drivers/cpu/exec/device_heap.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "drivers/cpu/exec/test_grid.h"

namespace hel::cpu::exec {
namespace {

TEST(DeviceHeap, Limit) {
  DeviceHeap heap(1 << 20);
  EXPECT_EQ(heap.allocate(0), nullptr);
  EXPECT_EQ(heap.allocate((1 << 20) + 1), nullptr);
  void *all = heap.allocate(1 << 20);
  ASSERT_NE(all, nullptr);
  EXPECT_TRUE(heap.contains(all));
  EXPECT_EQ(heap.allocate(16), nullptr);
  EXPECT_TRUE(heap.release(all));
  EXPECT_FALSE(heap.release(all));
  EXPECT_NE(heap.allocate(16), nullptr);
  EXPECT_FALSE(heap.set_limit(2 << 20));
  EXPECT_EQ(heap.limit(), 1u << 20);
}

TEST(DeviceHeap, Alignment) {
  DeviceHeap heap(1 << 20);
  EXPECT_EQ(heap.allocate(16, 24), nullptr);
  EXPECT_EQ(heap.allocate(16, 0), nullptr);
  std::vector<void *> blocks;
  for (size_t alignment = 1; alignment <= 65536; alignment *= 2) {
    blocks.push_back(heap.allocate(40, alignment));
    ASSERT_NE(blocks.back(), nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(blocks.back()) % (alignment > 16 ? alignment : 16), 0u) << alignment;
  }
  for (void *p : blocks) {
    EXPECT_TRUE(heap.release(p));
  }
  EXPECT_NE(heap.allocate(1 << 20), nullptr);
}

TEST(DeviceHeap, SetLimitBeforeUse) {
  DeviceHeap heap(1 << 20);
  EXPECT_TRUE(heap.set_limit(4 << 20));
  EXPECT_NE(heap.allocate(3 << 20), nullptr);
}

TEST(DeviceHeap, RandomUseKeepsBlocksApart) {
  DeviceHeap heap(1 << 20);
  std::mt19937 random(7);
  struct Block {
    uint8_t *at;
    size_t bytes;
    uint8_t mark;
  };
  std::vector<Block> blocks;
  for (int i = 0; i < 20000; ++i) {
    if (random() % 2 == 0) {
      const size_t bytes = 1 + random() % 2000;
      auto *p = static_cast<uint8_t *>(heap.allocate(bytes));
      if (p != nullptr) {
        ASSERT_EQ(reinterpret_cast<uintptr_t>(p) % 16, 0u);
        memset(p, i & 255, bytes);
        blocks.push_back({p, bytes, static_cast<uint8_t>(i)});
      }
    } else if (!blocks.empty()) {
      std::swap(blocks[random() % blocks.size()], blocks.back());
      const Block b = blocks.back();
      blocks.pop_back();
      ASSERT_TRUE(b.at[0] == b.mark && b.at[b.bytes - 1] == b.mark);
      ASSERT_TRUE(heap.release(b.at));
    }
  }
  for (const Block &b : blocks) {
    ASSERT_TRUE(heap.release(b.at));
  }
  EXPECT_NE(heap.allocate(1 << 20), nullptr);  // everything has been joined again
}

struct Pointers {
  uint32_t *cells[256];
  std::atomic<uint32_t> wrong{0};
};

void allocate_cells(const void *params) {
  auto *p = static_cast<uint32_t *>(__hl_malloc(40));
  *p = global_thread();
  argument_of<Pointers>(params)->cells[global_thread()] = p;
}

void free_cells(const void *params) {
  auto *pointers = argument_of<Pointers>(params);
  uint32_t *p = pointers->cells[global_thread()];
  pointers->wrong += *p != global_thread();
  __hl_free(p);
  __hl_free(nullptr);
}

TEST(DeviceHeap, BlocksOutliveKernels) {
  DeviceHeap heap(1 << 20);
  Pointers pointers;
  TestGrid allocate(allocate_cells, {4, 1, 1}, {64, 1, 1}, &pointers);
  TestGrid free(free_cells, {4, 1, 1}, {64, 1, 1}, &pointers);
  allocate.launch.heap = &heap;
  free.launch.heap = &heap;
  ASSERT_EQ(allocate.run(), nullptr);
  ASSERT_EQ(free.run(), nullptr);
  EXPECT_EQ(pointers.wrong, 0u);
  EXPECT_NE(heap.allocate(1 << 20), nullptr);
}

}  // namespace
}  // namespace hel::cpu::exec
