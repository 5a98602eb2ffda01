// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Members of neighbouring records: vectors, structs of mixed members, every second element, pixels; read and written in
// part and as a whole, in full warps and at the end of a buffer that ends at a page that may not be touched.
// gpu: no (needs memory of the host that the device can reach without being told)
// RUN: %mcc %s -o %t && %run %t
#include <sys/mman.h>

#include <cstring>

#include "check.h"

struct Mixed {
  float x;
  int id;
  unsigned mass;
};
struct Long {
  int a[8];
};
struct Pair {
  double re, im;
};

__global__ void vectors(const float4 *in, float4 *out, float3 *three, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float4 v = in[i];
    out[i] = make_float4(v.w, v.y + v.x, 3.0f, v.z);
    three[i] = make_float3(v.x, v.z, v.y);
  }
}

__global__ void members(const Mixed *in, Mixed *out, const Long *wide, int *picked, Pair *pairs, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i].mass = in[i].mass * 2;
    out[i].x = in[i].x + static_cast<float>(in[i].id);  // id stays
    picked[2 * i + 1] = wide[i].a[1] + wide[i].a[3] * wide[i].a[6] - wide[i].a[7];
    pairs[i].im = pairs[i].re + 0.5;
  }
}

__global__ void pixels(const uchar4 *in, uchar4 *out, unsigned char *gray, short *every, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    uchar4 p = in[y * w + x];
    gray[y * w + x] = (p.x * 2 + p.y * 5 + p.z) / 8;
    out[y * w + x] = make_uchar4(p.z, p.y, p.x, 255);
    every[2 * (y * w + x)] = p.w;
  }
}

/// Through shared memory and back, one element of a pair after the other, with what stood there before in between.
__global__ void through_tile(const int *in, int *out, int n) {
  __shared__ int tile[128];
  int t = threadIdx.x;
  tile[2 * t] = -2 * t;
  tile[2 * t + 1] = -2 * t - 1;
  if (2 * t + 1 < n) {
    tile[2 * t] = in[2 * t];
    int before = tile[2 * t + 1], same = tile[2 * t];
    tile[2 * t + 1] = in[2 * t + 1];
    out[2 * t] = tile[2 * t] + tile[2 * t + 1];
    out[2 * t + 1] = before + 1000 * same;
    out[2 * t] += tile[2 * t + 1];
  }
}

/// The same indices into two arrays, counted from anywhere.
__global__ void swap_pairs(const int *in, int *out, int from, int n) {
  int i = from + 2 * threadIdx.x, j = i + 1;
  if (j < n) {
    out[i] = in[j];
    out[j] = in[i];
  }
}

/// `bytes` at the end of readable memory.
template <class T> T *at_the_end(size_t count) {
  size_t bytes = count * sizeof(T), pages = (bytes + 4095) / 4096 * 4096;
  char *all =
      static_cast<char *>(mmap(nullptr, pages + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  CHECK(all != MAP_FAILED);
  CHECK_EQ(mprotect(all + pages, 4096, PROT_NONE), 0);
  return reinterpret_cast<T *>(all + pages - bytes);
}

int main() {
  for (int n : {1, 31, 32, 64, 77, 128}) {
    auto *v4 = at_the_end<float4>(n), *o4 = at_the_end<float4>(n);
    auto *o3 = at_the_end<float3>(n);
    for (int i = 0; i < n; i++) {
      v4[i] = make_float4(i + 0.25f, i * 2.0f, i * 3.0f, -i);
    }
    vectors<<<2, 64>>>(v4, o4, o3, n);
    CHECK_CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++) {
      CHECK(o4[i].x == -i && o4[i].y == i * 3 + 0.25f && o4[i].z == 3.0f && o4[i].w == i * 3.0f);
      CHECK(o3[i].x == i + 0.25f && o3[i].y == i * 3.0f && o3[i].z == i * 2.0f);
    }
    auto *in = at_the_end<Mixed>(n), *out = at_the_end<Mixed>(n);
    auto *wide = at_the_end<Long>(n);
    int *picked = at_the_end<int>(2 * n);
    auto *pairs = at_the_end<Pair>(n);
    for (int i = 0; i < n; i++) {
      in[i] = {i * 0.5f, 7 - i, 9u * i};
      out[i] = {-1, -2, 3};
      pairs[i] = {i * 1.5, -1};
      for (int k = 0; k < 8; k++) {
        wide[i].a[k] = 10 * i + k;
      }
    }
    members<<<2, 64>>>(in, out, wide, picked, pairs, n);
    CHECK_CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++) {
      CHECK(out[i].x == i * 0.5f + (7 - i) && out[i].id == -2 && out[i].mass == 18u * i);
      CHECK_EQ(picked[2 * i + 1], 10 * i + 1 + (10 * i + 3) * (10 * i + 6) - (10 * i + 7));
      CHECK_EQ(picked[2 * i], 0);
      CHECK(pairs[i].re == i * 1.5 && pairs[i].im == i * 1.5 + 0.5);
    }
  }
  for (int n : {2, 62, 64, 100, 128}) {
    int *numbers = at_the_end<int>(n), *sums = at_the_end<int>(n);
    for (int i = 0; i < n; i++) {
      numbers[i] = i * i + 1;
    }
    through_tile<<<1, 64>>>(numbers, sums, n);
    CHECK_CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < n; i += 2) {
      CHECK_EQ(sums[i], numbers[i] + 2 * numbers[i + 1]);
      CHECK_EQ(sums[i + 1], -i - 1 + 1000 * numbers[i]);
    }
  }
  for (int n : {2, 63, 64, 101, 128}) {
    int *numbers = at_the_end<int>(n), *swapped = at_the_end<int>(n);
    for (int i = 0; i < n; i++) {
      numbers[i] = i * i + 1;
    }
    for (int from : {0, 3, 10}) {
      memset(swapped, 0, n * sizeof(int));
      swap_pairs<<<1, 64>>>(numbers, swapped, from, n);
      CHECK_CUDA(cudaDeviceSynchronize());
      for (int i = 0; i < n; i++) {
        const int other = i + ((i - from) % 2 == 0 ? 1 : -1);
        const int last = (n - from) / 2 * 2 + from;
        CHECK_EQ(swapped[i], i < from || i >= last ? 0 : numbers[other]);
      }
    }
  }
  constexpr int kW = 50, kH = 20, kN = kW * kH;
  auto *image = at_the_end<uchar4>(kN), *turned = at_the_end<uchar4>(kN);
  auto *gray = at_the_end<unsigned char>(kN);
  short *every = at_the_end<short>(2 * kN);
  for (dim3 block : {dim3(32, 4), dim3(16, 8), dim3(8, 8), dim3(10, 3)}) {
    for (int i = 0; i < kN; i++) {
      image[i] = make_uchar4(i, i * 3, i * 7, i * 11);
      turned[i] = make_uchar4(0, 0, 0, 0);
      every[2 * i] = 0;
    }
    pixels<<<dim3((kW + block.x - 1) / block.x, (kH + block.y - 1) / block.y), block>>>(image, turned, gray, every, kW,
                                                                                        kH);
    CHECK_CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < kN; i++) {
      uchar4 p = image[i], q = turned[i];
      CHECK(q.x == p.z && q.y == p.y && q.z == p.x && q.w == 255);
      CHECK_EQ(gray[i], (p.x * 2 + p.y * 5 + p.z) / 8);
      CHECK(every[2 * i] == p.w && every[2 * i + 1] == 0);
    }
  }
  return check_report();
}
