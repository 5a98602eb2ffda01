// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory behind the __shared__ variables of one block: page aligned, with an inaccessible page behind it and one in
// front that cannot be written. A vector that is read in part only may begin there (`if (t >= k) s[t - k]`); where the
// rest of one lies in memory that is not there at all, it takes the processor a hundred times as long.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hel::cpu::exec {

class SharedWindow {
public:
  SharedWindow() = default;
  ~SharedWindow();
  SharedWindow(const SharedWindow &) = delete;
  SharedWindow &operator=(const SharedWindow &) = delete;

  /// Makes room for `bytes` (contents are lost). Null if there is no memory.
  uint8_t *reserve(size_t bytes);

private:
  void release();

  uint8_t *base_ = nullptr;
  size_t bytes_ = 0;
};

/// Where the extern __shared__ arrays start, behind the static variables.
inline uint32_t dynamic_shared_offset(uint32_t static_bytes) { return (static_bytes + 127) & ~uint32_t{127}; }

}  // namespace hel::cpu::exec
