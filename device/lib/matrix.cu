// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix instructions on fragments in registers (PTX ldmatrix, stmatrix, movmatrix, mma.sync). Lane 4g + t of a warp holds, of
// an 8 x 8 tile, elements of row g and of columns 2t and 2t + 1 (32-bit elements: column t). Products of A's and B's elements
// are exact in float (double for f64, integers for bytes); the sum of a row goes through k in ascending order, in float.
#include "device/lib/lib.h"

namespace {

constexpr uint32 kAllLanes = 0xffffffff;
constexpr uint32 kNoClamp = 0x1f;

HL_LOCAL uint32 from_lane(uint32 value, uint32 lane) {
  return __nvvm_shfl_sync_idx_i32(kAllLanes, static_cast<int>(value), static_cast<int>(lane), kNoClamp);
}
HL_LOCAL uint64 from_lane(uint64 value, uint32 lane) {
  return from_lane(static_cast<uint32>(value), lane) |
         uint64{from_lane(static_cast<uint32>(value >> 32), lane)} << 32;
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
template <typename Byte> struct Bytes {
  static constexpr int kElements = 4;
  using Word = uint32;
  using Sum = int;
  static HL_DEVICE int element(uint32 word, int i) { return static_cast<Byte>(word >> (8 * i)); }
};
struct Double {
  static constexpr int kElements = 1;
  using Word = uint64;
  using Sum = double;
  static HL_DEVICE double element(uint64 word, int) { return __builtin_bit_cast(double, word); }
};

HL_LOCAL float multiply_add(float x, float y, float sum) { return sum + x * y; }
HL_LOCAL double multiply_add(double x, double y, double sum) { return __builtin_fma(x, y, sum); }
HL_LOCAL long long multiply_add(int x, int y, long long sum) { return sum + static_cast<long long>(x) * y; }

/// kRows 8-row tiles of A times one 8-column tile of B over kSteps groups of four words. A's words stand as (tile, step), step
/// outermost; `sum` has two columns for each tile of rows.
template <int kRows, int kSteps, typename A, typename B, typename Accumulator>
HL_LOCAL void multiply(Accumulator (&sum)[2 * kRows], const typename A::Word *a, const typename B::Word *b) {
  const uint32 lane = lane_id(), row = lane / 4, column = lane % 4 * 2;
  for (int step = 0; step < kSteps; ++step) {
    for (uint32 t = 0; t < 4; ++t) {
      typename B::Word right[2] = {from_lane(b[step], 4 * column + t), from_lane(b[step], 4 * (column + 1) + t)};
      for (int tile = 0; tile < kRows; ++tile) {
        typename A::Word left = from_lane(a[kRows * step + tile], 4 * row + t);
        for (int i = 0; i < A::kElements; ++i) {
          for (int c = 0; c < 2; ++c) {
            Accumulator &out = sum[2 * tile + c];
            out = multiply_add(A::element(left, i), B::element(right[c], i), out);
          }
        }
      }
    }
  }
}

template <int kRows, int kSteps, typename Kind> HL_LOCAL void multiply_float(uint32 *d, const uint32 *a, const uint32 *b) {
  float sum[2 * kRows];
  for (int i = 0; i < 2 * kRows; ++i) {
    sum[i] = float_of(d[i]);
  }
  multiply<kRows, kSteps, Kind, Kind>(sum, a, b);
  for (int i = 0; i < 2 * kRows; ++i) {
    d[i] = bits_of(sum[i]);
  }
}

/// The sum is kept in float and rounded to half at the end.
template <int kRows, int kSteps> HL_LOCAL void multiply_half(uint32 *d, const uint32 *a, const uint32 *b) {
  float sum[2 * kRows];
  for (int i = 0; i < 2 * kRows; ++i) {
    sum[i] = Half::element(d[i / 2], i % 2);
  }
  multiply<kRows, kSteps, Half, Half>(sum, a, b);
  for (int i = 0; i < kRows; ++i) {
    auto half = [&](int c) { return uint32{__builtin_bit_cast(unsigned short, static_cast<_Float16>(sum[2 * i + c]))}; };
    d[i] = half(0) | half(1) << 16;
  }
}

template <int kRows, int kSteps, typename A, typename B>
HL_LOCAL void multiply_bytes(uint32 *d, const uint32 *a, const uint32 *b, bool saturates) {
  long long sum[2 * kRows];
  for (int i = 0; i < 2 * kRows; ++i) {
    sum[i] = static_cast<int>(d[i]);
  }
  multiply<kRows, kSteps, Bytes<A>, Bytes<B>>(sum, a, b);
  for (int i = 0; i < 2 * kRows; ++i) {
    long long value = sum[i];
    if (saturates) {
      value = value > 0x7fffffffll ? 0x7fffffffll : value < -0x80000000ll ? -0x80000000ll : value;
    }
    d[i] = static_cast<uint32>(value);
  }
}

}  // namespace

/// Whether matrix instructions are better than products of single elements (mma.h).
extern "C" __device__ __attribute__((const, nothrow)) int __hl_matrix_units(void) { return 0; }

#define HL_MMA extern "C" __device__ void
#define HL_WORDS uint32 *d, const uint32 *a, const uint32 *b

HL_MMA __hl_mma_16x8x8_f16(HL_WORDS) { multiply_float<2, 1, Half>(d, a, b); }
HL_MMA __hl_mma_16x8x16_f16(HL_WORDS) { multiply_float<2, 2, Half>(d, a, b); }
HL_MMA __hl_mma_16x8x8_f16_f16(HL_WORDS) { multiply_half<2, 1>(d, a, b); }
HL_MMA __hl_mma_16x8x16_f16_f16(HL_WORDS) { multiply_half<2, 2>(d, a, b); }
HL_MMA __hl_mma_16x8x8_bf16(HL_WORDS) { multiply_float<2, 1, BFloat>(d, a, b); }
HL_MMA __hl_mma_16x8x16_bf16(HL_WORDS) { multiply_float<2, 2, BFloat>(d, a, b); }
HL_MMA __hl_mma_16x8x4_tf32(HL_WORDS) { multiply_float<2, 1, TF32>(d, a, b); }
HL_MMA __hl_mma_16x8x8_tf32(HL_WORDS) { multiply_float<2, 2, TF32>(d, a, b); }

#define HL_MMA_BYTES(name, rows, steps, x, y)                                                               \
  HL_MMA __hl_mma_##name(HL_WORDS) { multiply_bytes<rows, steps, x, y>(d, a, b, false); }                   \
  HL_MMA __hl_mma_##name##_sat(HL_WORDS) { multiply_bytes<rows, steps, x, y>(d, a, b, true); }
#define HL_MMA_SHAPES(types, x, y)                    \
  HL_MMA_BYTES(8x8x16_##types, 1, 1, x, y)            \
  HL_MMA_BYTES(16x8x16_##types, 2, 1, x, y)           \
  HL_MMA_BYTES(16x8x32_##types, 2, 2, x, y)
HL_MMA_SHAPES(s8_s8, signed char, signed char)
HL_MMA_SHAPES(u8_u8, unsigned char, unsigned char)
HL_MMA_SHAPES(u8_s8, unsigned char, signed char)
HL_MMA_SHAPES(s8_u8, signed char, unsigned char)

HL_MMA __hl_mma_8x8x4_f64(uint64 *d, const uint64 *a, const uint64 *b) {
  double sum[2] = {double_of(d[0]), double_of(d[1])};
  multiply<1, 1, Double, Double>(sum, a, b);
  d[0] = bits_of(sum[0]);
  d[1] = bits_of(sum[1]);
}

/// Word t of row g of the matrix whose row addresses lanes 8m … 8m + 7 gave; transposed: two elements of column g.
HL_MMA __hl_ldmatrix(uint32 *d, const void *row, uint32 count, uint32 transposed) {
  const uint32 lane = lane_id(), g = lane / 4, t = lane % 4;
  const auto address = reinterpret_cast<uint64>(row);
  for (uint32 m = 0; m < count; ++m) {
    if (transposed == 0) {
      d[m] = *reinterpret_cast<const uint32 *>(from_lane(address, 8 * m + g) + 4 * t);
    } else {
      uint32 low = *reinterpret_cast<const unsigned short *>(from_lane(address, 8 * m + 2 * t) + 2 * g);
      uint32 high = *reinterpret_cast<const unsigned short *>(from_lane(address, 8 * m + 2 * t + 1) + 2 * g);
      d[m] = low | high << 16;
    }
  }
}

HL_MMA __hl_stmatrix(const uint32 *d, void *row, uint32 count, uint32 transposed) {
  const uint32 lane = lane_id(), g = lane / 4, t = lane % 4;
  const auto address = reinterpret_cast<uint64>(row);
  for (uint32 m = 0; m < count; ++m) {
    if (transposed == 0) {
      *reinterpret_cast<uint32 *>(from_lane(address, 8 * m + g) + 4 * t) = d[m];
    } else {
      *reinterpret_cast<unsigned short *>(from_lane(address, 8 * m + 2 * t) + 2 * g) = static_cast<unsigned short>(d[m]);
      *reinterpret_cast<unsigned short *>(from_lane(address, 8 * m + 2 * t + 1) + 2 * g) = static_cast<unsigned short>(d[m] >> 16);
    }
  }
}

/// Element (i, j) of the result is element (j, i): row g, columns 2t and 2t + 1 come from rows 2t and 2t + 1, column g.
extern "C" __device__ uint32 __hl_movmatrix(uint32 a) {
  const uint32 lane = lane_id(), g = lane / 4, t = lane % 4;
  const uint32 shift = g % 2 * 16;
  uint32 low = from_lane(a, 4 * (2 * t) + g / 2) >> shift & 0xffff;
  uint32 high = from_lane(a, 4 * (2 * t + 1) + g / 2) >> shift & 0xffff;
  return low | high << 16;
}
