// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of fragments of which the first is sparse (PTX mma.sp): of each chunk of a row two units of four are stored.
#include "device/lib/matrix_elements.h"

namespace {

/// How A's elements are stored where half of each chunk of a row is: a chunk is four units, of which two are kept, and four bits of
/// metadata name these two (of 32-bit elements half a unit's number, of 4-bit ones that of a pair).
template <typename A> struct Sparse {
  static constexpr int kChunk = A::kElements == 1 ? 2 : A::kElements == 8 ? 8 : 4;
  static constexpr int kKept = kChunk / 2;
  static constexpr int kChunksOfWord = A::kElements / kKept;
  /// Words of metadata are for two rows and four chunks, or for one row and eight chunks.
  static constexpr bool kIsOfTwoRows = A::kElements <= 2;

  /// The lane of four that gives the metadata of a chunk, and their place in its word.
  static constexpr HL_DEVICE int lane(int chunk, int tile) { return kIsOfTwoRows ? chunk / 4 : chunk / 8 * 2 + tile; }
  static constexpr HL_DEVICE int shift(int chunk, int tile) { return kIsOfTwoRows ? 16 * tile + chunk % 4 * 4 : chunk % 8 * 4; }
  /// Where in its chunk the kept element i stands.
  static HL_DEVICE int place(uint32 names, int i) {
    const int first = static_cast<int>(names & 3), second = static_cast<int>(names >> 2 & 3);
    return kChunk == 2 ? first >> 1 : kChunk == 8 ? 2 * (i < 2 ? first : second) + i % 2 : i == 0 ? first : second;
  }
};

/// d += a * b where a holds half of the elements of 16 rows, kSteps words for each row of a lane.
template <int kSteps, typename A, typename B>
HL_LOCAL void add_sparse_product(uint32 *d, const uint32 *a, const uint32 *b, uint32 metadata, uint32 selector) {
  using Form = Sparse<A>;
  constexpr int kChunks = kSteps * 4 * Form::kChunksOfWord;
  const uint32 lane = lane_id(), row = lane / 4, column = lane % 4 * 2;
  const uint32 first = 4 * row + selector * static_cast<uint32>(Form::lane(kChunks - 1, 1) + 1);
  typename A::Sum sum[4];
  for (int i = 0; i < 4; ++i) {
    sum[i] = __builtin_bit_cast(typename A::Sum, d[i]);
  }
  for (int chunk = 0; chunk < kChunks; ++chunk) {
    const int word = chunk / Form::kChunksOfWord;
    for (int tile = 0; tile < 2; ++tile) {
      const uint32 left = from_lane(a[word / 4 * 2 + tile], 4 * row + static_cast<uint32>(word % 4));
      const uint32 names = from_lane(metadata, first + static_cast<uint32>(Form::lane(chunk, tile))) >> Form::shift(chunk, tile);
      for (int i = 0; i < Form::kKept; ++i) {
        const int k = chunk * Form::kChunk + Form::place(names, i);
        const uint32 *group = b + chunk * Form::kChunk / B::kElements / 4;
        for (uint32 c = 0; c < 2; ++c) {
          const uint32 right = from_lane(*group, 4 * (column + c) + static_cast<uint32>(k / B::kElements % 4));
          typename A::Sum &out = sum[2 * static_cast<uint32>(tile) + c];
          out = multiply_add(A::element(left, chunk % Form::kChunksOfWord * Form::kKept + i), B::element(right, k % B::kElements), out);
        }
      }
    }
  }
  for (int i = 0; i < 4; ++i) {
    d[i] = __builtin_bit_cast(uint32, sum[i]);
  }
}

}  // namespace

// __hl_mma_16x8x<k>_sp_<types>(d, a, b, metadata, selector): the same with a sparse factor.
#define HL_MMA_SPARSE(k, types, steps, A, B)                                                                              \
  extern "C" __device__ void __hl_mma_16x8x##k##_sp_##types(uint32 *d, const uint32 *a, const uint32 *b, uint32 metadata, uint32 selector) { \
    add_sparse_product<steps, A, B>(d, a, b, metadata, selector);                                                         \
  }
HL_MMA_SPARSE(16, f16, 1, Half, Half)
HL_MMA_SPARSE(32, f16, 2, Half, Half)
HL_MMA_SPARSE(16, bf16, 1, BFloat, BFloat)
HL_MMA_SPARSE(32, bf16, 2, BFloat, BFloat)
HL_MMA_SPARSE(8, tf32, 1, TF32, TF32)
HL_MMA_SPARSE(16, tf32, 2, TF32, TF32)
HL_MMA_SPARSE(64, e4m3_e4m3, 2, E4M3, E4M3)
HL_MMA_SPARSE(64, e4m3_e5m2, 2, E4M3, E5M2)
HL_MMA_SPARSE(64, e5m2_e4m3, 2, E5M2, E4M3)
HL_MMA_SPARSE(64, e5m2_e5m2, 2, E5M2, E5M2)
#define HL_MMA_SPARSE_BYTES(types, A, B) \
  HL_MMA_SPARSE(32, types, 1, A, B)      \
  HL_MMA_SPARSE(64, types, 2, A, B)
HL_MMA_SPARSE_BYTES(s8_s8, Bytes<signed char>, Bytes<signed char>)
HL_MMA_SPARSE_BYTES(u8_u8, Bytes<unsigned char>, Bytes<unsigned char>)
HL_MMA_SPARSE_BYTES(u8_s8, Bytes<unsigned char>, Bytes<signed char>)
HL_MMA_SPARSE_BYTES(s8_u8, Bytes<signed char>, Bytes<unsigned char>)
#define HL_MMA_SPARSE_NIBBLES(types, A, B) \
  HL_MMA_SPARSE(64, types, 1, A, B)        \
  HL_MMA_SPARSE(128, types, 2, A, B)
HL_MMA_SPARSE_NIBBLES(s4_s4, Nibbles<true>, Nibbles<true>)
HL_MMA_SPARSE_NIBBLES(u4_u4, Nibbles<false>, Nibbles<false>)
HL_MMA_SPARSE_NIBBLES(u4_s4, Nibbles<false>, Nibbles<true>)
HL_MMA_SPARSE_NIBBLES(s4_u4, Nibbles<true>, Nibbles<false>)
