// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches that write more than the caches hold: tails, starts that are not aligned, arrays that overlap, a block that
// reads back what it has just written, and a second kernel that reads all.
// RUN: %mcc %s -o %t && %run %t
#include "check.h"

constexpr int kCount = 1 << 22;

struct alignas(16) Four {
  float a, b, c, d;
};

__global__ void scale(int n, const double *in, double *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = 2 * in[i];
  }
}

__global__ void strided(int n, const double *in, double *out) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    out[i] = in[i] + 1;
  }
}

__global__ void records(int n, const Four *in, Four *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    Four v = in[i];
    out[i] = {v.d, v.c, v.b, v.a};
  }
}

// The second array is the first one: the block sees what its threads have written before the barrier.
__global__ void reads_back(double *out, const double *same, double *sums) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = i;
  __syncthreads();
  sums[i] = same[i ^ 1] + same[i ^ 128];
}

__global__ void differences(int n, const double *a, const double *b, double by, double plus, int *wrong) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && b[i] != by * a[i] + plus) {
    atomicAdd(wrong, 1);
  }
}

int main() {
  double *in, *out;
  int *wrong;
  CHECK_CUDA(cudaMalloc(&in, (kCount + 64) * sizeof(double) * 2));
  CHECK_CUDA(cudaMalloc(&out, (kCount + 64) * sizeof(double) * 2));
  CHECK_CUDA(cudaMallocManaged(&wrong, sizeof(int)));
  constexpr int kBlocks = kCount / 256 + 1;
  strided<<<64, 256>>>(kCount + 64, out, in);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int shift : {0, 3}) {
    int n = kCount - 5;
    for (int kind = 0; kind < 2; kind++) {
      double *to = out + shift;
      CHECK_CUDA(cudaMemset(out, 0xff, (kCount + 64) * sizeof(double)));
      if (kind == 0) {
        scale<<<kBlocks, 256>>>(n, in, to);
      } else {
        strided<<<97, 256>>>(n, in, to);
      }
      *wrong = 0;
      differences<<<kBlocks, 256>>>(n, in, to, kind == 0 ? 2 : 1, kind == 0 ? 0 : 1, wrong);
      CHECK_CUDA(cudaDeviceSynchronize());
      CHECK_EQ(*wrong, 0);
      unsigned long long edge[2];
      CHECK_CUDA(cudaMemcpy(&edge[0], to + n, sizeof(double), cudaMemcpyDeviceToHost));
      CHECK_CUDA(cudaMemcpy(&edge[1], shift == 0 ? to + n + 1 : to - 1, sizeof(double), cudaMemcpyDeviceToHost));
      CHECK(edge[0] == ~0ull && edge[1] == ~0ull);
    }
  }
  // Each lane has read what it overwrites.
  scale<<<kBlocks, 256>>>(kCount, in, in);
  double last;
  CHECK_CUDA(cudaMemcpy(&last, in + kCount - 1, sizeof(double), cudaMemcpyDeviceToHost));
  CHECK_EQ(last, 2.0);
  auto *fours = reinterpret_cast<Four *>(in), *turned = reinterpret_cast<Four *>(out);
  Four first{1, 2, 3, 4}, got;
  CHECK_CUDA(cudaMemcpy(fours + 12345, &first, sizeof(Four), cudaMemcpyHostToDevice));
  records<<<kBlocks, 256>>>(kCount - 7, fours, turned);
  CHECK_CUDA(cudaMemcpy(&got, turned + 12345, sizeof(Four), cudaMemcpyDeviceToHost));
  CHECK(got.a == 4 && got.b == 3 && got.c == 2 && got.d == 1);
  reads_back<<<kCount / 256, 256>>>(in, in, out);
  double sum;
  for (int i : {0, 1, 127, 128, 255, kCount - 1, kCount - 200}) {
    CHECK_CUDA(cudaMemcpy(&sum, out + i, sizeof(double), cudaMemcpyDeviceToHost));
    CHECK_EQ(sum, static_cast<double>((i ^ 1) + (i ^ 128)));
  }
  return check_report();
}
