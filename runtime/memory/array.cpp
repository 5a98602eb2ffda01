// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays: memory with a layout of the device's own, for textures and surfaces. A cudaArray_t is the driver's CUarray.
#include "helicon/gen/runtime_impl.h"
#include "runtime/core/context.h"
#include "runtime/core/convert.h"

namespace hel::rt {
namespace {

struct Format {
  CUarray_format format;
  unsigned channels;
};

/// Channels are equally wide, of 8, 16 or 32 bits, and 1, 2 or 4 in number.
Result<Format> format_of(const cudaChannelFormatDesc &desc) {
  const int bits[] = {desc.x, desc.y, desc.z, desc.w};
  unsigned channels = 0;
  while (channels < 4 && bits[channels] != 0) {
    channels++;
  }
  bool equal = true;
  for (unsigned i = 0; i < 4; i++) {
    equal = equal && bits[i] == (i < channels ? bits[0] : 0);
  }
  struct Row {
    int bits;
    cudaChannelFormatKind kind;
    CUarray_format format;
  };
  constexpr Row kRows[] = {
      {8, cudaChannelFormatKindUnsigned, CU_AD_FORMAT_UNSIGNED_INT8},
      {16, cudaChannelFormatKindUnsigned, CU_AD_FORMAT_UNSIGNED_INT16},
      {32, cudaChannelFormatKindUnsigned, CU_AD_FORMAT_UNSIGNED_INT32},
      {8, cudaChannelFormatKindSigned, CU_AD_FORMAT_SIGNED_INT8},
      {16, cudaChannelFormatKindSigned, CU_AD_FORMAT_SIGNED_INT16},
      {32, cudaChannelFormatKindSigned, CU_AD_FORMAT_SIGNED_INT32},
      {16, cudaChannelFormatKindFloat, CU_AD_FORMAT_HALF},
      {32, cudaChannelFormatKindFloat, CU_AD_FORMAT_FLOAT},
  };
  for (const Row &row : kRows) {
    if (equal && channels != 0 && channels != 3 && row.bits == bits[0] && row.kind == desc.f) {
      return Format{row.format, channels};
    }
  }
  return HEL_FAIL(cudaErrorInvalidChannelDescriptor, "channels of %d, %d, %d, %d bits of kind %d", desc.x, desc.y,
                  desc.z, desc.w, static_cast<int>(desc.f));
}

cudaChannelFormatDesc channels_of(CUarray_format format, unsigned channels) {
  int bits = 32;
  cudaChannelFormatKind kind = cudaChannelFormatKindFloat;
  switch (format) {
  case CU_AD_FORMAT_UNSIGNED_INT8: bits = 8; kind = cudaChannelFormatKindUnsigned; break;
  case CU_AD_FORMAT_UNSIGNED_INT16: bits = 16; kind = cudaChannelFormatKindUnsigned; break;
  case CU_AD_FORMAT_UNSIGNED_INT32: kind = cudaChannelFormatKindUnsigned; break;
  case CU_AD_FORMAT_SIGNED_INT8: bits = 8; kind = cudaChannelFormatKindSigned; break;
  case CU_AD_FORMAT_SIGNED_INT16: bits = 16; kind = cudaChannelFormatKindSigned; break;
  case CU_AD_FORMAT_SIGNED_INT32: kind = cudaChannelFormatKindSigned; break;
  case CU_AD_FORMAT_HALF: bits = 16; break;
  default: break;
  }
  return {bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 3 ? bits : 0, kind};
}

}  // namespace

Result<void> malloc_array(cudaArray_t *array, const cudaChannelFormatDesc *desc, size_t width, size_t height,
                          unsigned int flags) {
  return malloc3d_array(array, desc, {width, height, 0}, flags);
}

Result<void> malloc3d_array(cudaArray_t *array, const cudaChannelFormatDesc *desc, cudaExtent extent,
                            unsigned int flags) {
  const DriverTable *cu = HEL_TRY(bound_driver());
  if (array == nullptr || desc == nullptr) {
    return HEL_FAIL(cudaErrorInvalidValue, "an argument is null");
  }
  Format format = HEL_TRY(format_of(*desc));
  CUDA_ARRAY3D_DESCRIPTOR descriptor{};
  descriptor.Width = extent.width;
  descriptor.Height = extent.height;
  descriptor.Depth = extent.depth;
  descriptor.Format = format.format;
  descriptor.NumChannels = format.channels;
  descriptor.Flags = flags;
  return check(cu->Array3DCreate(reinterpret_cast<CUarray *>(array), &descriptor));
}

Result<void> free_array(cudaArray_t array) {
  const DriverTable *cu = HEL_TRY(bound_driver());
  return array == nullptr ? Result<void>{} : check(cu->ArrayDestroy(driver_array(array)));
}

Result<void> array_get_info(cudaChannelFormatDesc *desc, cudaExtent *extent, unsigned int *flags, cudaArray_t array) {
  CUDA_ARRAY3D_DESCRIPTOR descriptor{};
  HEL_TRY(check(HEL_TRY(bound_driver())->Array3DGetDescriptor(&descriptor, driver_array(array))));
  if (desc != nullptr) {
    *desc = channels_of(descriptor.Format, descriptor.NumChannels);
  }
  if (extent != nullptr) {
    *extent = {descriptor.Width, descriptor.Height, descriptor.Depth};
  }
  if (flags != nullptr) {
    *flags = descriptor.Flags;
  }
  return {};
}

cudaChannelFormatDesc create_channel_desc(int x, int y, int z, int w, cudaChannelFormatKind f) { return {x, y, z, w, f}; }

Result<void> get_channel_desc(cudaChannelFormatDesc *desc, cudaArray_const_t array) {
  if (desc == nullptr) {
    return HEL_FAIL(cudaErrorInvalidValue, "desc is null");
  }
  return array_get_info(desc, nullptr, nullptr, const_cast<cudaArray_t>(array));
}

}  // namespace hel::rt
