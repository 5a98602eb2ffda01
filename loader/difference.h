// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where two pieces of memory differ, read as the numbers that they most likely hold.
#pragma once

#include <cstddef>
#include <string>

namespace hel::loader {

/// What is taken for equal (HELICON_COMPARE=ulp=4,abs=1e-6). Integers must agree.
struct Tolerance {
  double ulp = 0;
  double abs = 0;
  /// Reads the setting: "1" and "on" stand for exact. False: it cannot be read.
  static bool parse(const std::string &text, Tolerance *tolerance);
};

struct Difference {
  size_t elements = 0;    ///< that differ beyond the tolerance
  size_t compared = 0;
  size_t first = 0;       ///< byte offset of the first of them
  std::string text;       ///< the first of them: both values, and how far apart
  double worst_ulp = 0;   ///< over all floating-point elements that differ
};

/// Compares `bytes` bytes. An element is eight bytes where the memory looks like doubles, else four.
Difference compare_memory(const void *gpu, const void *cpu, size_t bytes, const Tolerance &tolerance);

}  // namespace hel::loader
