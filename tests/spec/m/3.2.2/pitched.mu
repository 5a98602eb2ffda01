// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pitched 2-D and 3-D allocations: rows and slices by address arithmetic, copies with pitches on both sides.
// RUN: %mcc %s -o %t && %run %t
// covers: M-3.2.2-03
#include <vector>

#include "check.h"

__global__ void scale_rows(float *base, size_t pitch, int width, int height) {
  for (int r = blockIdx.x; r < height; r += gridDim.x) {
    float *row = (float *)((char *)base + r * pitch);
    for (int c = threadIdx.x; c < width; c += blockDim.x) {
      row[c] = 2.0f * row[c] + r;
    }
  }
}

__global__ void fill_cells(musaPitchedPtr cells, int width, int height, int depth) {
  char *base = (char *)cells.ptr;
  size_t slice_pitch = cells.pitch * height;
  for (int z = 0; z < depth; ++z) {
    for (int y = threadIdx.x; y < height; y += blockDim.x) {
      float *row = (float *)(base + z * slice_pitch + y * cells.pitch);
      for (int x = 0; x < width; ++x) {
        row[x] = 10000.0f * z + 100.0f * y + x;
      }
    }
  }
}

static void two_dimensions() {
  const int width = 61, height = 37;
  std::vector<float> host(width * height);
  for (size_t i = 0; i < host.size(); ++i) {
    host[i] = i;
  }
  float *device = nullptr;
  size_t pitch = 0;
  CHECK_MUSA(musaMallocPitch(&device, &pitch, width * sizeof(float), height));
  CHECK(pitch >= width * sizeof(float));
  CHECK_EQ(pitch % 32, 0u);
  size_t row_bytes = width * sizeof(float);
  CHECK_MUSA(musaMemcpy2D(device, pitch, host.data(), row_bytes, row_bytes, height, musaMemcpyHostToDevice));
  scale_rows<<<8, 32>>>(device, pitch, width, height);
  CHECK_MUSA(musaMemcpy2D(host.data(), row_bytes, device, pitch, row_bytes, height, musaMemcpyDeviceToHost));
  for (int r = 0; r < height; ++r) {
    for (int c = 0; c < width; ++c) {
      CHECK_EQ(host[r * width + c], 2.0f * (r * width + c) + r);
    }
  }
  CHECK_MUSA(musaFree(device));
}

static void three_dimensions() {
  const int width = 13, height = 11, depth = 5;
  musaExtent extent = make_musaExtent(width * sizeof(float), height, depth);
  musaPitchedPtr cells{};
  CHECK_MUSA(musaMalloc3D(&cells, extent));
  CHECK(cells.pitch >= extent.width);
  fill_cells<<<1, 64>>>(cells, width, height, depth);
  std::vector<float> host(width * height * depth);
  musaMemcpy3DParms copy{};
  copy.srcPtr = cells;
  copy.dstPtr = make_musaPitchedPtr(host.data(), width * sizeof(float), width, height);
  copy.extent = extent;
  copy.kind = musaMemcpyDeviceToHost;
  CHECK_MUSA(musaMemcpy3D(&copy));
  for (int z = 0; z < depth; ++z) {
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        CHECK_EQ(host[(z * height + y) * width + x], 10000.0f * z + 100.0f * y + x);
      }
    }
  }
  CHECK_MUSA(musaFree(cells.ptr));
}

int main() {
  two_dimensions();
  three_dimensions();
  return check_report();
}
