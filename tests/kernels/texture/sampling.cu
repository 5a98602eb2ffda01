// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 1D, 2D and 3D textures in all address modes, filters and kinds of coordinates, against the formulas of the guide: two
// neighbours a dimension and a weight of 8 fractional bits. The weights of several dimensions are whole 256ths too, split plane by
// plane, column by column, row by row, as an H200 does it; a 1D texture is sampled at the upper edge of its only row.
// RUN: %mcc %s -o %t && %run %t
// covers: M-3.2.14-02 C-2.3.3.7-01
#include "check.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

constexpr int kWidth = 7, kHeight = 5, kDepth = 3;

struct Point {
  float x, y, z;
};

__global__ void sample(cudaTextureObject_t texture, int dimensions, const Point *at, int n, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Point p = at[i];
  out[i] = dimensions == 1   ? tex1D<float>(texture, p.x)
           : dimensions == 2 ? tex2D<float>(texture, p.x, p.y)
                             : tex3D<float>(texture, p.x, p.y, p.z);
}

float texel(int x, int y, int z) { return static_cast<float>(x * x + 10 * y + 100 * z); }

struct Mode {
  int dimensions;
  cudaTextureAddressMode address;
  bool linear, normalised;
};

constexpr float kBorder = 7.5f;

// Index of a texel after its address mode; -1 is the border.
int index_of(long long i, int n, cudaTextureAddressMode mode) {
  switch (mode) {
  case cudaAddressModeWrap: return static_cast<int>(((i % n) + n) % n);
  case cudaAddressModeMirror: {
    long long m = ((i % (2 * n)) + 2 * n) % (2 * n);
    return static_cast<int>(m < n ? m : 2 * n - 1 - m);
  }
  case cudaAddressModeBorder: return i < 0 || i >= n ? -1 : static_cast<int>(i);
  default: return static_cast<int>(i < 0 ? 0 : i >= n ? n - 1 : i);
  }
}

double expected(const Mode &m, const Point &p) {
  const float in[3] = {p.x, p.y, p.z};
  const int size[3] = {kWidth, kHeight, kDepth};
  int index[3][2] = {}, weight[3] = {};
  cudaTextureAddressMode mode = m.address;
  if (!m.normalised && (mode == cudaAddressModeWrap || mode == cudaAddressModeMirror)) mode = cudaAddressModeClamp;
  // The y of a 1D texture is 0; beside its row is what the address mode puts there.
  for (int d = 0; d < (m.dimensions == 1 ? 2 : m.dimensions); ++d) {
    bool only_row = d == m.dimensions;
    if (only_row && !m.linear) break;
    int n = only_row ? 1 : size[d];
    double x = only_row ? 0 : m.normalised ? static_cast<double>(in[d]) * size[d] : in[d];
    long long low = static_cast<long long>(std::floor(x));
    if (m.linear) {
      long long fixed = static_cast<long long>(std::floor((x - 0.5) * 256 + 0.5));
      if (mode == cudaAddressModeClamp) fixed = std::min(std::max(fixed, 0ll), (n - 1) * 256ll);
      low = fixed >> 8;
      weight[d] = fixed & 255;
    }
    index[d][0] = index_of(low, n, mode);
    index[d][1] = index_of(low + 1, n, mode);
  }
  double sum = 0;
  for (int corner = 0; corner < 8; ++corner) {
    int w = 256, i[3];
    for (int d : {2, 0, 1}) {
      int high = corner >> d & 1;
      // Halves go to the later neighbour, but for the rows of the first column.
      int later = (w * weight[d] + (d == 1 && (corner & 1) == 0 ? 127 : 128)) >> 8;
      w = high ? later : w - later;
      i[d] = index[d][high];
    }
    if (w != 0) sum += w / 256.0 * (i[0] < 0 || i[1] < 0 || i[2] < 0 ? kBorder : texel(i[0], i[1], i[2]));
  }
  return sum;
}

// Coordinates whose products with the sizes are exact, so that the reference needs no rounding rules of its own.
std::vector<Point> points(bool normalised) {
  std::vector<Point> made;
  for (int i = -40; i < 90; ++i) {
    float t = static_cast<float>(i) / 16 + 1.0f / 64;
    Point p = {t * 1.5f, t * 1.25f - 1, t * 0.75f};
    if (normalised) p = {p.x / 4, p.y / 4, p.z / 4};
    made.push_back(p);
  }
  return made;
}

cudaArray_t make_array(int dimensions) {
  std::vector<float> texels;
  for (int z = 0; z < (dimensions > 2 ? kDepth : 1); ++z)
    for (int y = 0; y < (dimensions > 1 ? kHeight : 1); ++y)
      for (int x = 0; x < kWidth; ++x) texels.push_back(texel(x, y, z));
  cudaExtent extent = {kWidth, size_t(dimensions > 1 ? kHeight : 0), size_t(dimensions > 2 ? kDepth : 0)};
  cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  CHECK_CUDA(cudaMalloc3DArray(&array, &desc, extent));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(texels.data(), kWidth * sizeof(float), kWidth, extent.height ? extent.height : 1);
  copy.dstArray = array;
  copy.extent = {kWidth, extent.height ? extent.height : 1, extent.depth ? extent.depth : 1};
  copy.kind = cudaMemcpyHostToDevice;
  CHECK_CUDA(cudaMemcpy3D(&copy));
  return array;
}

void check_mode(const Mode &m, cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc desc = {};
  for (auto &mode : desc.addressMode) mode = m.address;
  desc.filterMode = m.linear ? cudaFilterModeLinear : cudaFilterModePoint;
  desc.normalizedCoords = m.normalised;
  desc.borderColor[0] = kBorder;
  cudaTextureObject_t texture = 0;
  CHECK_CUDA(cudaCreateTextureObject(&texture, &resource, &desc, nullptr));
  std::vector<Point> at = points(m.normalised);
  Point *in;
  float *out;
  cudaMallocManaged(&in, at.size() * sizeof(Point));
  cudaMallocManaged(&out, at.size() * sizeof(float));
  memcpy(in, at.data(), at.size() * sizeof(Point));
  sample<<<(at.size() + 63) / 64, 64>>>(texture, m.dimensions, in, static_cast<int>(at.size()), out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (size_t i = 0; i < at.size(); ++i) {
    double want = expected(m, at[i]);
    if (!(std::fabs(out[i] - want) <= 1e-5 * (1 + std::fabs(want))))
      printf("%dD mode %d linear %d normalised %d at %g %g %g\n", m.dimensions, m.address, m.linear, m.normalised,
             at[i].x, at[i].y, at[i].z);
    CHECK_NEAR(out[i], want, 1e-5 * (1 + std::fabs(want)));
  }
  CHECK_CUDA(cudaDestroyTextureObject(texture));
  cudaFree(in);
  cudaFree(out);
}

int main() {
  for (int dimensions = 1; dimensions <= 3; ++dimensions) {
    cudaArray_t array = make_array(dimensions);
    for (int address = 0; address < 4; ++address)
      for (int linear = 0; linear < 2; ++linear)
        for (int normalised = 0; normalised < 2; ++normalised)
          check_mode({dimensions, static_cast<cudaTextureAddressMode>(address), linear != 0, normalised != 0}, array);
    CHECK_CUDA(cudaFreeArray(array));
  }
  return check_report();
}
