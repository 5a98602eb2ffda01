// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the words of matrix fragments hold. Lane 4g + t of a warp holds, of an 8 x 8 tile, elements of row g and of
// columns 2t and 2t + 1 (32-bit elements: column t). Products of A's and B's elements are exact in float (double for
// f64, integers for bytes); the sum of a row goes through k in ascending order, in float.
#pragma once

#include "device/lib/lib.h"

namespace {

constexpr uint32 kAllLanes = 0xffffffff;
constexpr uint32 kNoClamp = 0x1f;

HL_LOCAL uint32 from_lane(uint32 value, uint32 lane) {
  return __nvvm_shfl_sync_idx_i32(kAllLanes, static_cast<int>(value), static_cast<int>(lane), kNoClamp);
}
HL_LOCAL uint64 from_lane(uint64 value, uint32 lane) {
  return from_lane(static_cast<uint32>(value), lane) | uint64{from_lane(static_cast<uint32>(value >> 32), lane)} << 32;
}
HL_LOCAL uint32 lane_id() { return __nvvm_read_ptx_sreg_laneid(); }

// What a word of a fragment holds: how many elements, and the products and sums of them.
struct Half {
  static constexpr int kElements = 2;
  using Word = uint32;
  using Sum = float;
  static HL_DEVICE float element(uint32 word, int i) {
    return static_cast<float>(__builtin_bit_cast(_Float16, static_cast<unsigned short>(word >> (16 * i))));
  }
};
struct BFloat {
  static constexpr int kElements = 2;
  using Word = uint32;
  using Sum = float;
  static HL_DEVICE float element(uint32 word, int i) { return float_of(i == 0 ? word << 16 : word & 0xffff0000); }
};
/// The 13 bits that tf32 does not have are ignored.
struct TF32 {
  static constexpr int kElements = 1;
  using Word = uint32;
  using Sum = float;
  static HL_DEVICE float element(uint32 word, int) { return float_of(word & 0xffffe000); }
};
/// 8-bit numbers: E4M3 has no infinity, E5M2 is the upper half of a half.
struct E4M3 {
  static constexpr int kElements = 4;
  using Word = uint32;
  using Sum = float;
  static HL_DEVICE float element(uint32 word, int i) {
    uint32 bits = word >> (8 * i) & 0xff, size = bits & 0x7f;
    // As a half with the exponent's bias left as it is: 2^-8 too small.
    float value = static_cast<float>(__builtin_bit_cast(_Float16, static_cast<unsigned short>(size << 7))) * 256.0f;
    value = size == 0x7f ? __builtin_nanf("") : value;
    return (bits & 0x80) != 0 ? -value : value;
  }
};
struct E5M2 {
  static constexpr int kElements = 4;
  using Word = uint32;
  using Sum = float;
  static HL_DEVICE float element(uint32 word, int i) {
    return static_cast<float>(__builtin_bit_cast(_Float16, static_cast<unsigned short>((word >> (8 * i) & 0xff) << 8)));
  }
};
template <typename Byte> struct Bytes {
  static constexpr int kElements = 4;
  using Word = uint32;
  using Sum = int;
  static HL_DEVICE int element(uint32 word, int i) { return static_cast<Byte>(word >> (8 * i)); }
};
template <bool kSigned> struct Nibbles {
  static constexpr int kElements = 8;
  using Word = uint32;
  using Sum = int;
  static HL_DEVICE int element(uint32 word, int i) {
    return kSigned ? static_cast<int>(word << (28 - 4 * i)) >> 28 : static_cast<int>(word >> (4 * i) & 15);
  }
};
/// 32 bits are one element; a product is how many of both are set, or differ.
template <bool kXor> struct BitWord {
  static constexpr int kElements = 1;
  using Word = uint32;
  using Sum = int;
  struct Value {
    uint32 bits;
  };
  static HL_DEVICE Value element(uint32 word, int) { return {word}; }
  friend HL_DEVICE int multiply_add(Value x, Value y, int sum) {
    return sum + __builtin_popcount(kXor ? x.bits ^ y.bits : x.bits & y.bits);
  }
};
struct Double {
  static constexpr int kElements = 1;
  using Word = uint64;
  using Sum = double;
  static HL_DEVICE double element(uint64 word, int) { return __builtin_bit_cast(double, word); }
};

HL_LOCAL float multiply_add(float x, float y, float sum) { return sum + x * y; }
HL_LOCAL double multiply_add(double x, double y, double sum) { return __builtin_fma(x, y, sum); }
/// Sums of integers wrap around; products of small ones do not.
HL_LOCAL int multiply_add(int x, int y, int sum) {
  return static_cast<int>(static_cast<uint32>(sum) + static_cast<uint32>(x * y));
}

}  // namespace
