// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a row of the table is made of. A row file declares a Row; each file beside it declares a Side. Both register
// themselves, so a row is added by adding files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace hel::bench {

using Words = std::vector<uint32_t>;  ///< an array of elements of four bytes (or of packed smaller ones)

/// The data of a row, the same for each of its sides.
struct Problem {
  std::vector<int> sizes = {};     ///< as the row's sides understand them
  std::vector<Words> inputs = {};  ///< sides do not change them
  Words output = {};               ///< what the output holds before the run that is checked; empty: nothing to check
  double bytes = 0;                ///< that have to move between processor and memory in a run
  double flops = 0;                ///< that have to be done in a run
  double operations = 1;           ///< of a run, for rows whose goal is a time for each
};

/// A side's own copy of the arrays.
struct Memory {
  std::vector<void *> inputs;
  void *output = nullptr;

  template <typename T> const T *in(size_t i) const { return static_cast<const T *>(inputs[i]); }
  template <typename T> T *out() const { return static_cast<T *>(output); }
};

/// Where a side's arrays live.
struct Place {
  void *(*allocate)(size_t bytes);
  void (*release)(void *memory);
  void (*upload)(void *to, const void *from, size_t bytes);
  void (*download)(void *to, const void *from, size_t bytes);
};

const Place &host_place();     ///< pages of this process, large ones where the system gives them
const Place &helicon_place();  ///< cudaMalloc
const Place &opencl_place();   ///< clCreateBuffer

enum class Who { Helicon, Hand, OpenCl };

/// One way to do what a row measures. `run` returns when everything is done.
struct Side {
  Side(std::string_view row, Who who, void (*run)(const Problem &, const Memory &));

  std::string_view row;
  Who who;
  void (*run)(const Problem &, const Memory &);
};

enum class Unit {
  Ratio,       ///< time of Helicon's side / time of the hand-written side
  Nanoseconds  ///< time of Helicon's side for one operation
};

enum class Element { Int, Float };

struct RowSettings {
  std::string_view name;
  Unit unit = Unit::Ratio;
  double must, stretch;  ///< at most
  Element output = Element::Float;
  double tolerance = 1e-5;        ///< relative to the larger of one and the value
  double outliers = 0;            ///< share of elements that may differ by more
  bool kernel = true;             ///< one of the kernels, not a call of the API
  int idle_ms = 0;                ///< before each timed run
  Problem (*problem)(bool tiny);  ///< tiny: to check results only
};

struct Row : RowSettings {
  explicit Row(const RowSettings &settings);
};

std::span<const Row *const> rows();
const Side *find_side(std::string_view row, Who who);

/// Numbers that are the same in every run: floats in [low, high), integers in [0, below).
Words random_floats(size_t count, float low, float high, uint64_t seed);
Words random_integers(size_t count, uint32_t below, uint64_t seed);

}  // namespace hel::bench
