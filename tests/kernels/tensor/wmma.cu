// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warp matrix functions in every shape and type of the guide, both layouts, against sums of products on the host. The
// numbers are small integers, so that every order of the sum gives the same.
// RUN: %mcc %s -o %t && %run %t
// covers: C-5.4.11-01 C-5.4.11.2-01 C-5.4.11.2-02 C-5.4.11.5-01
#include "check.h"

#include <cuda_runtime.h>
#include <mma.h>

using namespace nvcuda;
using wmma::experimental::precision::b1;
using wmma::experimental::precision::s4;
using wmma::experimental::precision::u4;

// Bytes of the matrices as they stand in memory; results as doubles.
__managed__ unsigned char memory_a[4096], memory_b[4096], memory_c[8192], memory_d[8192];

template <int m, int n, int k, typename T, typename LA, typename LB, typename D>
__global__ void multiply(bool rows, bool satf, float scale) {
  typedef typename wmma::fragment<wmma::matrix_a, m, n, k, T, LA>::storage_element_type Stored;
  wmma::fragment<wmma::matrix_a, m, n, k, T, LA> a;
  wmma::fragment<wmma::matrix_b, m, n, k, T, LB> b;
  wmma::fragment<wmma::accumulator, m, n, k, D> c;
  const auto layout = rows ? wmma::mem_row_major : wmma::mem_col_major;
  wmma::load_matrix_sync(a, reinterpret_cast<const Stored *>(memory_a), std::is_same<LA, wmma::row_major>::value ? k : m);
  wmma::load_matrix_sync(b, reinterpret_cast<const Stored *>(memory_b), std::is_same<LB, wmma::row_major>::value ? n : k);
  wmma::load_matrix_sync(c, reinterpret_cast<const D *>(memory_c), rows ? n : m, layout);
  wmma::mma_sync(c, a, b, c, satf);
  for (int i = 0; i < c.num_elements; ++i) c.x[i] = c.x[i] * static_cast<D>(scale);
  wmma::store_matrix_sync(reinterpret_cast<D *>(memory_d), c, rows ? n : m, layout);
}

double number_a(int i, int p) { return (i * 3 + p * 5) % 7 - 3; }
double number_b(int p, int j) { return (p * 2 + j * 3) % 5 - 2; }
double number_c(int i, int j) { return (i + 2 * j) % 9 - 4; }

template <typename T> void put(void *memory, int at, double value) { static_cast<T *>(memory)[at] = static_cast<T>(static_cast<float>(value)); }

template <typename T> struct StoredAs { typedef T type; };
template <> struct StoredAs<wmma::precision::tf32> { typedef float type; };

template <int m, int n, int k, typename T, typename LA, typename LB, typename D>
void check_product(bool rows, bool is_unsigned = false) {
  typedef typename StoredAs<T>::type Stored;
  constexpr bool a_rows = std::is_same<LA, wmma::row_major>::value, b_rows = std::is_same<LB, wmma::row_major>::value;
  const double shift = is_unsigned ? 3 : 0;
  for (int p = 0; p < k; ++p) {
    for (int i = 0; i < m; ++i) put<Stored>(memory_a, a_rows ? i * k + p : i + p * m, number_a(i, p) + shift);
    for (int j = 0; j < n; ++j) put<Stored>(memory_b, b_rows ? p * n + j : p + j * k, number_b(p, j) + shift);
  }
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) put<D>(memory_c, rows ? i * n + j : i + j * m, number_c(i, j));
  multiply<m, n, k, T, LA, LB, D><<<1, 32>>>(rows, false, 2);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      double want = number_c(i, j);
      for (int p = 0; p < k; ++p) want += (number_a(i, p) + shift) * (number_b(p, j) + shift);
      CHECK_EQ(static_cast<double>(static_cast<float>(reinterpret_cast<D *>(memory_d)[rows ? i * n + j : i + j * m])), 2 * want);
    }
}

// Elements of 4 bits and of 1 bit: rows of A and columns of B are words.
template <int k, typename T, int bits, typename Kernel> void check_packed(Kernel kernel, int (*product)(unsigned, unsigned)) {
  unsigned *a = reinterpret_cast<unsigned *>(memory_a), *b = reinterpret_cast<unsigned *>(memory_b);
  int *c = reinterpret_cast<int *>(memory_c), *d = reinterpret_cast<int *>(memory_d);
  for (int i = 0; i < 32; ++i) {
    a[i] = 0x9e3779b9u * (i + 1);
    b[i] = 0x85ebca6bu * (i + 3);
  }
  for (int i = 0; i < 64; ++i) c[i] = i - 20;
  kernel();
  CHECK_CUDA(cudaDeviceSynchronize());
  constexpr unsigned mask = bits == 4 ? 15 : 1;
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) {
      int want = c[i * 8 + j];
      for (int p = 0; p < k; ++p) {
        int at = p * bits;
        want += product(a[i * 4 + at / 32] >> at % 32 & mask, b[j * 4 + at / 32] >> at % 32 & mask);
      }
      CHECK_EQ(d[i * 8 + j], want);
    }
}

template <typename T, int k> __global__ void multiply_packed(int op) {
  wmma::fragment<wmma::matrix_a, 8, 8, k, T, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 8, 8, k, T, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, 8, 8, k, int> c, d;
  typedef typename decltype(a)::storage_element_type Stored;
  wmma::load_matrix_sync(a, reinterpret_cast<const Stored *>(memory_a), k);
  wmma::load_matrix_sync(b, reinterpret_cast<const Stored *>(memory_b), k);
  wmma::load_matrix_sync(c, reinterpret_cast<const int *>(memory_c), 8, wmma::mem_row_major);
  if constexpr (std::is_same<T, b1>::value) {
    wmma::bmma_sync(d, a, b, c, op == 0 ? wmma::experimental::bmmaBitOpXOR : wmma::experimental::bmmaBitOpAND);
  } else {
    wmma::mma_sync(d, a, b, c);
  }
  wmma::store_matrix_sync(reinterpret_cast<int *>(memory_d), d, 8, wmma::mem_row_major);
}

__global__ void filled(float *tf32) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, half> c, saturated;
  wmma::fill_fragment(a, __float2half(128.0f));
  wmma::fill_fragment(b, __float2half(128.0f));
  wmma::fill_fragment(c, __float2half(0.0f));
  wmma::mma_sync(saturated, a, b, c, true);
  wmma::mma_sync(c, a, b, c);
  wmma::store_matrix_sync(reinterpret_cast<half *>(memory_d), c, 16, wmma::mem_row_major);
  wmma::store_matrix_sync(reinterpret_cast<half *>(memory_d) + 256, saturated, 16, wmma::mem_row_major);
  if (threadIdx.x == 0) *tf32 = wmma::__float_to_tf32(1.0f + 0x1p-11f);
}

int main() {
  check_product<16, 16, 16, half, wmma::row_major, wmma::col_major, float>(true);
  check_product<16, 16, 16, half, wmma::col_major, wmma::row_major, float>(false);
  check_product<32, 8, 16, half, wmma::col_major, wmma::col_major, half>(true);
  check_product<8, 32, 16, __nv_bfloat16, wmma::row_major, wmma::row_major, float>(true);
  check_product<32, 8, 16, unsigned char, wmma::row_major, wmma::col_major, int>(true, true);
  check_product<8, 32, 16, signed char, wmma::col_major, wmma::row_major, int>(false);
  check_product<16, 16, 8, wmma::precision::tf32, wmma::row_major, wmma::row_major, float>(true);
  check_product<8, 8, 4, double, wmma::row_major, wmma::col_major, double>(true);
  check_packed<32, u4, 4>([] { multiply_packed<u4, 32><<<1, 32>>>(0); }, [](unsigned x, unsigned y) { return int(x * y); });
  check_packed<32, s4, 4>([] { multiply_packed<s4, 32><<<1, 32>>>(0); },
                          [](unsigned x, unsigned y) { return (int(x ^ 8) - 8) * (int(y ^ 8) - 8); });
  check_packed<128, b1, 1>([] { multiply_packed<b1, 128><<<1, 32>>>(0); }, [](unsigned x, unsigned y) { return int(x ^ y); });
  check_packed<128, b1, 1>([] { multiply_packed<b1, 128><<<1, 32>>>(1); }, [](unsigned x, unsigned y) { return int(x & y); });

  // 16 products of 16384 do not fit a half: infinity, or its largest number with satf.
  float *tf32;
  CHECK_CUDA(cudaMallocManaged(&tf32, sizeof(float)));
  filled<<<1, 32>>>(tf32);
  CHECK_CUDA(cudaDeviceSynchronize());
  half *d = reinterpret_cast<half *>(memory_d);
  CHECK_EQ(__half2float(d[17]), __builtin_inff());
  CHECK_EQ(__half2float(d[256 + 17]), 65504.0f);
  CHECK_EQ(*tf32, 1.0f + 0x1p-10f);
  cudaFree(tf32);
  return check_report();
}
