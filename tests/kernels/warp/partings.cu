// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warps of a block that go the same way until the data ends: a row for each warp behind a guard, loops in steps of the
// block and of the grid, before and between barriers; with sizes at which none, some or all of them part, and blocks of
// many shapes. All numbers are small integers: sums are exact in any order.
// RUN: %mcc -O3 %s -o %t && %run %t
#include "check.h"

#include <algorithm>
#include <vector>

__global__ void row_sums(const float *in, float *out, int rows, int columns) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) {
    return;
  }
  float sum = 0;
  for (int i = lane; i < columns; i += 32) {
    sum += in[row * columns + i];
  }
  for (int offset = 16; offset > 0; offset /= 2) {
    sum += __shfl_xor_sync(~0u, sum, offset);
  }
  if (lane == 0) {
    out[row] = sum;
  }
}

// Two loops, each in steps of the block; what the first one finds is used in the second.
__global__ void above_the_largest_but(const int *in, int *out, int n, int less) {
  __shared__ int shared[32];
  const int *chunk = in + blockIdx.x * n;
  int largest = -1000, count = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    largest = max(largest, chunk[i]);
  }
  largest = __reduce_max_sync(~0u, largest);
  if (threadIdx.x % 32 == 0) {
    shared[threadIdx.x / 32] = largest;
  }
  __syncthreads();
  for (int w = 0; w < blockDim.x / 32; w++) {
    largest = max(largest, shared[w]);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    count += chunk[i] > largest - less ? 1 : 0;
  }
  count = __reduce_add_sync(~0u, count);
  if (threadIdx.x % 32 == 0) {
    atomicAdd(&out[blockIdx.x], count);
  }
}

// A loop around barriers, whose inner loop ends for each warp where the data ends.
__global__ void tiles(const float *in, float *out, int n, int rounds) {
  __shared__ float tile[1024];
  float sum = 0;
  for (int round = 0; round < rounds; round++) {
    tile[threadIdx.x] = threadIdx.x < n ? in[round * n + threadIdx.x] : 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x / 2) {
      sum += tile[i % blockDim.x];
    }
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// A walk of each thread, as long as its warp's number says.
__global__ void walks(unsigned *out, int n, int turns) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, state = i * 2654435761u + 1;
  if (i >= n) {
    return;
  }
  for (int k = 0; k < turns + threadIdx.x / 32; k++) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
  }
  out[i] = state;
}

__global__ void grid_sums(const float *in, float *out, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    sum += in[i];
  }
  atomicAdd(out, sum);
}

template <typename T> struct Managed {
  T *data = nullptr;
  explicit Managed(size_t count) { CHECK_CUDA(cudaMallocManaged(&data, (count + 1) * sizeof(T))); }
  ~Managed() { cudaFree(data); }
  T &operator[](size_t i) { return data[i]; }
};

static void check_row_sums(int rows, int columns, int block) {
  Managed<float> in(rows * columns), out(rows);
  for (int i = 0; i < rows * columns; i++) {
    in[i] = i % 7;
  }
  row_sums<<<(rows * 32 + block - 1) / block, block>>>(in.data, out.data, rows, columns);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int row = 0; row < rows; row++) {
    float sum = 0;
    for (int i = 0; i < columns; i++) {
      sum += in[row * columns + i];
    }
    CHECK_EQ(out[row], sum);
  }
}

static void check_chunks(int n, int block) {
  constexpr int kChunks = 3, kLess = 20;
  Managed<int> in(kChunks * n), out(kChunks);
  for (int i = 0; i < kChunks * n; i++) {
    in[i] = i * 37 % 101;
  }
  std::fill(out.data, out.data + kChunks, 0);
  above_the_largest_but<<<kChunks, block>>>(in.data, out.data, n, kLess);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int c = 0; c < kChunks; c++) {
    const int *chunk = in.data + c * n;
    const int largest = n == 0 ? -1000 : *std::max_element(chunk, chunk + n);
    CHECK_EQ(out[c], std::count_if(chunk, chunk + n, [&](int x) { return x > largest - kLess; }));
  }
}

static void check_tiles(int n, int block) {
  constexpr int kRounds = 3;
  Managed<float> in(kRounds * n), out(block);
  for (int i = 0; i < kRounds * n; i++) {
    in[i] = i % 13;
  }
  tiles<<<1, block>>>(in.data, out.data, n, kRounds);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int t = 0; t < block; t++) {
    float sum = 0;
    for (int round = 0; round < kRounds; round++) {
      for (int i = t; i < n; i += block / 2) {
        sum += i % block < n ? in[round * n + i % block] : 0;
      }
    }
    CHECK_EQ(out[t], sum);
  }
}

static void check_walks(int n, int turns, dim3 block) {
  const int threads = block.x, blocks = (n + threads - 1) / threads;
  Managed<unsigned> out(n);
  walks<<<blocks, block>>>(out.data, n, turns);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < n; i++) {
    unsigned state = i * 2654435761u + 1;
    for (int k = 0; k < turns + i % threads / 32; k++) {
      state ^= state << 13;
      state ^= state >> 17;
      state ^= state << 5;
    }
    CHECK_EQ(out[i], state);
  }
}

static void check_grid(int n, int blocks, int block) {
  Managed<float> in(n), out(1);
  float sum = 0;
  for (int i = 0; i < n; i++) {
    sum += in[i] = i % 3;
  }
  out[0] = 0;
  grid_sums<<<blocks, block>>>(in.data, out.data, n);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(out[0], sum);
}

int main() {
  for (int block : {32, 96, 128, 256, 288, 416, 512, 1024}) {
    for (int rows : {1, 7, 8, 33}) {
      check_row_sums(rows, 100, block);
      check_row_sums(rows, 3, block);
      check_row_sums(rows, 0, block);
    }
    for (int n : {0, 1, 31, 256, 300, 1000, 2048}) {
      check_chunks(n, block);
      check_grid(n, 2, block);
    }
    for (int n : {1, 64, 200, block}) {
      check_tiles(std::min(n, block), block);
    }
    for (int n : {1, 500, 1024, 1500}) {
      check_walks(n, 5, block);
      check_walks(n, 0, block);
    }
  }
  // Blocks of several rows, which the kernel does not ask for: all rows do the same.
  check_walks(300, 5, dim3(64, 4));
  check_walks(300, 5, dim3(32, 2, 2));
  check_walks(300, 5, dim3(48, 3));
  check_grid(5'000'000, 3, 256);
  return check_report();
}
