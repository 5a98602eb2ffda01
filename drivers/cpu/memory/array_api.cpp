// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points: arrays.
#include "drivers/cpu/core/checks.h"
#include "drivers/cpu/core/device.h"
#include "drivers/cpu/memory/array.h"
#include "helicon/gen/cpu_impl.h"

namespace hel::cpu {
namespace {

constexpr unsigned kArrayFlags = CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_SURFACE_LDST | CUDA_ARRAY3D_CUBEMAP |
                                 CUDA_ARRAY3D_TEXTURE_GATHER | CUDA_ARRAY3D_COLOR_ATTACHMENT;

size_t attribute(const Context &context, CUdevice_attribute which) {
  Result<int> value = device_attribute(context.device(), which);
  return static_cast<size_t>(value.value());
}

Result<void> check_extent(const Context &context, const CUDA_ARRAY3D_DESCRIPTOR &d) {
  const bool layered = (d.Flags & CUDA_ARRAY3D_LAYERED) != 0;
  const bool cube = (d.Flags & CUDA_ARRAY3D_CUBEMAP) != 0;
  auto limit = [&](CUdevice_attribute which) { return attribute(context, which); };
  size_t width = limit(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH);
  size_t height = limit(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT);
  size_t depth = 0;
  bool shape = d.Width != 0;
  if (cube) {
    width = height = limit(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH);
    depth = layered ? limit(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS) : 6;
    shape = d.Width == d.Height && d.Depth != 0 && d.Depth % 6 == 0;
  } else if (layered) {
    width = limit(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH);
    height = limit(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT);
    depth = limit(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS);
    shape = shape && d.Depth != 0;
  } else if (d.Depth != 0) {
    width = height = limit(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH);
    depth = limit(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH);
    shape = shape && d.Height != 0;
  }
  if (!shape || d.Width > width || d.Height > height || d.Depth > depth) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE,
                    "an array of %zu x %zu x %zu with flags 0x%x is not possible (at most %zu x %zu x %zu)", d.Width,
                    d.Height, d.Depth, d.Flags, width, height, depth);
  }
  return {};
}

}  // namespace

size_t format_bytes(CUarray_format format, unsigned channels) {
  if (channels != 1 && channels != 2 && channels != 4) {
    return 0;
  }
  switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT8:
      return channels;
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_SIGNED_INT16:
    case CU_AD_FORMAT_HALF:
      return 2 * channels;
    case CU_AD_FORMAT_UNSIGNED_INT32:
    case CU_AD_FORMAT_SIGNED_INT32:
    case CU_AD_FORMAT_FLOAT:
      return 4 * channels;
    default:
      return 0;
  }
}

Result<void> array3d_create(CUarray *pHandle, const CUDA_ARRAY3D_DESCRIPTOR *pAllocateArray) {
  Context *context = HEL_TRY(current_context());
  HEL_TRY(check_out(pHandle, "pHandle"));
  HEL_TRY(check_out(pAllocateArray, "pAllocateArray"));
  const CUDA_ARRAY3D_DESCRIPTOR &d = *pAllocateArray;
  if ((d.Flags & (CUDA_ARRAY3D_SPARSE | CUDA_ARRAY3D_DEFERRED_MAPPING)) != 0) {
    return HEL_FAIL_KIND(CUDA_ERROR_NOT_SUPPORTED, Unsupported, "arrays without memory of their own are not supported");
  }
  HEL_TRY(check_flags(d.Flags, kArrayFlags));
  const size_t element = format_bytes(d.Format, d.NumChannels);
  if (element == 0) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "elements of format %d with %u channels are not possible",
                    static_cast<int>(d.Format), d.NumChannels);
  }
  HEL_TRY(check_extent(*context, d));
  const size_t rows = (d.Height == 0 ? 1 : d.Height) * (d.Depth == 0 ? 1 : d.Depth);
  Allocation *memory = HEL_TRY(allocate(*context, MemoryKind::Device, d.Width * element * rows, 0));
  Ref<Array> array = HEL_TRY(publish(new Array(*context, d, *memory)));
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
  memoryRequirements->alignment = 512;
  return {};
}

}  // namespace hel::cpu
