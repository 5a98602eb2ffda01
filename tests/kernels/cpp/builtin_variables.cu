// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// threadIdx, blockIdx, blockDim, gridDim, warpSize in every position: members, copies, arguments, templates, lambdas.
// RUN: %mcc %s -o %t && %run %t
// covers: C-5.4.2.2-01 B-4-01
#include "check.h"

__device__ unsigned from_uint3(uint3 v) { return v.x + 10 * v.y + 100 * v.z; }
__device__ unsigned from_dim3(const dim3 &v) { return v.x + 10 * v.y + 100 * v.z; }
template <typename T> __device__ unsigned from_any(const T &v) { return v.x + 10 * v.y + 100 * v.z; }

__device__ unsigned linear() {
  return ((blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x) * (blockDim.x * blockDim.y * blockDim.z) +
         (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

__host__ __device__ int side() {
#if defined(__CUDA_ARCH__)
  return threadIdx.x < blockDim.x ? 2 : 0;
#else
  return 1;
#endif
}

__global__ void run(unsigned *out) {
  auto copy = threadIdx;
  uint3 place = blockIdx;
  dim3 extent = blockDim;
  dim3 braced{gridDim};
  uint3 later;
  later = threadIdx;
  int lanes[warpSize];
  lanes[threadIdx.x % warpSize] = 5;
  auto sum = [=] { return copy.x + threadIdx.y + place.z; };
  unsigned *row = out + linear() * 8;
  row[0] = from_uint3(threadIdx);
  row[1] = from_dim3(blockDim) * 1000 + from_dim3(threadIdx);
  row[2] = from_any(blockIdx);
  row[3] = from_any(gridDim) + from_any(extent) + from_any(braced);
  row[4] = sum();
  row[5] = later.x + lanes[threadIdx.x % warpSize];
  row[6] = side();
  row[7] = warpSize;
}

int main() {
  dim3 grid(3, 2, 2), block(5, 3, 2);
  unsigned *out;
  CHECK_CUDA(cudaMallocManaged(&out, 12 * 30 * 8 * sizeof(unsigned)));
  run<<<grid, block>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  unsigned *row = out;
  for (unsigned bz = 0; bz < 2; ++bz)
    for (unsigned by = 0; by < 2; ++by)
      for (unsigned bx = 0; bx < 3; ++bx)
        for (unsigned z = 0; z < 2; ++z)
          for (unsigned y = 0; y < 3; ++y)
            for (unsigned x = 0; x < 5; ++x, row += 8) {
              unsigned t = x + 10 * y + 100 * z;
              CHECK_EQ(row[0], t);
              CHECK_EQ(row[1], 235u * 1000 + t);
              CHECK_EQ(row[2], bx + 10 * by + 100 * bz);
              CHECK_EQ(row[3], 223u + 235u + 223u);
              CHECK_EQ(row[4], x + y + bz);
              CHECK_EQ(row[5], x + 5);
              CHECK_EQ(row[6], 2u);
              CHECK_EQ(row[7], 32u);
            }
  CHECK_EQ(side(), 1);
  return check_report();
}
