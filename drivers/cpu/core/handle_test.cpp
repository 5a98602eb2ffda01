// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handles: null, foreign and stale ones are recognised, also after slots were used again and while threads race.
#include "drivers/cpu/core/handle.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>
#include <vector>

namespace hel::cpu {
namespace {

std::atomic<int> living{0};

class Thing : public HandleObject<Thing, Tag::Event> {
public:
  Thing() { living++; }
  ~Thing() override { living--; }
};

class Other : public HandleObject<Other, Tag::Stream> {};

TEST(Handle, NullForeignAndStaleAreErrors) {
  Ref<Thing> thing = publish(new Thing).take();
  CUevent handle = thing->handle();
  EXPECT_TRUE(find<Thing>(handle));
  Result<Ref<Other>> wrong_type = find<Other>(reinterpret_cast<CUstream>(handle));
  ASSERT_FALSE(wrong_type);
  EXPECT_EQ(wrong_type.failure().code, CUDA_ERROR_INVALID_HANDLE);
  EXPECT_FALSE(find<Thing>(nullptr));
  EXPECT_FALSE(find<Thing>(reinterpret_cast<CUevent>(&living)));
  EXPECT_FALSE(find<Thing>(reinterpret_cast<CUevent>(reinterpret_cast<char *>(handle) + 1)));
  EXPECT_FALSE(find<Thing>(reinterpret_cast<CUevent>(~uintptr_t{0})));
  EXPECT_TRUE(retire<Thing>(handle));
  EXPECT_FALSE(thing->alive());
  EXPECT_FALSE(find<Thing>(handle));
  EXPECT_FALSE(retire<Thing>(handle));
  EXPECT_EQ(living, 1);
  thing = nullptr;
  EXPECT_EQ(living, 0);
}

TEST(Handle, ReusedSlotsGiveNewHandles) {
  std::set<CUevent> seen;
  for (int i = 0; i < 20000; i++) {
    CUevent handle = publish(new Thing).take()->handle();
    EXPECT_TRUE(seen.insert(handle).second);
    EXPECT_TRUE(retire<Thing>(handle));
    EXPECT_FALSE(find<Thing>(handle));
  }
  EXPECT_EQ(living, 0);
}

TEST(Handle, OneThreadWinsTheEnd) {
  for (int round = 0; round < 200; round++) {
    CUevent handle = publish(new Thing).take()->handle();
    std::atomic<int> winners{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++) {
      threads.emplace_back([&] {
        Result<Ref<Thing>> found = find<Thing>(handle);
        if (retire<Thing>(handle)) {
          winners++;
        }
        if (found) {
          EXPECT_GE(living.load(), 1);
        }
      });
    }
    for (std::thread &thread : threads) {
      thread.join();
    }
    EXPECT_EQ(winners, 1);
    EXPECT_EQ(living, 0);
  }
}

}  // namespace
}  // namespace hel::cpu
