// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the sides of a row in turn, in one process, and compares their results.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/harness/limits.h"
#include "bench/harness/row.h"

namespace hel::bench {

/// Median and quartiles over the rounds.
struct Spread {
  double low, median, high;
};

struct Outcome {
  const Row *row;
  Spread figure;                 ///< in the row's unit
  double best;                   ///< the figure of the fastest runs of both sides
  std::optional<double> limit;   ///< share of the machine's limit that the hand-written side reaches (0 to 1)
  std::optional<Spread> opencl;  ///< time of PoCL / time of Helicon
};

struct Plan {
  int rounds = 9;
  double seconds_a_turn = 0.03;  ///< each side runs at least so long (and twice) in its turn
};

/// Compares what the sides compute. Empty, or what differs.
std::string check_results(const Row &row, bool tiny);

Outcome measure(const Row &row, const Plan &plan, const Limits &limits);

namespace opencl {
bool available();
}

}  // namespace hel::bench
