// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The launch calls beside <<<>>>: an argument array, a configuration struct, typed arguments.
// RUN: %mcc %s -o %t && %run %t
// covers: C-3.1.1-01 C-1.2.2.1-02
#include "check.h"

struct Pair {
  char small;
  double large;
};

__global__ void combine(int *out, short s, Pair pair, float4 vector, const int *in) {
  extern __shared__ int room[];
  room[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] =
      room[blockDim.x - 1 - threadIdx.x] + s + pair.small + (int)pair.large + (int)(vector.x + vector.w);
}

static void expect(int *out, int blocks) {
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < blocks * 32; ++i) {
    CHECK_EQ(out[i], 31 - i % 32 + 1000 + 7 + 500 + 30);
    out[i] = 0;
  }
}

int main() {
  int *out = nullptr, *in = nullptr;
  CHECK_CUDA(cudaMallocManaged(&out, 128 * sizeof(int)));
  CHECK_CUDA(cudaMallocManaged(&in, 32 * sizeof(int)));
  for (int i = 0; i < 32; ++i) {
    in[i] = i;
  }
  short s = 1000;
  Pair pair{7, 500.5};
  float4 vector = make_float4(10, 0, 0, 20);
  size_t shared = 32 * sizeof(int);
  combine<<<4, 32, shared>>>(out, s, pair, vector, in);
  expect(out, 4);

  void *arguments[] = {&out, &s, &pair, &vector, &in};
  CHECK_CUDA(cudaLaunchKernel((const void *)combine, dim3(4), dim3(32), arguments, shared, 0));
  expect(out, 4);
  CHECK_CUDA(cudaLaunchKernel(combine, 2, 32, arguments, shared, cudaStreamPerThread));
  expect(out, 2);

  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  cudaLaunchConfig_t config{};
  config.gridDim = 3;
  config.blockDim = 32;
  config.dynamicSmemBytes = shared;
  config.stream = stream;
  CHECK_CUDA(cudaLaunchKernelEx(&config, combine, out, s, pair, vector, (const int *)in));
  expect(out, 3);
  CHECK_CUDA(cudaLaunchKernelExC(&config, (const void *)combine, arguments));
  expect(out, 3);

  config.blockDim = 2000;
  CHECK_ERROR(cudaLaunchKernelExC(&config, (const void *)combine, arguments), cudaErrorInvalidValue);
  CHECK(cudaLaunchKernel((const void *)main, dim3(1), dim3(1), arguments, 0, 0) != cudaSuccess);
  CHECK_ERROR(cudaLaunchKernel(nullptr, dim3(1), dim3(1), arguments, 0, 0), cudaErrorInvalidDeviceFunction);
  CHECK_CUDA(cudaStreamDestroy(stream));
  return check_report();
}
