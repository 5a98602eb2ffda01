// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/harness/measure.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <thread>

namespace hel::bench {
namespace {

// The other side's idle threads may still spin for so long after its turn.
constexpr auto kQuiet = std::chrono::milliseconds(3);

const Place &place_of(Who who) {
  switch (who) {
    case Who::Helicon:
      return helicon_place();
    case Who::Hand:
      return host_place();
    default:
      return opencl_place();
  }
}

const char *name_of(Who who) { return who == Who::Helicon ? "helicon" : who == Who::Hand ? "hand-written" : "OpenCL"; }

/// A side with its own copy of the row's arrays.
class Contender {
public:
  Contender(const Side &side, const Problem &problem) : side_(side), place_(place_of(side.who)), problem_(problem) {
    for (const Words &words : problem.inputs) {
      memory_.inputs.push_back(copy(words));
    }
    if (!problem.output.empty()) {
      memory_.output = copy(problem.output);
    }
  }

  ~Contender() {
    for (void *input : memory_.inputs) {
      place_.release(input);
    }
    if (memory_.output != nullptr) {
      place_.release(memory_.output);
    }
  }

  Contender(const Contender &) = delete;
  Contender &operator=(const Contender &) = delete;

  void run() { side_.run(problem_, memory_); }

  Words result() {
    Words words(problem_.output.size());
    if (!words.empty()) {
      place_.download(words.data(), memory_.output, words.size() * sizeof(uint32_t));
    }
    return words;
  }

  Who who() const { return side_.who; }
  std::vector<double> turns;  ///< median of each turn, in seconds
  double best = 1e9;

private:
  void *copy(const Words &words) {
    void *memory = place_.allocate(words.size() * sizeof(uint32_t));
    place_.upload(memory, words.data(), words.size() * sizeof(uint32_t));
    return memory;
  }

  const Side &side_;
  const Place &place_;
  const Problem &problem_;
  Memory memory_;
};

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

Spread spread_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t n = values.size();
  return {values[n / 4], values[n / 2], values[n - 1 - n / 4]};
}

Spread ratio_of(const Contender &over, const Contender &under) {
  std::vector<double> ratios;
  for (size_t i = 0; i < over.turns.size(); i++) {
    ratios.push_back(over.turns[i] / under.turns[i]);
  }
  return spread_of(ratios);
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void take_turn(Contender &contender, const Plan &plan, int idle_ms) {
  std::this_thread::sleep_for(kQuiet);
  contender.run();  // wakes its threads and fills the caches
  std::vector<double> runs;
  double spent = 0;
  while (runs.size() < 2 || (spent < plan.seconds_a_turn && runs.size() < 1000)) {
    if (idle_ms != 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(idle_ms));
      spent += idle_ms * 1e-3;
    }
    const auto start = std::chrono::steady_clock::now();
    contender.run();
    runs.push_back(seconds_since(start));
    spent += runs.back();
  }
  contender.turns.push_back(median(runs));
  contender.best = std::min(contender.best, *std::min_element(runs.begin(), runs.end()));
}

std::vector<std::unique_ptr<Contender>> contenders(const Row &row, const Problem &problem) {
  std::vector<std::unique_ptr<Contender>> made;
  for (Who who : {Who::Helicon, Who::Hand, Who::OpenCl}) {
    const Side *side = find_side(row.name, who);
    if (side != nullptr && (who != Who::OpenCl || opencl::available())) {
      made.push_back(std::make_unique<Contender>(*side, problem));
    }
  }
  return made;
}

double distance(const Row &row, uint32_t a, uint32_t b) {
  if (row.output == Element::Int) {
    return a == b ? 0 : 2;
  }
  const double x = std::bit_cast<float>(a), y = std::bit_cast<float>(b);
  return a == b ? 0 : std::abs(x - y) / std::max(1.0, std::max(std::abs(x), std::abs(y)));  // NaN is far from all
}

}  // namespace

std::string check_results(const Row &row, bool tiny) {
  const Problem problem = row.problem(tiny);
  auto sides = contenders(row, problem);
  std::vector<Words> results;
  for (auto &side : sides) {
    side->run();
    results.push_back(side->result());
  }
  for (size_t s = 1; s < sides.size(); s++) {
    size_t wrong = 0, first = 0;
    for (size_t i = 0; i < results[0].size(); i++) {
      if (!(distance(row, results[0][i], results[s][i]) <= row.tolerance)) {
        first = wrong++ == 0 ? i : first;
      }
    }
    if (static_cast<double>(wrong) > row.outliers * static_cast<double>(results[0].size())) {
      char text[256];
      const uint32_t a = results[0][first], b = results[s][first];
      const bool floats = row.output == Element::Float;
      snprintf(text, sizeof text, "%zu of %zu elements differ; element %zu: %s %.9g, %s %.9g", wrong, results[0].size(),
               first, name_of(sides[0]->who()), floats ? std::bit_cast<float>(a) : static_cast<int>(a),
               name_of(sides[s]->who()), floats ? std::bit_cast<float>(b) : static_cast<int>(b));
      return text;
    }
  }
  return "";
}

Outcome measure(const Row &row, const Plan &plan, const Limits &limits) {
  const Problem problem = row.problem(false);
  auto sides = contenders(row, problem);
  for (int round = 0; round < plan.rounds; round++) {
    for (size_t i = 0; i < sides.size(); i++) {
      take_turn(*sides[(i + static_cast<size_t>(round)) % sides.size()], plan, row.idle_ms);
    }
  }
  auto find = [&](Who who) {
    for (auto &side : sides) {
      if (side->who() == who) {
        return side.get();
      }
    }
    return static_cast<Contender *>(nullptr);
  };
  Contender *helicon = find(Who::Helicon), *hand = find(Who::Hand), *opencl = find(Who::OpenCl);
  Outcome outcome{.row = &row, .figure = {}, .best = 0, .limit = {}, .opencl = {}};
  if (row.unit == Unit::Nanoseconds) {
    outcome.figure = spread_of(helicon->turns);
    for (double *value : {&outcome.figure.low, &outcome.figure.median, &outcome.figure.high}) {
      *value *= 1e9 / problem.operations;
    }
    outcome.best = helicon->best * 1e9 / problem.operations;
  } else {
    outcome.figure = ratio_of(*helicon, *hand);
    outcome.best = helicon->best / hand->best;
  }
  const double least = std::max(problem.bytes / limits.bytes_per_second, problem.flops / limits.flops_per_second);
  if (least > 0 && hand != nullptr) {
    outcome.limit = least / median(hand->turns);
  }
  if (opencl != nullptr) {
    outcome.opencl = ratio_of(*opencl, *helicon);
  }
  return outcome;
}

}  // namespace hel::bench
