// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What programs advised about managed memory. The memory is one for all, so that advice moves nothing; it is
// remembered, page by page, for those who ask.
#pragma once

#include <cuda.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace hel::cpu {

struct Hints {
  bool read_mostly = false;
  CUmemLocation preferred = {CU_MEM_LOCATION_TYPE_INVALID, 0};
  CUmemLocation prefetched = {CU_MEM_LOCATION_TYPE_INVALID, 0};
  uint64_t accessed_by = 0;  ///< bit i: device i
  bool accessed_by_host = false;
};

/// Applies `change` to every page of the range.
void change_hints(uintptr_t address, size_t bytes, const std::function<void(Hints &)> &change);
/// The different hints that occur in the range; at least one.
std::vector<Hints> hints_of(uintptr_t address, size_t bytes);
/// The memory is gone.
void forget_hints(uintptr_t address, size_t bytes);

}  // namespace hel::cpu
