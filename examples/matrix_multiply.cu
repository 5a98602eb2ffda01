// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Multiplies two matrices by tiles in shared memory; any size, edges included.
#include <cmath>
#include <cstdio>
#include <vector>

constexpr int kTile = 16;

__global__ void multiply(const float *a, const float *b, float *c, int rows, int inner, int columns) {
  __shared__ float a_tile[kTile][kTile], b_tile[kTile][kTile];
  int row = blockIdx.y * kTile + threadIdx.y, column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int start = 0; start < inner; start += kTile) {
    int k_of_a = start + threadIdx.x, k_of_b = start + threadIdx.y;
    a_tile[threadIdx.y][threadIdx.x] = row < rows && k_of_a < inner ? a[row * inner + k_of_a] : 0;
    b_tile[threadIdx.y][threadIdx.x] = k_of_b < inner && column < columns ? b[k_of_b * columns + column] : 0;
    __syncthreads();
    for (int k = 0; k < kTile; ++k) {
      sum += a_tile[threadIdx.y][k] * b_tile[k][threadIdx.x];
    }
    __syncthreads();
  }
  if (row < rows && column < columns) {
    c[row * columns + column] = sum;
  }
}

static float *to_device(const std::vector<float> &host) {
  float *device = nullptr;
  cudaMalloc(&device, host.size() * sizeof(float));
  cudaMemcpy(device, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
  return device;
}

int main() {
  const int rows = 150, inner = 75, columns = 130;
  std::vector<float> a(rows * inner), b(inner * columns), c(rows * columns);
  for (size_t i = 0; i < a.size(); ++i) {
    a[i] = std::sin(0.1f * i);
  }
  for (size_t i = 0; i < b.size(); ++i) {
    b[i] = std::cos(0.2f * i);
  }
  float *device_a = to_device(a), *device_b = to_device(b), *device_c = to_device(c);
  dim3 block(kTile, kTile), grid((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  multiply<<<grid, block>>>(device_a, device_b, device_c, rows, inner, columns);
  cudaMemcpy(c.data(), device_c, c.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaError_t error = cudaGetLastError();
  double worst = 0;
  for (int r = 0; r < rows; ++r) {
    for (int col = 0; col < columns; ++col) {
      double expected = 0;
      for (int k = 0; k < inner; ++k) {
        expected += double(a[r * inner + k]) * b[k * columns + col];
      }
      worst = std::fmax(worst, std::fabs(expected - c[r * columns + col]));
    }
  }
  bool right = error == cudaSuccess && worst < 1e-4;
  std::printf("matrix_multiply: largest difference %.2g, %s\n", worst, right ? "right" : "wrong");
  for (float *p : {device_a, device_b, device_c}) {
    cudaFree(p);
  }
  return !right;
}
