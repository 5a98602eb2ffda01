// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warp matrix functions, nvcuda::wmma: d = a * b + c for tiles that the lanes of a warp hold together.
//
// With G = 32 / n groups of n lanes, each group makes m / G = R rows of the result, each of its lanes one column:
//   accumulator  lane (g, j): rows gR … gR + R - 1 of column j
//   matrix_b     lane (g, j): all of column j
//   matrix_a     lane (g, q): what stands at q, n + q, 2n + q … of the group's R rows, one after the other
// A product then needs, for each element of the group's rows of A, one broadcast in the group with a constant lane.
//
// Where there are matrix units (__hl_matrix_units(), a constant of the device library), tiles of 16 x 16 x 16 halves
// stand in the lanes as PTX's mma.m16n8k16 has them instead, two of its tiles beside each other; B then fills half of
// its elements.
#ifndef __HELICON_MMA_H__
#define __HELICON_MMA_H__

#include "cuda_runtime.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"

#if defined(__cplusplus) && (defined(__CUDA__) || defined(__CUDACC__) || defined(__MUSACC__))

#include "helicon/matrix/units.h"

namespace nvcuda {
namespace wmma {

namespace __hl {

/// Where the elements are, counted in stored ones: `k` of them make a row of A.
template <int m, int n, int k> struct tile {
  static constexpr int groups = 32 / n, rows = m / groups, per_lane = rows * k / n;

  static __device__ __forceinline__ int column() { return lane() % n; }
  static __device__ __forceinline__ int first_row() { return lane() / n * rows; }

  template <typename Op, typename TA, typename TB, typename Sum, typename A, typename B>
  static __device__ __forceinline__ void multiply_add(Sum (&sum)[rows], const A (&a)[per_lane], const B (&b)[k]) {
#pragma unroll
    for (int r = 0; r < rows; ++r) {
#pragma unroll
      for (int p = 0; p < k; ++p) {
        const int at = r * k + p;
        sum[r] = Op::add(__shfl_sync(0xffffffffu, number<TA>::of(a[at / n]), at % n, n), number<TB>::of(b[p]), sum[r]);
      }
    }
  }
};

}  // namespace __hl

template <typename Use, int m, int n, int k, typename T, typename Layout = void> class fragment;

template <int m, int n, int k, typename T, typename Layout> class fragment<matrix_a, m, n, k, T, Layout> {
  static_assert(__hl::is_factor<m, n, k, T>(), "wmma: no matrix_a has this shape with this type of element");
  static_assert(__hl::same<Layout, row_major>::value || __hl::same<Layout, col_major>::value,
                "wmma: the layout of a factor is row_major or col_major");

public:
  typedef typename __hl::element<T>::type element_type;
  typedef typename __hl::element<T>::stored storage_element_type;
  static constexpr int num_storage_elements = __hl::tile<m, n, k / __hl::element<T>::packed>::per_lane;
  static constexpr int num_elements = num_storage_elements * __hl::element<T>::packed;
  storage_element_type x[num_storage_elements];
};

template <int m, int n, int k, typename T, typename Layout> class fragment<matrix_b, m, n, k, T, Layout> {
  static_assert(__hl::is_factor<m, n, k, T>(), "wmma: no matrix_b has this shape with this type of element");
  static_assert(__hl::same<Layout, row_major>::value || __hl::same<Layout, col_major>::value,
                "wmma: the layout of a factor is row_major or col_major");

public:
  typedef typename __hl::element<T>::type element_type;
  typedef typename __hl::element<T>::stored storage_element_type;
  static constexpr int num_storage_elements = k / __hl::element<T>::packed;
  static constexpr int num_elements = k;
  storage_element_type x[num_storage_elements];
};

template <int m, int n, int k, typename T> class fragment<accumulator, m, n, k, T, void> {
  static_assert(__hl::is_sum<m, n, k, T>(), "wmma: no accumulator has this shape with this type of element");

public:
  typedef T element_type;
  typedef T storage_element_type;
  static constexpr int num_elements = __hl::tile<m, n, k>::rows;
  static constexpr int num_storage_elements = num_elements;
  T x[num_elements];
};

template <typename Use, int m, int n, int k, typename T, typename Layout>
__device__ __forceinline__ void fill_fragment(
    fragment<Use, m, n, k, T, Layout> &f,
    const typename fragment<Use, m, n, k, T, Layout>::storage_element_type &value) {
#pragma unroll
  for (int i = 0; i < f.num_storage_elements; ++i) {
    f.x[i] = value;
  }
}

template <int m, int n, int k, typename T, typename Layout>
__device__ __forceinline__ void load_matrix_sync(
    fragment<matrix_a, m, n, k, T, Layout> &f,
    const typename fragment<matrix_a, m, n, k, T, Layout>::storage_element_type *p, unsigned int ldm) {
  constexpr int packed = __hl::element<T>::packed, words = k / packed;
  static_assert(packed == 1 || __hl::same<Layout, row_major>::value, "wmma: elements below a byte stand row after row");
  typedef __hl::tile<m, n, words> tile;
  const int stride = static_cast<int>(ldm / packed);
  __syncwarp();
  if constexpr (__hl::is_of_units<m, n, k, T>()) {
    if (__hl_matrix_units()) {
      constexpr bool by_rows = __hl::same<Layout, row_major>::value;
      const T *first = __hl::first_word(p, ldm);
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int row = (i & 1) * 8, at = (i >> 1) * 8;
        __hl::put_word(f.x, i, __hl::load_tile(first, by_rows ? row : at, by_rows ? at : row, ldm, by_rows));
      }
      return;
    }
  }
#pragma unroll
  for (int e = 0; e < f.num_storage_elements; ++e) {
    const int at = e * n + tile::column(), row = tile::first_row() + at / words, column = at % words;
    f.x[e] = __hl::same<Layout, row_major>::value ? p[row * stride + column] : p[row + column * stride];
  }
}

template <int m, int n, int k, typename T, typename Layout>
__device__ __forceinline__ void load_matrix_sync(
    fragment<matrix_b, m, n, k, T, Layout> &f,
    const typename fragment<matrix_b, m, n, k, T, Layout>::storage_element_type *p, unsigned int ldm) {
  constexpr int packed = __hl::element<T>::packed, words = k / packed;
  static_assert(packed == 1 || __hl::same<Layout, col_major>::value,
                "wmma: elements below a byte stand column after column");
  const int stride = static_cast<int>(ldm / packed), column = __hl::tile<m, n, words>::column();
  __syncwarp();
  if constexpr (__hl::is_of_units<m, n, k, T>()) {
    if (__hl_matrix_units()) {
      // A lane has elements of one column: B is loaded as its transpose.
      constexpr bool by_columns = __hl::same<Layout, col_major>::value;
      const T *first = __hl::first_word(p, ldm);
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int row = (i & 1) * 8, at = (i >> 1) * 8;
        __hl::put_word(f.x, i, __hl::load_tile(first, by_columns ? at : row, by_columns ? row : at, ldm, by_columns));
        __hl::put_word(f.x, i + 4, 0);
      }
      return;
    }
  }
#pragma unroll
  for (int row = 0; row < words; ++row) {
    f.x[row] = __hl::same<Layout, row_major>::value ? p[row * stride + column] : p[row + column * stride];
  }
}

template <int m, int n, int k, typename T>
__device__ __forceinline__ void load_matrix_sync(fragment<accumulator, m, n, k, T> &f, const T *p, unsigned int ldm,
                                                 layout_t layout) {
  typedef __hl::tile<m, n, k> tile;
  const int stride = static_cast<int>(ldm), column = tile::column();
  __syncwarp();
  if constexpr (__hl::is_of_units<m, n, k, T>()) {
    if (__hl_matrix_units()) {
#pragma unroll
      for (int e = 0; e < 8; e += 2) {
        if (layout == mem_row_major) {
          __hl::load_pair(&f.x[e], __hl::unit_pair(p, e, ldm));
        } else {
          const int row = __hl::unit_row(e), at = __hl::unit_column(e);
          f.x[e] = p[row + at * stride];
          f.x[e + 1] = p[row + (at + 1) * stride];
        }
      }
      return;
    }
  }
#pragma unroll
  for (int r = 0; r < tile::rows; ++r) {
    const int row = tile::first_row() + r;
    f.x[r] = p[layout == mem_row_major ? row * stride + column : row + column * stride];
  }
}

template <int m, int n, int k, typename T>
__device__ __forceinline__ void store_matrix_sync(T *p, const fragment<accumulator, m, n, k, T> &f, unsigned int ldm,
                                                  layout_t layout) {
  typedef __hl::tile<m, n, k> tile;
  const int stride = static_cast<int>(ldm), column = tile::column();
  if constexpr (__hl::is_of_units<m, n, k, T>()) {
    if (__hl_matrix_units()) {
#pragma unroll
      for (int e = 0; e < 8; e += 2) {
        if (layout == mem_row_major) {
          __hl::store_pair(__hl::unit_pair(p, e, ldm), &f.x[e]);
        } else {
          const int row = __hl::unit_row(e), at = __hl::unit_column(e);
          p[row + at * stride] = f.x[e];
          p[row + (at + 1) * stride] = f.x[e + 1];
        }
      }
      __syncwarp();
      return;
    }
  }
#pragma unroll
  for (int r = 0; r < tile::rows; ++r) {
    const int row = tile::first_row() + r;
    p[layout == mem_row_major ? row * stride + column : row + column * stride] = f.x[r];
  }
  __syncwarp();
}

namespace __hl {

template <typename Op, int m, int n, int k, typename TA, typename TB, typename LA, typename LB, typename D, typename C>
__device__ __forceinline__ void mma(fragment<accumulator, m, n, k, D> &d, const fragment<matrix_a, m, n, k, TA, LA> &a,
                                    const fragment<matrix_b, m, n, k, TB, LB> &b,
                                    const fragment<accumulator, m, n, k, C> &c, bool satf) {
  typedef tile<m, n, k / element<TA>::packed> tile;
  typename element<TA>::sum sum[tile::rows];
#pragma unroll
  for (int r = 0; r < tile::rows; ++r) {
    sum[r] = begun(number<C>::of(c.x[r]), satf);
  }
  bool is_done = false;
  if constexpr (is_of_units<m, n, k, TA>()) {
    is_done = __hl_matrix_units() != 0;
    if (is_done) {
      multiply_in_units(sum, a.x, b.x);
    }
  }
  if (!is_done) {
    tile::template multiply_add<Op, TA, TB>(sum, a.x, b.x);
  }
#pragma unroll
  for (int r = 0; r < tile::rows; ++r) {
    d.x[r] = finished(sum[r], number<C>::of(c.x[r]), static_cast<D *>(nullptr), satf);
  }
}

template <typename T> struct operation {
  typedef multiply type;
};
template <> struct operation<experimental::precision::s4> {
  typedef multiply_nibbles<true> type;
};
template <> struct operation<experimental::precision::u4> {
  typedef multiply_nibbles<false> type;
};

}  // namespace __hl

template <int m, int n, int k, typename T, typename LA, typename LB, typename D, typename C>
__device__ __forceinline__ void mma_sync(fragment<accumulator, m, n, k, D> &d,
                                         const fragment<matrix_a, m, n, k, T, LA> &a,
                                         const fragment<matrix_b, m, n, k, T, LB> &b,
                                         const fragment<accumulator, m, n, k, C> &c, bool satf = false) {
  static_assert(!__hl::same<T, experimental::precision::b1>::value, "wmma: single bits are multiplied by bmma_sync");
  static_assert(__hl::same<D, C>::value || __hl::same<T, __half>::value,
                "wmma: both accumulators have the same type of element");
  __hl::mma<typename __hl::operation<T>::type>(d, a, b, c, satf);
}

template <int m, int n, int k, typename LA, typename LB>
__device__ __forceinline__ void bmma_sync(
    fragment<accumulator, m, n, k, int> &d, const fragment<matrix_a, m, n, k, experimental::precision::b1, LA> &a,
    const fragment<matrix_b, m, n, k, experimental::precision::b1, LB> &b,
    const fragment<accumulator, m, n, k, int> &c,
    experimental::bmmaBitOp op = experimental::bmmaBitOpXOR,
    experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
  if (op == experimental::bmmaBitOpXOR) {
    __hl::mma<__hl::count_xor>(d, a, b, c, false);
  } else {
    __hl::mma<__hl::count_and>(d, a, b, c, false);
  }
}

namespace experimental {
using wmma::bmma_sync;
}

/// To the nearest value of tf32, away from zero in the middle.
__device__ __forceinline__ float __float_to_tf32(float x) {
  const int bits = __float_as_int(x);
  return x - x != 0.0f ? x : __int_as_float((bits + 0x1000) & ~0x1fff);
}

}  // namespace wmma
}  // namespace nvcuda

#endif
#endif
