// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/harness/row.h"

#include <bit>

namespace hel::bench {
namespace {

// Functions, because rows of other files register before this file's variables would be made.
std::vector<const Row *> &all_rows() {
  static std::vector<const Row *> rows;
  return rows;
}

std::vector<const Side *> &all_sides() {
  static std::vector<const Side *> sides;
  return sides;
}

uint64_t next_random(uint64_t &state) {  // splitmix64
  uint64_t z = (state += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

}  // namespace

Row::Row(const RowSettings &settings) : RowSettings(settings) { all_rows().push_back(this); }

Side::Side(std::string_view row, Who who, void (*run)(const Problem &, const Memory &)) : row(row), who(who), run(run) {
  all_sides().push_back(this);
}

std::span<const Row *const> rows() { return all_rows(); }

const Side *find_side(std::string_view row, Who who) {
  for (const Side *side : all_sides()) {
    if (side->row == row && side->who == who) {
      return side;
    }
  }
  return nullptr;
}

Words random_floats(size_t count, float low, float high, uint64_t seed) {
  Words words(count);
  for (uint32_t &word : words) {
    const auto unit = static_cast<float>(next_random(seed) >> 40) * 0x1p-24f;
    word = std::bit_cast<uint32_t>(low + (high - low) * unit);
  }
  return words;
}

Words random_integers(size_t count, uint32_t below, uint64_t seed) {
  Words words(count);
  for (uint32_t &word : words) {
    word = static_cast<uint32_t>(next_random(seed) % below);
  }
  return words;
}

}  // namespace hel::bench
