// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays: opaque to programs, stored here row after row and plane after plane. A mipmapped array is one piece of memory
// in which each level is an array.
#pragma once

#include "drivers/cpu/core/context.h"
#include "drivers/cpu/core/handle.h"
#include "drivers/cpu/memory/registry.h"
#include "drivers/cpu/memory/texel_format.h"

#include <cuda.h>

#include <memory>
#include <vector>

namespace hel::cpu {

/// Bytes of one element; 0 for formats that cannot be stored element by element.
size_t format_bytes(CUarray_format format, unsigned channels);

/// The memory of an array, or of all levels of a mipmapped array: freed with the last that uses it.
class ArrayMemory {
public:
  explicit ArrayMemory(Allocation &allocation) : allocation_(allocation) {}
  ArrayMemory(const ArrayMemory &) = delete;
  ArrayMemory &operator=(const ArrayMemory &) = delete;
  ~ArrayMemory() { release(allocation_); }
  uint8_t *data() const { return reinterpret_cast<uint8_t *>(allocation_.base); }

private:
  Allocation &allocation_;
};

class Array : public HandleObject<Array, Tag::Array> {
public:
  /// `offset`: of the array in its memory. `is_level`: it belongs to a mipmapped array and ends with that.
  Array(Context &context, const CUDA_ARRAY3D_DESCRIPTOR &descriptor, std::shared_ptr<ArrayMemory> memory, size_t offset,
        bool is_level)
      : context_(context), descriptor_(descriptor), memory_(std::move(memory)), offset_(offset), is_level_(is_level) {}

  Context &context() const { return context_; }
  const CUDA_ARRAY3D_DESCRIPTOR &descriptor() const { return descriptor_; }
  bool is_level() const { return is_level_; }
  uint8_t *data() const { return memory_->data() + offset_; }
  size_t offset() const { return offset_; }
  size_t element_bytes() const { return format_bytes(descriptor_.Format, descriptor_.NumChannels); }
  size_t pitch() const { return descriptor_.Width * element_bytes(); }
  size_t rows() const { return descriptor_.Height == 0 ? 1 : descriptor_.Height; }
  size_t planes() const { return descriptor_.Depth == 0 ? 1 : descriptor_.Depth; }
  size_t slice() const { return pitch() * rows(); }

private:
  Context &context_;
  const CUDA_ARRAY3D_DESCRIPTOR descriptor_;
  const std::shared_ptr<ArrayMemory> memory_;
  const size_t offset_;
  const bool is_level_;
};

class MipmappedArray : public HandleObject<MipmappedArray, Tag::MipmappedArray> {
public:
  MipmappedArray(Context &context, const CUDA_ARRAY3D_DESCRIPTOR &descriptor, std::vector<Ref<Array>> levels)
      : context_(context), descriptor_(descriptor), levels_(std::move(levels)) {}

  Context &context() const { return context_; }
  const CUDA_ARRAY3D_DESCRIPTOR &descriptor() const { return descriptor_; }
  const std::vector<Ref<Array>> &levels() const { return levels_; }
  void owner_gone() override { end_levels(); }
  /// The handles of the levels end; their memory is freed with the last texture that uses it.
  void end_levels();

private:
  Context &context_;
  const CUDA_ARRAY3D_DESCRIPTOR descriptor_;
  const std::vector<Ref<Array>> levels_;
};

/// Where the levels of a mipmapped array lie in its memory.
struct LevelLayout {
  std::vector<size_t> offsets;
  size_t bytes = 0;
};
/// Checks the description and clamps the number of levels to what there can be.
Result<LevelLayout> lay_out_levels(const Context &context, const CUDA_ARRAY3D_DESCRIPTOR &array, unsigned levels);
Result<CUmipmappedArray> make_mipmapped_array(Context &context, const CUDA_ARRAY3D_DESCRIPTOR &array,
                                              const LevelLayout &layout, const std::shared_ptr<ArrayMemory> &memory);

/// The size of level `level` of an array of this size: layers do not shrink.
CUDA_ARRAY3D_DESCRIPTOR level_descriptor(const CUDA_ARRAY3D_DESCRIPTOR &array, unsigned level);

}  // namespace hel::cpu
