// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix product by tiles in shared memory: barriers, device functions that return structs, sub-matrix views.
// RUN: %mcc %s -o %t && %run %t
// covers: M-3.2.4-01
#include <vector>

#include "check.h"

constexpr int kTile = 16;

struct Matrix {
  int width;
  int height;
  int stride;
  float *elements;
};

__device__ float get(const Matrix m, int row, int column) { return m.elements[row * m.stride + column]; }
__device__ void set(Matrix m, int row, int column, float value) { m.elements[row * m.stride + column] = value; }
__device__ Matrix tile_of(Matrix m, int row, int column) {
  Matrix tile;
  tile.width = kTile;
  tile.height = kTile;
  tile.stride = m.stride;
  tile.elements = &m.elements[m.stride * kTile * row + kTile * column];
  return tile;
}

__global__ void multiply(Matrix a, Matrix b, Matrix c) {
  Matrix result = tile_of(c, blockIdx.y, blockIdx.x);
  int row = threadIdx.y, column = threadIdx.x;
  float sum = 0;
  for (int step = 0; step < a.width / kTile; ++step) {
    Matrix a_tile = tile_of(a, blockIdx.y, step), b_tile = tile_of(b, step, blockIdx.x);
    __shared__ float a_shared[kTile][kTile];
    __shared__ float b_shared[kTile][kTile];
    a_shared[row][column] = get(a_tile, row, column);
    b_shared[row][column] = get(b_tile, row, column);
    __syncthreads();
    for (int k = 0; k < kTile; ++k) {
      sum += a_shared[row][k] * b_shared[k][column];
    }
    __syncthreads();
  }
  set(result, row, column, sum);
}

static Matrix to_device(const std::vector<float> &host, int width, int height) {
  Matrix m{width, height, width, nullptr};
  CHECK_MUSA(musaMalloc(&m.elements, host.size() * sizeof(float)));
  CHECK_MUSA(musaMemcpy(m.elements, host.data(), host.size() * sizeof(float), musaMemcpyHostToDevice));
  return m;
}

int main() {
  const int rows = 4 * kTile, inner = 3 * kTile, columns = 2 * kTile;
  std::vector<float> a(rows * inner), b(inner * columns), c(rows * columns);
  for (size_t i = 0; i < a.size(); ++i) {
    a[i] = (int)(i * 7 % 11) - 5;
  }
  for (size_t i = 0; i < b.size(); ++i) {
    b[i] = (int)(i * 5 % 13) - 6;
  }
  Matrix device_a = to_device(a, inner, rows), device_b = to_device(b, columns, inner),
         device_c = to_device(c, columns, rows);
  multiply<<<dim3(columns / kTile, rows / kTile), dim3(kTile, kTile)>>>(device_a, device_b, device_c);
  CHECK_MUSA(musaDeviceSynchronize());
  CHECK_MUSA(musaMemcpy(c.data(), device_c.elements, c.size() * sizeof(float), musaMemcpyDeviceToHost));
  for (int r = 0; r < rows; ++r) {
    for (int col = 0; col < columns; ++col) {
      float expected = 0;
      for (int k = 0; k < inner; ++k) {
        expected += a[r * inner + k] * b[k * columns + col];
      }
      CHECK_EQ(c[r * columns + col], expected);
    }
  }
  for (const Matrix &m : {device_a, device_b, device_c}) {
    CHECK_MUSA(musaFree(m.elements));
  }
  return check_report();
}
