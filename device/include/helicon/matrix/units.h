// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles as matrix units have them: 8 x 8 elements of 16 bits, a word of two elements of a row in each lane.
#ifndef __HELICON_MATRIX_UNITS_H__
#define __HELICON_MATRIX_UNITS_H__

#include "helicon/matrix/elements.h"

extern "C" {
__device__ int __hl_matrix_units(void) __attribute__((const, nothrow));
__device__ void __hl_mma_16x8x16_f16(unsigned int *d, const unsigned int *a, const unsigned int *b);
__device__ void __hl_mma_16x8x16_bf16(unsigned int *d, const unsigned int *a, const unsigned int *b);
__device__ unsigned int __hl_movmatrix(unsigned int word);
}

namespace nvcuda {
namespace wmma {
namespace __hl {

template <int m, int n, int k, typename T> constexpr bool is_of_units() {
  return m == 16 && n == 16 && k == 16 &&
         (same<T, __half>::value || same<T, __nv_bfloat16>::value || same<T, float>::value);
}

/// Where a lane's word of the first tile stands, in a matrix whose lines (rows or columns) are `stride` elements apart.
/// The other tiles are constant multiples of the stride away, so that a matrix takes one address in each lane.
template <typename T> __device__ __forceinline__ T *first_word(T *p, unsigned int stride) {
  return p + (static_cast<unsigned int>(lane()) / 4 * stride + lane() % 4 * 2);
}

/// A lane's word of the tile `line` lines further, `along` elements along them.
template <typename T> __device__ __forceinline__ unsigned int load_tile(const T *first, int line, int along,
                                                                        unsigned int stride, bool by_rows) {
  unsigned int word;
  __builtin_memcpy(&word, __builtin_assume_aligned(first + static_cast<unsigned long long>(line) * stride + along, 4),
                   sizeof word);
  return by_rows ? word : __hl_movmatrix(word);
}

template <typename T, int count> __device__ __forceinline__ void put_word(T (&x)[count], int i, unsigned int word) {
  __builtin_memcpy(&x[2 * i], &word, sizeof word);
}
template <typename T, int count> __device__ __forceinline__ unsigned int word_of(const T (&x)[count], int i) {
  unsigned int word;
  __builtin_memcpy(&word, &x[2 * i], sizeof word);
  return word;
}

/// Element e of an accumulator: four of the left tile of 8 columns, then of the right one.
__device__ __forceinline__ int unit_row(int e) { return lane() / 4 + (e & 2) * 4; }
__device__ __forceinline__ int unit_column(int e) { return lane() % 4 * 2 + (e & 1) + (e & 4) * 2; }

/// Elements e and e + 1 stand beside each other in a row.
template <typename T> __device__ __forceinline__ T *unit_pair(T *p, int e, unsigned int stride) {
  return first_word(p, stride) + static_cast<unsigned long long>((e & 2) * 4) * stride + (e & 4) * 2;
}

/// Matrices are aligned so that a pair is one access.
template <typename T> __device__ __forceinline__ void load_pair(T *x, const T *p) {
  auto *pair = static_cast<const T *>(__builtin_assume_aligned(p, 2 * sizeof(T)));
  x[0] = pair[0];
  x[1] = pair[1];
}
template <typename T> __device__ __forceinline__ void store_pair(T *p, const T *x) {
  auto *pair = static_cast<T *>(__builtin_assume_aligned(p, 2 * sizeof(T)));
  pair[0] = x[0];
  pair[1] = x[1];
}

__device__ __forceinline__ void multiply_tiles(unsigned int *d, const unsigned int *a, const unsigned int *b, __half) {
  __hl_mma_16x8x16_f16(d, a, b);
}
__device__ __forceinline__ void multiply_tiles(unsigned int *d, const unsigned int *a, const unsigned int *b,
                                               __nv_bfloat16) {
  __hl_mma_16x8x16_bf16(d, a, b);
}

template <typename T, int sums, int as, int bs>
__device__ __forceinline__ void multiply_in_units(float (&sum)[sums], const T (&a)[as], const T (&b)[bs]) {
  const unsigned int rows[4] = {word_of(a, 0), word_of(a, 1), word_of(a, 2), word_of(a, 3)};
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const unsigned int columns[2] = {word_of(b, 2 * half), word_of(b, 2 * half + 1)};
    unsigned int words[4];
    __builtin_memcpy(words, &sum[4 * half], sizeof words);
    multiply_tiles(words, rows, columns, T());
    __builtin_memcpy(&sum[4 * half], words, sizeof words);
  }
}

}  // namespace __hl

}  // namespace wmma
}  // namespace nvcuda

#endif
