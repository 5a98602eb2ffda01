// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warp matrix functions, nvcuda::wmma: d = a * b + c for tiles that the lanes of a warp hold together.
//
// With G = 32 / n groups of n lanes, each group makes m / G = R rows of the result, each of its lanes one column:
//   accumulator  lane (g, j): rows gR … gR + R - 1 of column j
//   matrix_b     lane (g, j): all of column j
//   matrix_a     lane (g, q): what stands at q, n + q, 2n + q … of the group's R rows, one after the other
// A product then needs, for each element of the group's rows of A, one broadcast in the group with a constant lane.
#ifndef __HELICON_MMA_H__
#define __HELICON_MMA_H__

#include "cuda_runtime.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"

#if defined(__cplusplus) && (defined(__CUDA__) || defined(__CUDACC__) || defined(__MUSACC__))

namespace nvcuda {
namespace wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };

namespace precision {
struct tf32;
}
namespace experimental {
namespace precision {
struct u4;
struct s4;
struct b1;
}  // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
}  // namespace experimental

namespace __hl {

/// How a type of element is stored, how many of them a stored one holds, and in what sums of products are made.
template <typename T> struct element {
  typedef T type;
  typedef T stored;
  typedef T sum;
  static constexpr int packed = 1;
};
template <> struct element<__half> {
  typedef __half type;
  typedef __half stored;
  typedef float sum;
  static constexpr int packed = 1;
};
template <> struct element<__nv_bfloat16> {
  typedef __nv_bfloat16 type;
  typedef __nv_bfloat16 stored;
  typedef float sum;
  static constexpr int packed = 1;
};
template <> struct element<precision::tf32> {
  typedef float type;
  typedef float stored;
  typedef float sum;
  static constexpr int packed = 1;
};
template <> struct element<signed char> {
  typedef signed char type;
  typedef signed char stored;
  typedef long long sum;
  static constexpr int packed = 1;
};
template <> struct element<unsigned char> {
  typedef unsigned char type;
  typedef unsigned char stored;
  typedef long long sum;
  static constexpr int packed = 1;
};
template <> struct element<experimental::precision::s4> {
  typedef experimental::precision::s4 type;
  typedef int stored;
  typedef long long sum;
  static constexpr int packed = 8;
};
template <> struct element<experimental::precision::u4> {
  typedef experimental::precision::u4 type;
  typedef unsigned int stored;
  typedef long long sum;
  static constexpr int packed = 8;
};
template <> struct element<experimental::precision::b1> {
  typedef experimental::precision::b1 type;
  typedef unsigned int stored;
  typedef long long sum;
  static constexpr int packed = 32;
};

template <typename A, typename B> struct same {
  static constexpr bool value = false;
};
template <typename A> struct same<A, A> {
  static constexpr bool value = true;
};

/// The shapes and types of the guide's table.
template <int m, int n, int k, typename T> constexpr bool is_factor() {
  constexpr bool tall = (m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32);
  constexpr bool sixteen = same<T, __half>::value || same<T, __nv_bfloat16>::value || same<T, signed char>::value ||
                           same<T, char>::value || same<T, unsigned char>::value;
  constexpr bool four =
      same<T, experimental::precision::s4>::value || same<T, experimental::precision::u4>::value;
  return (sixteen && tall && k == 16) || (same<T, precision::tf32>::value && m == 16 && n == 16 && k == 8) ||
         (same<T, double>::value && m == 8 && n == 8 && k == 4) || (four && m == 8 && n == 8 && k == 32) ||
         (same<T, experimental::precision::b1>::value && m == 8 && n == 8 && k == 128);
}
template <int m, int n, int k, typename T> constexpr bool is_sum() {
  constexpr bool tall = (m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32);
  return (same<T, float>::value && ((tall && k == 16) || (m == 16 && n == 16 && k == 8))) ||
         (same<T, __half>::value && tall && k == 16) ||
         (same<T, int>::value && ((tall && k == 16) || (m == 8 && n == 8 && (k == 32 || k == 128)))) ||
         (same<T, double>::value && m == 8 && n == 8 && k == 4);
}

__device__ __forceinline__ int lane() { return static_cast<int>(__nvvm_read_ptx_sreg_laneid()); }

// Elements as numbers that can be multiplied. tf32 has 10 bits of fraction; more are not looked at.
template <typename T> struct number {
  static __device__ __forceinline__ T of(T x) { return x; }
};
template <> struct number<__half> {
  static __device__ __forceinline__ float of(__half x) { return __half2float(x); }
};
template <> struct number<__nv_bfloat16> {
  static __device__ __forceinline__ float of(__nv_bfloat16 x) { return __bfloat162float(x); }
};
template <> struct number<precision::tf32> {
  static __device__ __forceinline__ float of(float x) { return __int_as_float(__float_as_int(x) & ~0x1fff); }
};
template <> struct number<char> {
  static __device__ __forceinline__ int of(char x) { return static_cast<signed char>(x); }
};
template <> struct number<signed char> {
  static __device__ __forceinline__ int of(signed char x) { return x; }
};
template <> struct number<unsigned char> {
  static __device__ __forceinline__ int of(unsigned char x) { return x; }
};
template <> struct number<experimental::precision::s4> {
  static __device__ __forceinline__ int of(int x) { return x; }
};
template <> struct number<experimental::precision::u4> {
  static __device__ __forceinline__ unsigned int of(unsigned int x) { return x; }
};
template <> struct number<experimental::precision::b1> {
  static __device__ __forceinline__ unsigned int of(unsigned int x) { return x; }
};

// Products and sums. Products of 8 to 11 bit fractions are exact in float.
struct multiply {
  static __device__ __forceinline__ float add(float x, float y, float sum) { return __builtin_fmaf(x, y, sum); }
  static __device__ __forceinline__ double add(double x, double y, double sum) { return __builtin_fma(x, y, sum); }
  static __device__ __forceinline__ long long add(int x, int y, long long sum) { return sum + x * y; }
};
template <bool is_signed> struct multiply_nibbles {
  static __device__ __forceinline__ long long add(unsigned int x, unsigned int y, long long sum) {
    int products = 0;
    for (int i = 0; i < 32; i += 4) {
      products += is_signed ? (static_cast<int>(x << (28 - i)) >> 28) * (static_cast<int>(y << (28 - i)) >> 28)
                            : static_cast<int>((x >> i & 15) * (y >> i & 15));
    }
    return sum + products;
  }
};
struct count_xor {
  static __device__ __forceinline__ long long add(unsigned int x, unsigned int y, long long sum) {
    return sum + __builtin_popcount(x ^ y);
  }
};
struct count_and {
  static __device__ __forceinline__ long long add(unsigned int x, unsigned int y, long long sum) {
    return sum + __builtin_popcount(x & y);
  }
};

// Sums as elements of the accumulator. `satf` keeps them finite.
__device__ __forceinline__ float finished(float sum, float *, bool satf) {
  const float most = 3.402823466e38f;
  return !satf ? sum : sum != sum ? 0.0f : sum > most ? most : sum < -most ? -most : sum;
}
__device__ __forceinline__ __half finished(float sum, __half *, bool satf) {
  const float most = 65504.0f;
  return __float2half(!satf ? sum : sum != sum ? 0.0f : sum > most ? most : sum < -most ? -most : sum);
}
__device__ __forceinline__ double finished(double sum, double *, bool) { return sum; }
__device__ __forceinline__ int finished(long long sum, int *, bool satf) {
  return static_cast<int>(!satf ? sum : sum > 2147483647ll ? 2147483647ll : sum < -2147483648ll ? -2147483648ll : sum);
}

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
    sum[r] = number<C>::of(c.x[r]);
  }
  tile::template multiply_add<Op, TA, TB>(sum, a.x, b.x);
#pragma unroll
  for (int r = 0; r < tile::rows; ++r) {
    d.x[r] = finished(sum[r], static_cast<D *>(nullptr), satf);
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
