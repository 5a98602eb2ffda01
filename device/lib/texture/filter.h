// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a texture unit makes of coordinates and texels, bit by bit as it was found on an H200
// (tests/golden/textures.cu):
//
// * A normalised coordinate has 21 fractional bits, the rest is dropped; a period is taken off after that. Times the
// size it
//   is a place in 1/256 texels, rounded with halves up.
// * A weight of 256 is split level by level, plane by plane, column by column, row by row; what a split rounds off one
// part
//   gets the other. Halves go to the later neighbour, but for the rows of the first column.
// * Floating-point texels are aligned to the largest that has a weight, four bits below its last one are kept, and the
// sum is
//   rounded once, halves away from zero; a subnormal sum is zero. Texels of 8 and 16 bits are summed as integers of 16
//   bits.
#pragma once

#include "device/lib/texture/texel.h"

constexpr int kOutside = -1;  ///< in the place of a texel: the border

/// Two neighbours on one axis; kOutside: the border.
struct HlAxis {
  int low, high;
  int fraction;  ///< the weight of `high`, in 1/256
};

/// A coordinate inside one period, or near the texture: in 2^-21 if it is normalised, else in texels. Not-a-number is
/// 0.
HL_LOCAL double texture_coordinate(float x, uint32 size, uint32 mode, bool normalised) {
  double v = normalised ? __builtin_floor(static_cast<double>(x) * 0x1p21) : static_cast<double>(x);
  if (normalised && (mode == kAddressWrap || mode == kAddressMirror)) {
    const double period = mode == kAddressWrap ? 0x1p21 : 0x1p22, periods = mode == kAddressWrap ? 0x1p-21 : 0x1p-22;
    v -= period * __builtin_floor(v * periods);
  }
  v = v == v ? v : 0.0;
  const double least = normalised ? -0x1p22 : -2.0;
  const double most = normalised ? 0x1.8p22 : static_cast<double>(size) + 2.0;
  v = v > least ? v : least;
  return v < most ? v : most;
}

/// The texel that stands for number `i`, which is in the period or next to it.
HL_LOCAL int texture_place(int i, int size, uint32 mode) {
  if (mode == kAddressWrap) {
    return i < 0 ? i + size : i >= size ? i - size : i;
  }
  if (mode == kAddressMirror) {
    i = i < 0 || i >= 2 * size ? 0 : i;
    return i < size ? i : 2 * size - 1 - i;
  }
  if (mode == kAddressBorder) {
    return i < 0 || i >= size ? kOutside : i;
  }
  return i < 0 ? 0 : i < size ? i : size - 1;
}

/// `fixed`: in 1/256 texels, from the middle of texel 0 on. What is clamped has no neighbour beyond the edge.
HL_LOCAL HlAxis texture_neighbours(int fixed, int size, uint32 mode) {
  if (mode == kAddressClamp) {
    const int last = (size - 1) * 256;
    fixed = fixed < 0 ? 0 : fixed < last ? fixed : last;
  }
  const int low = fixed >> 8;
  return {texture_place(low, size, mode), texture_place(low + 1, size, mode), fixed & 255};
}

HL_LOCAL HlAxis texture_axis(float x, uint32 size, uint32 mode, bool normalised, bool linear) {
  const double v = texture_coordinate(x, size, mode, normalised), texels = static_cast<double>(size);
  if (!linear) {
    const int i = static_cast<int>(__builtin_floor(v * (normalised ? texels * 0x1p-21 : 1.0)));
    const int at = texture_place(i, static_cast<int>(size), mode);
    return {at, at, 0};
  }
  const double scaled = v * (normalised ? texels * 0x1p-13 : 256.0);
  return texture_neighbours(static_cast<int>(__builtin_floor(scaled - 127.5)), static_cast<int>(size), mode);
}

struct HlSplit {
  int low, high;
};

HL_LOCAL HlSplit texture_split(int weight, int fraction, bool halves_up = true) {
  const int high = (weight * fraction + (halves_up ? 128 : 127)) >> 8;
  return {weight - high, high};
}

/// The weights of two columns in two rows: (0, 0), (1, 0), (0, 1), (1, 1).
struct HlCorners {
  int weight[4];
};

HL_LOCAL HlCorners texture_corners(int weight, int across, int down) {
  const HlSplit columns = texture_split(weight, across);
  const HlSplit first = texture_split(columns.low, down, /*halves_up=*/false),
                second = texture_split(columns.high, down);
  return {{first.low, second.low, first.high, second.high}};
}

/// The most texels that one result is made of: two levels of a box.
constexpr int kMostTaps = 16;

/// A sum of floating-point texels that have `bits` significant bits, with `guard` further ones, rounded to `result`
/// bits.
HL_LOCAL float blend_floats(const float *values, const int *weights, int count, int bits, int guard, int result) {
  int top = 0;
  float plain = 0.0f;
  for (int i = 0; i < count; ++i) {
    const int exponent = static_cast<int>(bits_of(values[i]) >> 23 & 255);
    top = weights[i] != 0 && exponent > top ? exponent : top;
    plain += weights[i] != 0 ? values[i] * (static_cast<float>(weights[i]) / 256.0f) : 0.0f;
  }
  if (top == 255 || top == 0) {
    return top == 0 ? 0.0f : plain;
  }
  const int dropped = 24 - bits - guard;
  long long sum = 0;
  for (int i = 0; i < count; ++i) {
    const uint32 word = bits_of(values[i]);
    const int exponent = static_cast<int>(word >> 23 & 255), shift = top - exponent + dropped;
    const long long significand = exponent == 0 ? 0 : static_cast<long long>((word & 0x7fffff) | 0x800000) << 16;
    const long long aligned = shift + 16 < 63 ? significand >> (shift + 16) : 0;
    sum += (word >> 31 != 0 ? -aligned : aligned) * weights[i];
  }
  uint64 size = static_cast<uint64>(sum < 0 ? -sum : sum);
  const int excess = size == 0 ? 0 : 64 - __builtin_clzll(size) - result;
  if (excess > 0) {
    size = (size + (uint64{1} << (excess - 1))) >> excess << excess;
  }
  // The sum is in units of 2^(top - 127 - 23 + dropped - 8).
  const double scale = double_of(static_cast<uint64>(1023 + top - 158 + dropped) << 52);
  const double value = static_cast<double>(size) * scale;
  return value < 0x1p-126 ? 0.0f : static_cast<float>(sum < 0 ? -value : value);
}

/// sRGB texels have eight significant bits; one with the first four set leaves the others a bit less.
HL_LOCAL float blend_srgb(const float *values, const int *weights, int count) {
  uint32 top = 0;
  for (int i = 0; i < count; ++i) {
    top = weights[i] != 0 && bits_of(values[i]) > top ? bits_of(values[i]) : top;
  }
  return blend_floats(values, weights, count, 8, (top & 0x700000) == 0x700000 ? -1 : 0, 11);
}

/// Integers as fractions of the largest.
HL_LOCAL float blend_integers(uint32 channel, const int *values, const int *weights, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) {
    sum += values[i] * weights[i];
  }
  if (channel == kTexelS8) {
    sum += ((sum >> 4) + (sum >> 12) + 4) >> 3;  // 7 bits become 15
  } else {
    sum = channel == kTexelU8 ? static_cast<int>((static_cast<uint32>(sum) * 257u + 128u) >> 8) : (sum + 128) >> 8;
  }
  const bool has_sign = channel == kTexelS8 || channel == kTexelS16;
  const float fraction = static_cast<float>(sum) / (has_sign ? 32767.0f : 65535.0f);
  return fraction < -1.0f ? -1.0f : fraction;
}
