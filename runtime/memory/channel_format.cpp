// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/channel_format.h"

namespace hel::rt {
namespace {

struct Row {
  int bits;
  cudaChannelFormatKind kind;
  unsigned channels;  ///< 0: 1, 2 or 4
  CUarray_format format;
};

constexpr Row kRows[] = {
    {8, cudaChannelFormatKindUnsigned, 0, CU_AD_FORMAT_UNSIGNED_INT8},
    {16, cudaChannelFormatKindUnsigned, 0, CU_AD_FORMAT_UNSIGNED_INT16},
    {32, cudaChannelFormatKindUnsigned, 0, CU_AD_FORMAT_UNSIGNED_INT32},
    {8, cudaChannelFormatKindSigned, 0, CU_AD_FORMAT_SIGNED_INT8},
    {16, cudaChannelFormatKindSigned, 0, CU_AD_FORMAT_SIGNED_INT16},
    {32, cudaChannelFormatKindSigned, 0, CU_AD_FORMAT_SIGNED_INT32},
    {16, cudaChannelFormatKindFloat, 0, CU_AD_FORMAT_HALF},
    {32, cudaChannelFormatKindFloat, 0, CU_AD_FORMAT_FLOAT},
    {8, cudaChannelFormatKindUnsignedNormalized8X1, 1, CU_AD_FORMAT_UNORM_INT8X1},
    {8, cudaChannelFormatKindUnsignedNormalized8X2, 2, CU_AD_FORMAT_UNORM_INT8X2},
    {8, cudaChannelFormatKindUnsignedNormalized8X4, 4, CU_AD_FORMAT_UNORM_INT8X4},
    {16, cudaChannelFormatKindUnsignedNormalized16X1, 1, CU_AD_FORMAT_UNORM_INT16X1},
    {16, cudaChannelFormatKindUnsignedNormalized16X2, 2, CU_AD_FORMAT_UNORM_INT16X2},
    {16, cudaChannelFormatKindUnsignedNormalized16X4, 4, CU_AD_FORMAT_UNORM_INT16X4},
    {8, cudaChannelFormatKindSignedNormalized8X1, 1, CU_AD_FORMAT_SNORM_INT8X1},
    {8, cudaChannelFormatKindSignedNormalized8X2, 2, CU_AD_FORMAT_SNORM_INT8X2},
    {8, cudaChannelFormatKindSignedNormalized8X4, 4, CU_AD_FORMAT_SNORM_INT8X4},
    {16, cudaChannelFormatKindSignedNormalized16X1, 1, CU_AD_FORMAT_SNORM_INT16X1},
    {16, cudaChannelFormatKindSignedNormalized16X2, 2, CU_AD_FORMAT_SNORM_INT16X2},
    {16, cudaChannelFormatKindSignedNormalized16X4, 4, CU_AD_FORMAT_SNORM_INT16X4},
};

}  // namespace

Result<ChannelFormat> channel_format(const cudaChannelFormatDesc &desc) {
  const int bits[] = {desc.x, desc.y, desc.z, desc.w};
  unsigned channels = 0;
  while (channels < 4 && bits[channels] != 0) {
    channels++;
  }
  bool equal = channels != 0 && channels != 3;
  for (unsigned i = 0; i < 4; i++) {
    equal = equal && bits[i] == (i < channels ? bits[0] : 0);
  }
  for (const Row &row : kRows) {
    if (equal && row.bits == bits[0] && row.kind == desc.f && (row.channels == 0 || row.channels == channels)) {
      return ChannelFormat{row.format, channels};
    }
  }
  return HEL_FAIL(cudaErrorInvalidChannelDescriptor, "channels of %d, %d, %d, %d bits of kind %d", desc.x, desc.y,
                  desc.z, desc.w, static_cast<int>(desc.f));
}

Result<CUDA_ARRAY3D_DESCRIPTOR> array_descriptor(const cudaChannelFormatDesc &desc, const cudaExtent &extent,
                                                 unsigned flags) {
  const ChannelFormat format = HEL_TRY(channel_format(desc));
  CUDA_ARRAY3D_DESCRIPTOR descriptor{};
  descriptor.Width = extent.width;
  descriptor.Height = extent.height;
  descriptor.Depth = extent.depth;
  descriptor.Format = format.format;
  descriptor.NumChannels = format.channels;
  descriptor.Flags = flags;
  return descriptor;
}

cudaChannelFormatDesc channel_desc(CUarray_format format, unsigned channels) {
  for (const Row &row : kRows) {
    if (row.format == format) {
      const int bits = row.bits;
      return {bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 3 ? bits : 0, row.kind};
    }
  }
  return {0, 0, 0, 0, cudaChannelFormatKindNone};
}

}  // namespace hel::rt
