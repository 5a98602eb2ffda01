// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels in plain CUDA C++, and one with warp matrix functions.
#include "timing.h"

#include <mma.h>

__global__ void saxpy(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void stencil(int n, const float *in, float *out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < n - 1 && y < n - 1) {
    int i = y * n + x;
    out[i] = 0.2f * (in[i] + in[i - 1] + in[i + 1] + in[i - n] + in[i + n]);
  }
}

__global__ void transpose(int n, const float *in, float *out) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void matmul(int n, const float *a, const float *b, float *c) {
  __shared__ float as[16][16], bs[16][16];
  int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    as[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
    bs[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
    __syncthreads();
    for (int i = 0; i < 16; i++) sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

__global__ void reduction(int n, const float *in, float *out) {
  __shared__ float parts[32];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < blockDim.x / 32 ? parts[threadIdx.x] : 0;
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
  }
}

__global__ void histogram(int n, const unsigned *in, unsigned *out) {
  __shared__ unsigned bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[in[i] & 255], 1u);
  __syncthreads();
  atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}

__global__ void scan(int n, const float *in, float *out) {
  __shared__ float sums[8];
  int i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float v = in[i];
  for (int d = 1; d < 32; d *= 2) {
    float other = __shfl_up_sync(0xffffffff, v, d);
    if (lane >= d) v += other;
  }
  if (lane == 31) sums[warp] = v;
  __syncthreads();
  float before = 0;
  for (int w = 0; w < 8; w++) before += w < warp ? sums[w] : 0;
  out[i] = v + before;
}

__global__ void spmv(int rows, const int *starts, const int *columns, const float *values, const float *x, float *y) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0;
  for (int k = starts[row] + lane; k < starts[row + 1]; k += 32) sum += values[k] * x[columns[k]];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
  if (lane == 0) y[row] = sum;
}

__global__ void n_body(int n, const float4 *bodies, float4 *accelerations) {
  __shared__ float4 tile[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 me = bodies[i];
  float3 sum = make_float3(0, 0, 0);
  for (int start = 0; start < n; start += blockDim.x) {
    tile[threadIdx.x] = bodies[start + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < blockDim.x; j++) {
      float dx = tile[j].x - me.x, dy = tile[j].y - me.y, dz = tile[j].z - me.z;
      float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
      float force = tile[j].w * inverse * inverse * inverse;
      sum.x += dx * force;
      sum.y += dy * force;
      sum.z += dz * force;
    }
    __syncthreads();
  }
  accelerations[i] = make_float4(sum.x, sum.y, sum.z, 0);
}

__global__ void mandelbrot(int n, int *out) {
  int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  float cx = -2.0f + 3.0f * px / n, cy = -1.5f + 3.0f * py / n, x = 0, y = 0;
  int i = 0;
  for (; i < 256 && x * x + y * y < 4; i++) {
    float t = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = t;
  }
  out[py * n + px] = i;
}

__device__ float normal_cdf(float d) {
  float k = 1 / (1 + 0.2316419f * fabsf(d));
  float p = 0.39894228f * expf(-0.5f * d * d) *
            (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0 ? 1 - p : p;
}

__global__ void black_scholes(int n, const float *prices, const float *strikes, const float *years, float *calls) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = prices[i], k = strikes[i], t = years[i], root = sqrtf(t);
  float d1 = (logf(s / k) + (0.02f + 0.5f * 0.3f * 0.3f) * t) / (0.3f * root), d2 = d1 - 0.3f * root;
  calls[i] = s * normal_cdf(d1) - k * expf(-0.02f * t) * normal_cdf(d2);
}

__global__ void waves(int n, const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = in[i], sum = 0;
  for (int k = 1; k < 16; k++) sum += sinf(v * k) * cosf(v + k) / k;
  out[i] = sum;
}

__global__ void powers(int n, const double *in, double *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double v = in[i], sum = 0;
  for (int k = 1; k < 8; k++) sum += exp(-v * k) * log(1 + v) * sqrt(v);
  out[i] = sum;
}

// D = A * B in half precision, summed in single: each warp a tile of 32 x 32 of D.
__global__ void wmma_matmul(int n, const half *a, const half *b, float *d) {
  namespace w = nvcuda::wmma;
  int warp = threadIdx.x / 32, row = (blockIdx.y * 2 + warp / 2) * 32, column = (blockIdx.x * 2 + warp % 2) * 32;
  w::fragment<w::accumulator, 16, 16, 16, float> sum[2][2];
  for (auto &line : sum)
    for (auto &one : line) w::fill_fragment(one, 0.0f);
  for (int k = 0; k < n; k += 16) {
    w::fragment<w::matrix_a, 16, 16, 16, half, w::row_major> left[2];
    w::fragment<w::matrix_b, 16, 16, 16, half, w::row_major> right[2];
    for (int i = 0; i < 2; i++) {
      w::load_matrix_sync(left[i], a + (row + 16 * i) * n + k, n);
      w::load_matrix_sync(right[i], b + k * n + column + 16 * i, n);
    }
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 2; j++) w::mma_sync(sum[i][j], left[i], right[j], sum[i][j]);
  }
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) w::store_matrix_sync(d + (row + 16 * i) * n + column + 16 * j, sum[i][j], n, w::mem_row_major);
}

__global__ void to_half(int n, const float *in, half *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __float2half(in[i]);
}

int main() {
  Memory m;
  unsigned state = 1;
  if (allocate(m, state) != 0) {
    return 1;
  }
  constexpr int kRows = 1 << 16, kEach = 64;
  std::vector<int> starts(kRows + 1), columns(kRows * kEach);
  for (int r = 0; r <= kRows; r++) starts[r] = r * kEach;
  for (int &c : columns) {
    c = next_random(state) >> 16;
  }
  int *device_starts, *device_columns;
  CHECK(cudaMalloc(&device_starts, starts.size() * sizeof(int)));
  CHECK(cudaMalloc(&device_columns, columns.size() * sizeof(int)));
  CHECK(cudaMemcpy(device_starts, starts.data(), starts.size() * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_columns, columns.data(), columns.size() * sizeof(int), cudaMemcpyHostToDevice));

  const int wide = 4096, square = 1024, bodies = 16384;
  dim3 block(32, 8), tiles(wide / 32, wide / 32);
  int failed = 0;
  failed += time_kernel("saxpy", m, kN, [&] { saxpy<<<kN / 256, 256>>>(kN, 0.5f, m.a, m.c); });
  failed += time_kernel("stencil", m, kN, [&] { stencil<<<dim3(wide / 32, wide / 8), block>>>(wide, m.a, m.c); });
  failed += time_kernel("transpose", m, kN, [&] { transpose<<<tiles, block>>>(wide, m.a, m.c); });
  failed += time_kernel("matmul", m, square * square,
                        [&] { matmul<<<dim3(square / 16, square / 16), dim3(16, 16)>>>(square, m.a, m.b, m.c); });
  failed += time_kernel("reduction", m, 1024, [&] { reduction<<<1024, 256>>>(kN, m.a, m.c); });
  failed += time_kernel("histogram", m, 0, [&] {
    histogram<<<1024, 256>>>(kN, reinterpret_cast<const unsigned *>(m.a), reinterpret_cast<unsigned *>(m.c));
  });
  failed += time_kernel("scan", m, kN, [&] { scan<<<kN / 256, 256>>>(kN, m.a, m.c); });
  failed += time_kernel("spmv", m, kRows, [&] { spmv<<<kRows / 8, 256>>>(kRows, device_starts, device_columns, m.a, m.b, m.c); });
  failed += time_kernel("n_body", m, bodies, [&] {
    n_body<<<bodies / 256, 256>>>(bodies, reinterpret_cast<const float4 *>(m.a), reinterpret_cast<float4 *>(m.c));
  });
  failed += time_kernel("mandelbrot", m, 0, [&] { mandelbrot<<<dim3(wide / 32, wide / 8), block>>>(wide, reinterpret_cast<int *>(m.c)); });
  failed += time_kernel("black_scholes", m, kN, [&] { black_scholes<<<kN / 256, 256>>>(kN, m.a, m.b, m.b, m.c); });
  failed += time_kernel("waves", m, kN, [&] { waves<<<kN / 256, 256>>>(kN, m.a, m.c); });
  failed += time_kernel("powers", m, 0, [&] {
    powers<<<kN / 512, 256>>>(kN / 2, reinterpret_cast<const double *>(m.a), reinterpret_cast<double *>(m.c));
  });
  const int halves = 2048;
  half *left, *right;
  CHECK(cudaMalloc(&left, halves * halves * sizeof(half)));
  CHECK(cudaMalloc(&right, halves * halves * sizeof(half)));
  to_half<<<halves * halves / 256, 256>>>(halves * halves, m.a, left);
  to_half<<<halves * halves / 256, 256>>>(halves * halves, m.b + 12345, right);
  failed += time_kernel("wmma_matmul", m, halves * halves,
                        [&] { wmma_matmul<<<dim3(halves / 64, halves / 64), 128>>>(halves, left, right, m.c); });
  return failed;
}
