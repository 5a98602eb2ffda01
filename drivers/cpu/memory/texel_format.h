// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The formats of the API that are stored texel by texel, as device code reads them.
#pragma once

#include "abi/texture.h"

#include <cuda.h>

#include <cstddef>
#include <optional>

namespace hel::cpu {

struct TexelFormat {
  abi::TexelChannel channel;
  unsigned channels;
  bool fraction;  ///< always read as a fraction (the UNORM and SNORM formats)

  size_t bytes() const;
  bool is_float() const { return channel == abi::kTexelF16 || channel == abi::kTexelF32; }
  /// Integers of 8 and 16 bits can be read as fractions.
  bool can_be_fraction() const { return channel <= abi::kTexelS16; }
};

/// Empty for block-compressed and multi-planar formats, and for other than 1, 2 or 4 channels.
std::optional<TexelFormat> texel_format(CUarray_format format, unsigned channels);
/// As which format a view shows an array. Empty for block-compressed ones.
std::optional<TexelFormat> view_format(CUresourceViewFormat format);

}  // namespace hel::cpu
