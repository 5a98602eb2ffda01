// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Indices that are cut off or go around at the edges of an image: inside, the lanes of a warp access neighbours, at the
// edges not. Elements of 1 to 8 bytes, blocks of several shapes, images whose width is no multiple of a warp.
// RUN: %mcc %s -o %t && %run %t
#include "check.h"

#include <limits.h>

#include <algorithm>
#include <vector>

__host__ __device__ int clamped(int i, int n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }
__host__ __device__ int wrapped(int i, int n) { return (i + n) % n; }
__host__ __device__ int mirrored(int i, int n) { return i < 0 ? -i : i >= n ? 2 * n - 2 - i : i; }

template <typename T, int Form> __host__ __device__ int neighbour(int i, int n) {
  return Form == 0 ? clamped(i, n) : Form == 1 ? wrapped(i, n) : mirrored(i, n);
}

template <typename T, int Form> __host__ __device__ T blurred(const T *in, int x, int y, int w, int h) {
  T sum = 0;
  for (int dy = -1; dy <= 1; dy++) {
    for (int dx = -2; dx <= 2; dx++) {
      sum += in[static_cast<long>(neighbour<T, Form>(y + dy, h)) * w + neighbour<T, Form>(x + dx, w)] *
             static_cast<T>(dx + 3 * dy + 6);
    }
  }
  return sum;
}

template <typename T, int Form> __global__ void blur(const T *in, T *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    out[y * w + x] = blurred<T, Form>(in, x, y, w, h);
  }
}

/// Writes around the edge; no two threads write the same place.
template <typename T> __global__ void rotate(const T *in, T *out, int w, int h, int by) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    out[y * w + (x + by) % w] = in[y * w + x];
  }
}

template <typename T, int Form> void check_blur(int w, int h, dim3 block) {
  std::vector<T> expected(w * h);
  T *in, *out;
  CHECK_CUDA(cudaMallocManaged(&in, w * h * sizeof(T)));
  CHECK_CUDA(cudaMallocManaged(&out, w * h * sizeof(T)));
  for (int i = 0; i < w * h; i++) {
    in[i] = static_cast<T>(i * 37 % 101);
  }
  for (int i = 0; i < w * h; i++) {
    expected[i] = blurred<T, Form>(in, i % w, i / w, w, h);
  }
  dim3 grid((w + block.x - 1) / block.x, (h + block.y - 1) / block.y);
  blur<T, Form><<<grid, block>>>(in, out, w, h);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(std::equal(expected.begin(), expected.end(), out), true);
  rotate<<<grid, block>>>(in, out, w, h, 5);
  CHECK_CUDA(cudaDeviceSynchronize());
  int wrong = 0;
  for (int i = 0; i < w * h; i++) {
    wrong += out[i / w * w + (i % w + 5) % w] != in[i];
  }
  CHECK_EQ(wrong, 0);
  cudaFree(in);
  cudaFree(out);
}

template <typename T> void check_type() {
  for (dim3 block : {dim3(32, 8), dim3(16, 16), dim3(8, 8), dim3(20, 5), dim3(64, 1)}) {
    for (int w : {64, 100, 37}) {
      check_blur<T, 0>(w, 21, block);
      check_blur<T, 1>(w, 21, block);
      check_blur<T, 2>(w, 21, block);
    }
  }
}

/// 32-bit indices that step over the end of their range are no neighbours, though they step by one.
__global__ void around(const unsigned char *negative, const unsigned char *positive, unsigned char *out, int start,
                       int flip) {
  int i = static_cast<int>(threadIdx.x + start) ^ flip;
  out[threadIdx.x] = i < 0 ? negative[i] : positive[i];
}

int main() {
  check_type<unsigned char>();
  check_type<short>();
  check_type<int>();
  check_type<float>();
  check_type<double>();

  unsigned char *bytes;
  REQUIRE_CUDA(cudaMallocManaged(&bytes, 256));
  for (int i = 0; i < 128; i++) {
    bytes[i] = static_cast<unsigned char>(i);
  }
  around<<<1, 32>>>(bytes + (1L << 31), bytes - INT_MAX + 63, bytes + 128, INT_MAX - 15, 0);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 32; i++) {
    CHECK_EQ(int{bytes[128 + i]}, i < 16 ? 48 + i : i - 16);
  }
  return check_report();
}
