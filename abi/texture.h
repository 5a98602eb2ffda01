// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a texture or surface object is for device code on the CPU: the object's number is the address of a TextureState,
// which the driver fills (drivers/cpu/texture) and the device library reads (device/lib/texture).
//
//   texel (x, y, z) of a level:  level start + z * slice + y * pitch + x * texel_bytes     z: plane, layer or cube face
#pragma once

namespace hel::abi {

/// The type of a channel in memory.
enum TexelChannel : unsigned char {
  kTexelU8 = 0,
  kTexelS8 = 1,
  kTexelU16 = 2,
  kTexelS16 = 3,
  kTexelU32 = 4,
  kTexelS32 = 5,
  kTexelF16 = 6,
  kTexelF32 = 7,
};

/// As CUaddress_mode has them.
enum TexelAddress : unsigned char { kAddressWrap = 0, kAddressClamp = 1, kAddressMirror = 2, kAddressBorder = 3 };

enum TextureFlags : unsigned int {
  kTextureLinear = 1u << 0,       ///< linear filter inside a level
  kTextureMipLinear = 1u << 1,    ///< linear filter between levels
  kTextureNormalised = 1u << 2,   ///< coordinates in [0, 1)
  kTextureFraction = 1u << 3,     ///< 8 and 16 bit integers are read as fractions
  kTextureSrgb = 1u << 4,
  kTextureSeamless = 1u << 5,     ///< filters across the edges of a cube
  kTextureIsLinearMemory = 1u << 6,  ///< one row of linear memory: reads outside give zero
  kTextureLayered = 1u << 7,      ///< planes are layers (or cube faces), not depth
  /// One level of 32-bit texels in planes of less than 2 GiB, no border in x and y: what the library's short way reads.
  kTexturePlain = 1u << 8,
};

inline constexpr unsigned kMaxMipLevels = 18;

struct TextureState {
  unsigned char *texels;           ///< of the first level; null: the object was destroyed
  unsigned long long pitch;        ///< bytes from row to row of the first level
  unsigned long long slice;        ///< bytes from plane to plane of the first level
  unsigned int width, height, depth;  ///< of the first level, in texels; at least 1. depth: planes, layers or faces
  unsigned int first_layer;           ///< in memory; depth counts from it
  unsigned int flags;                 ///< TextureFlags
  unsigned char channel;           ///< TexelChannel
  unsigned char channels;          ///< 1, 2 or 4
  unsigned char texel_bytes;
  unsigned char address[3];        ///< TexelAddress
  unsigned char max_anisotropy;    ///< 1 to 16
  unsigned char last_level;        ///< 0: no smaller levels
  float level_bias, min_level, max_level;
  float border[4];  ///< as a texel outside gives it: rounded to what the format can hold, zero beyond its channels
  /// Start of each level, from `texels` on. The rows and planes of level l > 0 follow each other without gaps.
  unsigned long long level_offset[kMaxMipLevels];
};

static_assert(sizeof(TextureState) == 224);

}  // namespace hel::abi
