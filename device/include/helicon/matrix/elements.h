// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of warp matrices: the types, shapes and layouts that there are, and how elements are multiplied and added.
#ifndef __HELICON_MATRIX_ELEMENTS_H__
#define __HELICON_MATRIX_ELEMENTS_H__

#include "cuda_bf16.h"
#include "cuda_fp16.h"

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
  typedef int sum;
  static constexpr int packed = 1;
};
template <> struct element<unsigned char> {
  typedef unsigned char type;
  typedef unsigned char stored;
  typedef int sum;
  static constexpr int packed = 1;
};
template <> struct element<experimental::precision::s4> {
  typedef experimental::precision::s4 type;
  typedef int stored;
  typedef int sum;
  static constexpr int packed = 8;
};
template <> struct element<experimental::precision::u4> {
  typedef experimental::precision::u4 type;
  typedef unsigned int stored;
  typedef int sum;
  static constexpr int packed = 8;
};
template <> struct element<experimental::precision::b1> {
  typedef experimental::precision::b1 type;
  typedef unsigned int stored;
  typedef int sum;
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
  constexpr bool four = same<T, experimental::precision::s4>::value || same<T, experimental::precision::u4>::value;
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

__device__ __forceinline__ int wrapping_sum(int x, int y) {
  return static_cast<int>(static_cast<unsigned int>(x) + static_cast<unsigned int>(y));
}

// Products and sums. Products of 8 to 11 bit fractions are exact in float.
struct multiply {
  static __device__ __forceinline__ float add(float x, float y, float sum) { return __builtin_fmaf(x, y, sum); }
  static __device__ __forceinline__ double add(double x, double y, double sum) { return __builtin_fma(x, y, sum); }
  static __device__ __forceinline__ int add(int x, int y, int sum) { return wrapping_sum(sum, x * y); }
};
template <bool is_signed> struct multiply_nibbles {
  static __device__ __forceinline__ int add(unsigned int x, unsigned int y, int sum) {
    int products = 0;
    for (int i = 0; i < 32; i += 4) {
      products += is_signed ? (static_cast<int>(x << (28 - i)) >> 28) * (static_cast<int>(y << (28 - i)) >> 28)
                            : static_cast<int>((x >> i & 15) * (y >> i & 15));
    }
    return wrapping_sum(sum, products);
  }
};
struct count_xor {
  static __device__ __forceinline__ int add(unsigned int x, unsigned int y, int sum) {
    return wrapping_sum(sum, __builtin_popcount(x ^ y));
  }
};
struct count_and {
  static __device__ __forceinline__ int add(unsigned int x, unsigned int y, int sum) {
    return wrapping_sum(sum, __builtin_popcount(x & y));
  }
};

// What a sum starts with, and sums as elements of the accumulator. `satf` keeps them finite, or in the range of
// integers: then the products, which stay in it, are added up first.
template <typename T> __device__ __forceinline__ T begun(T c, bool) { return c; }
__device__ __forceinline__ int begun(int c, bool satf) { return satf ? 0 : c; }

__device__ __forceinline__ float finished(float sum, float, float *, bool satf) {
  const float most = 3.402823466e38f;
  return !satf ? sum : sum != sum ? 0.0f : sum > most ? most : sum < -most ? -most : sum;
}
__device__ __forceinline__ __half finished(float sum, float, __half *, bool satf) {
  const float most = 65504.0f;
  return __float2half(!satf ? sum : sum != sum ? 0.0f : sum > most ? most : sum < -most ? -most : sum);
}
__device__ __forceinline__ double finished(double sum, double, double *, bool) { return sum; }
__device__ __forceinline__ int finished(int sum, int c, int *, bool satf) {
  return satf ? __builtin_elementwise_add_sat(sum, c) : sum;
}

}  // namespace __hl

}  // namespace wmma
}  // namespace nvcuda

#endif
