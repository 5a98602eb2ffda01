// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/vectorise/ways.h"

#include <gtest/gtest.h>

namespace hel::cc {
namespace {

/// Counts how often entries are copied.
struct Counted {
  int number = 0;
  Counted() = default;
  explicit Counted(int number) : number(number) {}
  Counted(const Counted &other) : number(other.number) { copies++; }
  Counted(Counted &&) = default;
  Counted &operator=(const Counted &other) {
    copies++;
    number = other.number;
    return *this;
  }
  Counted &operator=(Counted &&) = default;
  static inline size_t copies = 0;
};

using Map = MapOfWays<int, Counted>;

int number_of(const Map &map, int key) {
  const Counted *found = map.find(key);
  return found == nullptr ? -1 : found->number;
}

TEST(MapOfWays, ForgetsWhatAWayWrote) {
  Map map;
  map.entry(1) = Counted(10);
  {
    const Map::Way way(map);
    map.entry(1) = Counted(11);
    map.entry(1) = Counted(12);
    map.entry(2) = Counted(20);
    {
      const Map::Way inner(map);
      map.entry(2) = Counted(21);
      map.entry(3) = Counted(30);
      EXPECT_EQ(number_of(map, 2), 21);
    }
    EXPECT_EQ(number_of(map, 1), 12);
    EXPECT_EQ(number_of(map, 2), 20);
    EXPECT_EQ(number_of(map, 3), -1);
  }
  EXPECT_EQ(number_of(map, 1), 10);
  EXPECT_EQ(number_of(map, 2), -1);
}

TEST(MapOfWays, KeepsWhatIsWrittenOnNoWay) {
  Map map;
  {
    const Map::Way way(map);
  }
  map.entry(1) = Counted(10);
  {
    const Map::Way way(map);
  }
  EXPECT_EQ(number_of(map, 1), 10);
  map.clear();
  EXPECT_EQ(number_of(map, 1), -1);
}

// A kernel of thousands of accesses, each in two ways, took time by the square of their number to be widened.
TEST(MapOfWays, AWayCostsWhatItWrites) {
  auto copies_of_a_way = [](int entries) {
    Map map;
    for (int i = 0; i < entries; i++) {
      map.entry(i) = Counted(i);
    }
    Counted::copies = 0;
    {
      const Map::Way way(map);
      map.entry(0) = Counted(1);
    }
    return Counted::copies;
  };
  EXPECT_EQ(copies_of_a_way(1000), copies_of_a_way(10));
}

}  // namespace
}  // namespace hel::cc
