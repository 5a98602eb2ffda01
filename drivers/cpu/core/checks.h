// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Argument checks that many entry points share.
#pragma once

#include "base/result.h"

#include <cuda.h>

namespace hel::cpu {

inline Result<void> check_out(const void *pointer, const char *name) {
  if (pointer == nullptr) [[unlikely]] {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%s is null", name);
  }
  return {};
}

/// Only the bits of `allowed` may be set.
inline Result<void> check_flags(unsigned flags, unsigned allowed) {
  if ((flags & ~allowed) != 0) [[unlikely]] {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "flags 0x%x are unknown", flags & ~allowed);
  }
  return {};
}

}  // namespace hel::cpu
