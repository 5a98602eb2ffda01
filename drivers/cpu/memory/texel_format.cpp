// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/memory/texel_format.h"

namespace hel::cpu {
namespace {

using namespace abi;

constexpr unsigned kAnyChannels = 0;

struct Row {
  CUarray_format format;
  TexelChannel channel;
  unsigned channels;
  bool fraction;
};

constexpr Row kRows[] = {
    {CU_AD_FORMAT_UNSIGNED_INT8, kTexelU8, kAnyChannels, false},
    {CU_AD_FORMAT_SIGNED_INT8, kTexelS8, kAnyChannels, false},
    {CU_AD_FORMAT_UNSIGNED_INT16, kTexelU16, kAnyChannels, false},
    {CU_AD_FORMAT_SIGNED_INT16, kTexelS16, kAnyChannels, false},
    {CU_AD_FORMAT_UNSIGNED_INT32, kTexelU32, kAnyChannels, false},
    {CU_AD_FORMAT_SIGNED_INT32, kTexelS32, kAnyChannels, false},
    {CU_AD_FORMAT_HALF, kTexelF16, kAnyChannels, false},
    {CU_AD_FORMAT_FLOAT, kTexelF32, kAnyChannels, false},
    {CU_AD_FORMAT_UNORM_INT8X1, kTexelU8, 1, true},
    {CU_AD_FORMAT_UNORM_INT8X2, kTexelU8, 2, true},
    {CU_AD_FORMAT_UNORM_INT8X4, kTexelU8, 4, true},
    {CU_AD_FORMAT_UNORM_INT16X1, kTexelU16, 1, true},
    {CU_AD_FORMAT_UNORM_INT16X2, kTexelU16, 2, true},
    {CU_AD_FORMAT_UNORM_INT16X4, kTexelU16, 4, true},
    {CU_AD_FORMAT_SNORM_INT8X1, kTexelS8, 1, true},
    {CU_AD_FORMAT_SNORM_INT8X2, kTexelS8, 2, true},
    {CU_AD_FORMAT_SNORM_INT8X4, kTexelS8, 4, true},
    {CU_AD_FORMAT_SNORM_INT16X1, kTexelS16, 1, true},
    {CU_AD_FORMAT_SNORM_INT16X2, kTexelS16, 2, true},
    {CU_AD_FORMAT_SNORM_INT16X4, kTexelS16, 4, true},
};

/// In the order of CUresourceViewFormat: each for 1, 2 and 4 channels.
constexpr TexelChannel kViewChannels[] = {kTexelU8,  kTexelS8,  kTexelU16, kTexelS16,
                                          kTexelU32, kTexelS32, kTexelF16, kTexelF32};

}  // namespace

size_t TexelFormat::bytes() const {
  const size_t channel_bytes = channel <= kTexelS8 ? 1 : channel <= kTexelS16 || channel == kTexelF16 ? 2 : 4;
  return channel_bytes * channels;
}

std::optional<TexelFormat> texel_format(CUarray_format format, unsigned channels) {
  if (channels != 1 && channels != 2 && channels != 4) {
    return {};
  }
  for (const Row &row : kRows) {
    if (row.format == format && (row.channels == kAnyChannels || row.channels == channels)) {
      return TexelFormat{row.channel, channels, row.fraction};
    }
  }
  return {};
}

std::optional<TexelFormat> view_format(CUresourceViewFormat format) {
  if (format < CU_RES_VIEW_FORMAT_UINT_1X8 || format > CU_RES_VIEW_FORMAT_FLOAT_4X32) {
    return {};
  }
  const unsigned row = format - CU_RES_VIEW_FORMAT_UINT_1X8;
  return TexelFormat{kViewChannels[row / 3], 1u << row % 3, false};
}

}  // namespace hel::cpu
