// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/memory/array.h"

#include <algorithm>

namespace hel::cpu {

size_t format_bytes(CUarray_format format, unsigned channels) {
  std::optional<TexelFormat> known = texel_format(format, channels);
  return known ? known->bytes() : 0;
}

CUDA_ARRAY3D_DESCRIPTOR level_descriptor(const CUDA_ARRAY3D_DESCRIPTOR &array, unsigned level) {
  // 0 stands for a dimension that is not there.
  auto shrink = [&](size_t extent) { return extent == 0 ? 0 : std::max<size_t>(extent >> level, 1); };
  CUDA_ARRAY3D_DESCRIPTOR d = array;
  d.Width = shrink(array.Width);
  d.Height = shrink(array.Height);
  if ((array.Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP)) == 0) {
    d.Depth = shrink(array.Depth);
  }
  return d;
}

void MipmappedArray::end_levels() {
  for (const Ref<Array> &level : levels_) {
    (void)retire<Array>(level->handle());
  }
}

}  // namespace hel::cpu
