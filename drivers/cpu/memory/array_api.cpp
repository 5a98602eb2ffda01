// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points: arrays.
#include "drivers/cpu/core/checks.h"
#include "drivers/cpu/core/device.h"
#include "drivers/cpu/memory/array.h"
#include "helicon/gen/cpu_impl.h"

#include <algorithm>
#include <bit>

namespace hel::cpu {
namespace {

constexpr unsigned kArrayFlags = CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_SURFACE_LDST | CUDA_ARRAY3D_CUBEMAP |
                                 CUDA_ARRAY3D_TEXTURE_GATHER | CUDA_ARRAY3D_COLOR_ATTACHMENT;

size_t attribute(const Context &context, CUdevice_attribute which) {
  Result<int> value = device_attribute(context.device(), which);
  return static_cast<size_t>(value.value());
}

/// The largest extent of an array of one shape, as attributes of the device; -1: the dimension is not there.
struct ShapeLimits {
  int width, height, depth;
};

enum class Mipmapped { No, Yes };

#define HEL_LIMIT(name) CU_DEVICE_ATTRIBUTE_MAXIMUM_##name

ShapeLimits limits_of(const CUDA_ARRAY3D_DESCRIPTOR &d, Mipmapped mipmapped) {
  const bool layered = (d.Flags & CUDA_ARRAY3D_LAYERED) != 0;
  if ((d.Flags & CUDA_ARRAY3D_CUBEMAP) != 0) {
    return layered ? ShapeLimits{HEL_LIMIT(TEXTURECUBEMAP_LAYERED_WIDTH), HEL_LIMIT(TEXTURECUBEMAP_LAYERED_WIDTH),
                                 HEL_LIMIT(TEXTURECUBEMAP_LAYERED_LAYERS)}
                   : ShapeLimits{HEL_LIMIT(TEXTURECUBEMAP_WIDTH), HEL_LIMIT(TEXTURECUBEMAP_WIDTH), -1};
  }
  if (layered) {
    return d.Height == 0 ? ShapeLimits{HEL_LIMIT(TEXTURE1D_LAYERED_WIDTH), -1, HEL_LIMIT(TEXTURE1D_LAYERED_LAYERS)}
                         : ShapeLimits{HEL_LIMIT(TEXTURE2D_LAYERED_WIDTH), HEL_LIMIT(TEXTURE2D_LAYERED_HEIGHT),
                                       HEL_LIMIT(TEXTURE2D_LAYERED_LAYERS)};
  }
  if (d.Depth != 0) {
    return {HEL_LIMIT(TEXTURE3D_WIDTH), HEL_LIMIT(TEXTURE3D_HEIGHT), HEL_LIMIT(TEXTURE3D_DEPTH)};
  }
  if (mipmapped == Mipmapped::Yes) {
    return d.Height == 0 ? ShapeLimits{HEL_LIMIT(TEXTURE1D_MIPMAPPED_WIDTH), -1, -1}
                         : ShapeLimits{HEL_LIMIT(TEXTURE2D_MIPMAPPED_WIDTH), HEL_LIMIT(TEXTURE2D_MIPMAPPED_HEIGHT), -1};
  }
  if ((d.Flags & CUDA_ARRAY3D_TEXTURE_GATHER) != 0) {
    return {HEL_LIMIT(TEXTURE2D_GATHER_WIDTH), HEL_LIMIT(TEXTURE2D_GATHER_HEIGHT), -1};
  }
  return d.Height == 0 ? ShapeLimits{HEL_LIMIT(TEXTURE1D_WIDTH), -1, -1}
                       : ShapeLimits{HEL_LIMIT(TEXTURE2D_WIDTH), HEL_LIMIT(TEXTURE2D_HEIGHT), -1};
}

#undef HEL_LIMIT

Result<void> check_extent(const Context &context, const CUDA_ARRAY3D_DESCRIPTOR &d, Mipmapped mipmapped) {
  const bool layered = (d.Flags & CUDA_ARRAY3D_LAYERED) != 0;
  const bool cube = (d.Flags & CUDA_ARRAY3D_CUBEMAP) != 0;
  const ShapeLimits limits = limits_of(d, mipmapped);
  auto limit = [&](int which) {
    return which < 0 ? size_t{0} : attribute(context, static_cast<CUdevice_attribute>(which));
  };
  const size_t width = limit(limits.width), height = limit(limits.height);
  const size_t depth = cube && !layered ? 6 : limit(limits.depth);
  bool shape = d.Width != 0;
  if (cube) {
    shape = shape && d.Width == d.Height && d.Depth != 0 && d.Depth % 6 == 0;
  } else if (layered) {
    shape = shape && d.Depth != 0;
  } else if (d.Depth != 0) {
    shape = shape && d.Height != 0;
  }
  if ((d.Flags & CUDA_ARRAY3D_TEXTURE_GATHER) != 0) {
    shape = shape && d.Height != 0 && d.Depth == 0;
  }
  if (!shape || d.Width > width || d.Height > height || d.Depth > depth) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE,
                    "an array of %zu x %zu x %zu with flags 0x%x is not possible (at most %zu x %zu x %zu)", d.Width,
                    d.Height, d.Depth, d.Flags, width, height, depth);
  }
  return {};
}

Result<void> check_descriptor(const Context &context, const CUDA_ARRAY3D_DESCRIPTOR &d, Mipmapped mipmapped) {
  if ((d.Flags & (CUDA_ARRAY3D_SPARSE | CUDA_ARRAY3D_DEFERRED_MAPPING)) != 0) {
    return HEL_FAIL_KIND(CUDA_ERROR_NOT_SUPPORTED, Unsupported, "arrays without memory of their own are not supported");
  }
  HEL_TRY(check_flags(d.Flags, kArrayFlags));
  if (format_bytes(d.Format, d.NumChannels) == 0) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "elements of format %d with %u channels are not possible",
                    static_cast<int>(d.Format), d.NumChannels);
  }
  return check_extent(context, d, mipmapped);
}

size_t array_bytes(const CUDA_ARRAY3D_DESCRIPTOR &d) {
  const size_t rows = (d.Height == 0 ? 1 : d.Height) * (d.Depth == 0 ? 1 : d.Depth);
  return d.Width * format_bytes(d.Format, d.NumChannels) * rows;
}

Result<std::shared_ptr<ArrayMemory>> array_memory(Context &context, size_t bytes) {
  return std::make_shared<ArrayMemory>(*HEL_TRY(allocate(context, MemoryKind::Device, bytes, 0)));
}

constexpr size_t kArrayAlignment = 512;

}  // namespace

Result<void> array3d_create(CUarray *pHandle, const CUDA_ARRAY3D_DESCRIPTOR *pAllocateArray) {
  Context *context = HEL_TRY(current_context());
  HEL_TRY(check_out(pHandle, "pHandle"));
  HEL_TRY(check_out(pAllocateArray, "pAllocateArray"));
  const CUDA_ARRAY3D_DESCRIPTOR &d = *pAllocateArray;
  HEL_TRY(check_descriptor(*context, d, Mipmapped::No));
  std::shared_ptr<ArrayMemory> memory = HEL_TRY(array_memory(*context, array_bytes(d)));
  Ref<Array> array = HEL_TRY(publish(new Array(*context, d, std::move(memory), 0, false)));
  context->add_child(*array, Tag::Array);
  *pHandle = array->handle();
  return {};
}

Result<void> array_create(CUarray *pHandle, const CUDA_ARRAY_DESCRIPTOR *pAllocateArray) {
  HEL_TRY(check_out(pAllocateArray, "pAllocateArray"));
  CUDA_ARRAY3D_DESCRIPTOR full{};
  full.Width = pAllocateArray->Width;
  full.Height = pAllocateArray->Height;
  full.Format = pAllocateArray->Format;
  full.NumChannels = pAllocateArray->NumChannels;
  return array3d_create(pHandle, &full);
}

Result<void> array_destroy(CUarray hArray) {
  HEL_TRY(check_initialized());
  Ref<Array> array = HEL_TRY(find<Array>(hArray));
  if (array->is_level()) {
    return HEL_FAIL(CUDA_ERROR_INVALID_HANDLE, "a level of a mipmapped array ends with that");
  }
  array->context().synchronize();
  array->context().remove_child(*array);
  HEL_TRY(retire<Array>(hArray));
  return {};
}

Result<void> array3d_get_descriptor(CUDA_ARRAY3D_DESCRIPTOR *pArrayDescriptor, CUarray hArray) {
  HEL_TRY(current_context());
  HEL_TRY(check_out(pArrayDescriptor, "pArrayDescriptor"));
  Ref<Array> array = HEL_TRY(find<Array>(hArray));
  *pArrayDescriptor = array->descriptor();
  return {};
}

Result<void> array_get_descriptor(CUDA_ARRAY_DESCRIPTOR *pArrayDescriptor, CUarray hArray) {
  HEL_TRY(current_context());
  HEL_TRY(check_out(pArrayDescriptor, "pArrayDescriptor"));
  Ref<Array> array = HEL_TRY(find<Array>(hArray));
  const CUDA_ARRAY3D_DESCRIPTOR &full = array->descriptor();
  *pArrayDescriptor = {};
  pArrayDescriptor->Width = full.Width;
  pArrayDescriptor->Height = full.Height;
  pArrayDescriptor->Format = full.Format;
  pArrayDescriptor->NumChannels = full.NumChannels;
  return {};
}

Result<void> array_get_memory_requirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *memoryRequirements, CUarray array,
                                           CUdevice device) {
  HEL_TRY(find_device(device));
  HEL_TRY(check_out(memoryRequirements, "memoryRequirements"));
  Ref<Array> object = HEL_TRY(find<Array>(array));
  *memoryRequirements = {};
  memoryRequirements->size = object->slice() * object->planes();
  memoryRequirements->alignment = kArrayAlignment;
  return {};
}

Result<LevelLayout> lay_out_levels(const Context &context, const CUDA_ARRAY3D_DESCRIPTOR &array, unsigned levels) {
  HEL_TRY(check_descriptor(context, array, Mipmapped::Yes));
  const bool solid = (array.Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP)) == 0;
  const size_t longest = std::max({array.Width, array.Height, solid ? array.Depth : 0});
  const unsigned count = std::clamp(levels, 1u, static_cast<unsigned>(std::bit_width(longest)));
  LevelLayout layout;
  for (unsigned i = 0; i < count; i++) {
    layout.offsets.push_back(layout.bytes);
    const size_t level_bytes = array_bytes(level_descriptor(array, i));
    layout.bytes += (level_bytes + kArrayAlignment - 1) / kArrayAlignment * kArrayAlignment;
  }
  return layout;
}

Result<CUmipmappedArray> make_mipmapped_array(Context &context, const CUDA_ARRAY3D_DESCRIPTOR &array,
                                              const LevelLayout &layout, const std::shared_ptr<ArrayMemory> &memory) {
  std::vector<Ref<Array>> levels;
  for (unsigned i = 0; i < layout.offsets.size(); i++) {
    levels.push_back(HEL_TRY(publish(new Array(context, level_descriptor(array, i), memory, layout.offsets[i], true))));
  }
  Ref<MipmappedArray> made = HEL_TRY(publish(new MipmappedArray(context, array, std::move(levels))));
  context.add_child(*made, Tag::MipmappedArray);
  return made->handle();
}

Result<void> mipmapped_array_create(CUmipmappedArray *pHandle, const CUDA_ARRAY3D_DESCRIPTOR *pMipmappedArrayDesc,
                                    unsigned int numMipmapLevels) {
  Context *context = HEL_TRY(current_context());
  HEL_TRY(check_out(pHandle, "pHandle"));
  HEL_TRY(check_out(pMipmappedArrayDesc, "pMipmappedArrayDesc"));
  const LevelLayout layout = HEL_TRY(lay_out_levels(*context, *pMipmappedArrayDesc, numMipmapLevels));
  std::shared_ptr<ArrayMemory> memory = HEL_TRY(array_memory(*context, layout.bytes));
  *pHandle = HEL_TRY(make_mipmapped_array(*context, *pMipmappedArrayDesc, layout, memory));
  return {};
}

Result<void> mipmapped_array_get_level(CUarray *pLevelArray, CUmipmappedArray hMipmappedArray, unsigned int level) {
  HEL_TRY(current_context());
  HEL_TRY(check_out(pLevelArray, "pLevelArray"));
  Ref<MipmappedArray> array = HEL_TRY(find<MipmappedArray>(hMipmappedArray));
  if (level >= array->levels().size()) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "level %u of %zu", level, array->levels().size());
  }
  *pLevelArray = array->levels()[level]->handle();
  return {};
}

Result<void> mipmapped_array_destroy(CUmipmappedArray hMipmappedArray) {
  HEL_TRY(check_initialized());
  Ref<MipmappedArray> array = HEL_TRY(find<MipmappedArray>(hMipmappedArray));
  array->context().synchronize();
  array->context().remove_child(*array);
  HEL_TRY(retire<MipmappedArray>(hMipmappedArray));
  array->end_levels();
  return {};
}

Result<void> mipmapped_array_get_memory_requirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *memoryRequirements,
                                                     CUmipmappedArray mipmap, CUdevice device) {
  HEL_TRY(find_device(device));
  HEL_TRY(check_out(memoryRequirements, "memoryRequirements"));
  Ref<MipmappedArray> object = HEL_TRY(find<MipmappedArray>(mipmap));
  const Array &last = *object->levels().back();
  *memoryRequirements = {};
  memoryRequirements->size = last.offset() + last.slice() * last.planes();
  memoryRequirements->alignment = kArrayAlignment;
  return {};
}

/// No array here is sparse.
Result<void> array_get_sparse_properties(CUDA_ARRAY_SPARSE_PROPERTIES *sparseProperties, CUarray array) {
  HEL_TRY(current_context());
  HEL_TRY(check_out(sparseProperties, "sparseProperties"));
  HEL_TRY(find<Array>(array));
  return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "the array was not created with CUDA_ARRAY3D_SPARSE");
}

Result<void> mipmapped_array_get_sparse_properties(CUDA_ARRAY_SPARSE_PROPERTIES *sparseProperties,
                                                   CUmipmappedArray mipmap) {
  HEL_TRY(current_context());
  HEL_TRY(check_out(sparseProperties, "sparseProperties"));
  HEL_TRY(find<MipmappedArray>(mipmap));
  return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "the mipmapped array was not created with CUDA_ARRAY3D_SPARSE");
}

/// Arrays here have one plane each: formats with several are refused at their creation.
Result<void> array_get_plane(CUarray *pPlaneArray, CUarray hArray, unsigned int planeIdx) {
  HEL_TRY(current_context());
  HEL_TRY(check_out(pPlaneArray, "pPlaneArray"));
  HEL_TRY(find<Array>(hArray));
  return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "plane %u of an array whose format has one", planeIdx);
}

}  // namespace hel::cpu
