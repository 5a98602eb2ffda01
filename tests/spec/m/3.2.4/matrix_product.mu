// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix product by one thread an element: a struct as a kernel argument, a 2-D launch, a kernel declared ahead.
// RUN: %mcc %s -o %t && %run %t
// covers: M-3.2.4-02
#include <vector>

#include "check.h"

struct Matrix {
  int width;
  int height;
  float *elements;
};

__global__ void multiply(const Matrix a, const Matrix b, Matrix c);

static Matrix to_device(const std::vector<float> &host, int width, int height) {
  Matrix m{width, height, nullptr};
  CHECK_MUSA(musaMalloc(&m.elements, host.size() * sizeof(float)));
  CHECK_MUSA(musaMemcpy(m.elements, host.data(), host.size() * sizeof(float), musaMemcpyHostToDevice));
  return m;
}

int main() {
  const int rows = 48, inner = 32, columns = 64;
  std::vector<float> a(rows * inner), b(inner * columns), c(rows * columns);
  for (size_t i = 0; i < a.size(); ++i) {
    a[i] = (int)(i % 7) - 3;
  }
  for (size_t i = 0; i < b.size(); ++i) {
    b[i] = (int)(i % 5) - 2;
  }
  Matrix device_a = to_device(a, inner, rows), device_b = to_device(b, columns, inner),
         device_c = to_device(c, columns, rows);
  dim3 block(16, 16);
  dim3 grid(columns / block.x, rows / block.y);
  CHECK_EQ(block.z, 1u);
  multiply<<<grid, block>>>(device_a, device_b, device_c);
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

__global__ void multiply(const Matrix a, const Matrix b, Matrix c) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < a.width; ++k) {
    sum += a.elements[row * a.width + k] * b.elements[k * b.width + column];
  }
  c.elements[row * c.width + column] = sum;
}
