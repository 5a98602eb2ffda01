// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 32-bit indices of neighbouring threads that wrap around inside a warp, and those that only might: grid-stride loops,
// unsigned y * w + x, an unsigned index that counts down below zero, the number of a block times another number than its size.
// RUN: %mcc %s -o %t && %run %t
#include "check.h"

constexpr unsigned kSize = 5000;

__global__ void around_zero(const int *in, int *out, unsigned start) {
  unsigned i = threadIdx.x + start;  // lanes before the wrap are out of range
  if (i < kSize) {
    out[i] = in[i] + 1;
  }
}

__global__ void both_ends(const char *high, const char *low, int *out, unsigned start) {
  unsigned i = threadIdx.x + start;
  out[threadIdx.x] = i >= 0x80000000u ? high[i] : low[i];
}

__global__ void signed_ends(const char *negative, const char *positive, int *out, unsigned start) {
  int i = static_cast<int>(threadIdx.x + start);
  out[threadIdx.x] = i < 0 ? negative[i] : positive[i];
}

__global__ void downwards(const int *in, int *out, unsigned start) {
  unsigned i = start - threadIdx.x;
  out[threadIdx.x] = i < kSize ? in[i] : -1;
}

__global__ void grid_stride(const float *in, float *out, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    out[i] = 2 * in[i];
  }
}

__global__ void flat_index(const int *in, int *out, unsigned w, unsigned h, unsigned shift) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  unsigned i = y * w + x - shift;
  if (x < w && y < h && i < w * h) {
    out[i] = in[i] + static_cast<int>(y);
  }
}

// A size that is not the block's: block 2 begins 16 elements before the end of the range.
__global__ void other_size(int *out, unsigned n) {
  unsigned i = blockIdx.x * 0x7ffffff8u + threadIdx.x;
  if (blockIdx.x == 2 && i < n) {
    out[i] = static_cast<int>(1000 + i);
  }
}

int main() {
  int *in, *out;
  CHECK_CUDA(cudaMallocManaged(&in, kSize * sizeof(int)));
  CHECK_CUDA(cudaMallocManaged(&out, kSize * sizeof(int)));
  for (unsigned i = 0; i < kSize; i++) {
    in[i] = static_cast<int>(i * 7);
  }
  for (unsigned start : {0u, 0xfffffff0u, 0xffffffffu, 0xffffffc0u, kSize - 20}) {
    CHECK_CUDA(cudaMemset(out, 0, kSize * sizeof(int)));
    around_zero<<<1, 64>>>(in, out, start);
    CHECK_CUDA(cudaDeviceSynchronize());
    for (unsigned i = 0; i < kSize; i++) {
      CHECK_EQ(out[i], i - start < 64 ? static_cast<int>(i * 7 + 1) : 0);
    }
  }
  char *bytes;
  CHECK_CUDA(cudaMallocManaged(&bytes, 512));
  for (int i = 0; i < 512; i++) {
    bytes[i] = static_cast<char>(i);
  }
  for (unsigned before : {0u, 1u, 16u, 31u, 40u, 64u}) {
    both_ends<<<1, 64>>>(bytes + 256 - (1ll << 32), bytes + 256, out, 0u - before);
    CHECK_CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < 64; i++) {
      CHECK_EQ(out[i], static_cast<char>(256 + i - static_cast<int>(before)));
    }
    signed_ends<<<1, 64>>>(bytes + 256 + (1ll << 31), bytes + 256 - (1ll << 31), out, 0x80000000u - before);
    CHECK_CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < 64; i++) {
      CHECK_EQ(out[i], static_cast<char>(256 + i - static_cast<int>(before)));
    }
    downwards<<<1, 64>>>(in, out, before);
    CHECK_CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < 64; i++) {
      CHECK_EQ(out[i], i <= static_cast<int>(before) ? (static_cast<int>(before) - i) * 7 : -1);
    }
  }
  auto *numbers = reinterpret_cast<float *>(in), *doubled = reinterpret_cast<float *>(out);
  for (unsigned i = 0; i < kSize; i++) {
    numbers[i] = static_cast<float>(i);
  }
  grid_stride<<<3, 96>>>(numbers, doubled, kSize - 3);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (unsigned i = 0; i < kSize - 3; i++) {
    CHECK_EQ(doubled[i], 2.0f * static_cast<float>(i));
  }
  for (dim3 block : {dim3(32, 4), dim3(16, 4), dim3(8, 8)}) {
    unsigned w = 50, h = 30, shift = 21;
    for (unsigned i = 0; i < w * h; i++) {
      in[i] = static_cast<int>(i * 3);
    }
    CHECK_CUDA(cudaMemset(out, 0xff, kSize * sizeof(int)));
    flat_index<<<dim3((w + block.x - 1) / block.x, (h + block.y - 1) / block.y), block>>>(in, out, w, h, shift);
    CHECK_CUDA(cudaDeviceSynchronize());
    for (unsigned i = 0; i < w * h; i++) {
      bool written = i + shift < w * h;
      CHECK_EQ(out[i], written ? static_cast<int>(i * 3 + (i + shift) / w) : -1);
    }
  }
  for (dim3 block : {dim3(64), dim3(16, 2), dim3(8, 4)}) {
    CHECK_CUDA(cudaMemset(out, 0, kSize * sizeof(int)));
    other_size<<<3, block>>>(out, kSize);
    CHECK_CUDA(cudaDeviceSynchronize());
    const int written = block.x > 16 ? static_cast<int>(block.x) - 16 : 0;
    for (int i = 0; i < 100; i++) {
      CHECK_EQ(out[i], i < written ? 1000 + i : 0);
    }
  }
  return check_report();
}
