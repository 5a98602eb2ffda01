// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix instructions on fragments in registers (PTX ldmatrix, stmatrix, movmatrix, mma.sync, wmma).
#include "device/lib/matrix_elements.h"

namespace {

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

/// d += a * b.
template <int kRows, int kSteps, typename A, typename B>
HL_LOCAL void add_product(typename A::Word *d, const typename A::Word *a, const typename B::Word *b) {
  typename A::Sum sum[2 * kRows];
  for (int i = 0; i < 2 * kRows; ++i) {
    sum[i] = __builtin_bit_cast(typename A::Sum, d[i]);
  }
  multiply<kRows, kSteps, A, B>(sum, a, b);
  for (int i = 0; i < 2 * kRows; ++i) {
    d[i] = __builtin_bit_cast(typename A::Word, sum[i]);
  }
}

/// An element of 1, 2, 4 or 8 bytes.
HL_LOCAL void move_element(void *to, const void *from, uint32 bytes) {
  switch (bytes) {
    case 1: *static_cast<unsigned char *>(to) = *static_cast<const unsigned char *>(from); break;
    case 2: *static_cast<unsigned short *>(to) = *static_cast<const unsigned short *>(from); break;
    case 4: *static_cast<uint32 *>(to) = *static_cast<const uint32 *>(from); break;
    default: *static_cast<uint64 *>(to) = *static_cast<const uint64 *>(from);
  }
}

/// Where this lane's sum i lies, in bytes.
HL_LOCAL uint64 offset_of_sum(uint32 i, uint64 stride, uint32 rows, uint32 columns, uint32 bytes, uint32 along) {
  const uint32 lane = lane_id(), tiles = rows >= 16 ? 2 : 1, product = i / (2 * tiles), across = columns / 8;
  const uint64 row = product / across * 8 * tiles + i / 2 % tiles * 8 + lane / 4;
  const uint64 column = product % across * 8 + lane % 4 * 2 + i % 2;
  return along != 0 ? row * stride + column * bytes : column * stride + row * bytes;
}

}  // namespace

/// Whether matrix instructions are better than products of single elements (mma.h).
extern "C" __device__ __attribute__((const, nothrow)) int __hl_matrix_units(void) { return 0; }

// __hl_mma_<m>x<n>x<k>_<types>(d, a, b): d += a * b. kRows and kSteps of multiply().
#define HL_MATRIX extern "C" __device__ void
#define HL_MMA(shape, types, rows, steps, A, B)                                                              \
  HL_MATRIX __hl_mma_##shape##_##types(A::Word *d, const A::Word *a, const A::Word *b) {                     \
    add_product<rows, steps, A, B>(d, a, b);                                                                 \
  }

HL_MMA(16x8x8, f16, 2, 1, Half, Half)
HL_MMA(16x8x16, f16, 2, 2, Half, Half)
HL_MMA(16x8x8, bf16, 2, 1, BFloat, BFloat)
HL_MMA(16x8x16, bf16, 2, 2, BFloat, BFloat)
HL_MMA(16x8x4, tf32, 2, 1, TF32, TF32)
HL_MMA(16x8x8, tf32, 2, 2, TF32, TF32)
HL_MMA(8x8x4, f64, 1, 1, Double, Double)
HL_MMA(16x8x4, f64, 2, 1, Double, Double)
HL_MMA(16x8x8, f64, 2, 2, Double, Double)
HL_MMA(16x8x16, f64, 2, 4, Double, Double)

#define HL_MMA_FP8(types, A, B)        \
  HL_MMA(16x8x16, types, 2, 1, A, B)   \
  HL_MMA(16x8x32, types, 2, 2, A, B)
HL_MMA_FP8(e4m3_e4m3, E4M3, E4M3)
HL_MMA_FP8(e4m3_e5m2, E4M3, E5M2)
HL_MMA_FP8(e5m2_e4m3, E5M2, E4M3)
HL_MMA_FP8(e5m2_e5m2, E5M2, E5M2)

#define HL_MMA_BYTES(types, A, B)      \
  HL_MMA(8x8x16, types, 1, 1, A, B)    \
  HL_MMA(16x8x16, types, 2, 1, A, B)   \
  HL_MMA(16x8x32, types, 2, 2, A, B)
HL_MMA_BYTES(s8_s8, Bytes<signed char>, Bytes<signed char>)
HL_MMA_BYTES(u8_u8, Bytes<unsigned char>, Bytes<unsigned char>)
HL_MMA_BYTES(u8_s8, Bytes<unsigned char>, Bytes<signed char>)
HL_MMA_BYTES(s8_u8, Bytes<signed char>, Bytes<unsigned char>)

#define HL_MMA_NIBBLES(types, A, B)    \
  HL_MMA(8x8x32, types, 1, 1, A, B)    \
  HL_MMA(16x8x32, types, 2, 1, A, B)   \
  HL_MMA(16x8x64, types, 2, 2, A, B)
HL_MMA_NIBBLES(s4_s4, Nibbles<true>, Nibbles<true>)
HL_MMA_NIBBLES(u4_u4, Nibbles<false>, Nibbles<false>)
HL_MMA_NIBBLES(u4_s4, Nibbles<false>, Nibbles<true>)
HL_MMA_NIBBLES(s4_u4, Nibbles<true>, Nibbles<false>)

#define HL_MMA_BITS(types, A)          \
  HL_MMA(8x8x128, types, 1, 1, A, A)   \
  HL_MMA(16x8x128, types, 2, 1, A, A)  \
  HL_MMA(16x8x256, types, 2, 2, A, A)
HL_MMA_BITS(b1_xor, BitWord<true>)
HL_MMA_BITS(b1_and, BitWord<false>)

/// A factor of wmma: parts of `part_bytes` of each row of `tiles` tiles of 8 rows, tile (t, step) at t / group * group * steps +
/// step * group + t % group. Rows stand `stride` bytes apart; or (`element_bytes` != 0) the elements of a row do, and rows stand
/// beside each other.
HL_MATRIX __hl_wmma_load(void *d, const void *from, uint64 stride, uint32 tiles, uint32 steps, uint32 group, uint32 part_bytes,
                         uint32 element_bytes) {
  const uint32 lane = lane_id(), g = lane / 4, t = lane % 4;
  auto *out = static_cast<unsigned char *>(d);
  auto *in = static_cast<const unsigned char *>(from);
  __nvvm_bar_warp_sync(kAllLanes);
  for (uint32 tile = 0; tile < tiles; ++tile) {
    for (uint32 step = 0; step < steps; ++step) {
      const uint64 row = 8 * tile + g, part = 4 * step + t;
      unsigned char *to = out + (tile / group * group * steps + step * group + tile % group) * part_bytes;
      if (element_bytes == 0) {
        const unsigned char *at = in + row * stride + part * part_bytes;
        part_bytes == 8 ? __builtin_memcpy(to, __builtin_assume_aligned(at, 8), 8)
                        : __builtin_memcpy(to, __builtin_assume_aligned(at, 4), 4);
        continue;
      }
      const uint32 count = part_bytes / element_bytes;
      for (uint32 i = 0; i < count; ++i) {
        const unsigned char *at = in + (part * count + i) * stride + row * element_bytes;
        move_element(to + i * element_bytes, at, element_bytes);
      }
    }
  }
}

/// The accumulators of wmma: of each product of 16 (8) rows and 8 columns the sums of its tiles, two columns each. `along`: columns
/// stand beside each other and rows `stride` bytes apart, else the other way round.
HL_MATRIX __hl_wmma_load_sums(void *d, const void *from, uint64 stride, uint32 rows, uint32 columns, uint32 bytes, uint32 along) {
  auto *out = static_cast<unsigned char *>(d);
  auto *in = static_cast<const unsigned char *>(from);
  __nvvm_bar_warp_sync(kAllLanes);
  for (uint32 i = 0; i < rows * columns / 32; ++i) {
    move_element(out + i * bytes, in + offset_of_sum(i, stride, rows, columns, bytes, along), bytes);
  }
}

HL_MATRIX __hl_wmma_store_sums(const void *d, void *to, uint64 stride, uint32 rows, uint32 columns, uint32 bytes, uint32 along) {
  auto *in = static_cast<const unsigned char *>(d);
  auto *out = static_cast<unsigned char *>(to);
  for (uint32 i = 0; i < rows * columns / 32; ++i) {
    move_element(out + offset_of_sum(i, stride, rows, columns, bytes, along), in + i * bytes, bytes);
  }
  __nvvm_bar_warp_sync(kAllLanes);
}

/// Word t of row g of the matrix whose row addresses lanes 8m … 8m + 7 gave; transposed: two elements of column g.
HL_MATRIX __hl_ldmatrix(uint32 *d, const void *row, uint32 count, uint32 transposed) {
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

HL_MATRIX __hl_stmatrix(const uint32 *d, void *row, uint32 count, uint32 transposed) {
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
