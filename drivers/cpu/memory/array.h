// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays: opaque to programs, stored here row after row and plane after plane.
#pragma once

#include "drivers/cpu/core/context.h"
#include "drivers/cpu/core/handle.h"
#include "drivers/cpu/memory/registry.h"

#include <cuda.h>

namespace hel::cpu {

/// Bytes of one element; 0 for formats that cannot be stored element by element.
size_t format_bytes(CUarray_format format, unsigned channels);

class Array : public HandleObject<Array, Tag::Array> {
public:
  Array(Context &context, const CUDA_ARRAY3D_DESCRIPTOR &descriptor, Allocation &memory)
      : context_(context), descriptor_(descriptor), memory_(memory) {}
  ~Array() override { release(memory_); }

  Context &context() const { return context_; }
  const CUDA_ARRAY3D_DESCRIPTOR &descriptor() const { return descriptor_; }
  uint8_t *data() const { return reinterpret_cast<uint8_t *>(memory_.base); }
  size_t element_bytes() const { return format_bytes(descriptor_.Format, descriptor_.NumChannels); }
  size_t pitch() const { return descriptor_.Width * element_bytes(); }
  size_t rows() const { return descriptor_.Height == 0 ? 1 : descriptor_.Height; }
  size_t planes() const { return descriptor_.Depth == 0 ? 1 : descriptor_.Depth; }
  size_t slice() const { return pitch() * rows(); }

private:
  Context &context_;
  const CUDA_ARRAY3D_DESCRIPTOR descriptor_;
  Allocation &memory_;
};

}  // namespace hel::cpu
