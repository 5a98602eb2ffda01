// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointers of libcu++ with a wish how long their memory stays in the cache, and pipelines of one thread.
// REQUIRES: cccl
// RUN: %mcc -std=c++17 %s -o %t && %run %t
// covers: M-3.2.3-03
#include <cuda/annotated_ptr>
#include <cuda/pipeline>

#include "check.h"

__global__ void annotated(int *data, int *out) {
  int i = threadIdx.x;
  cuda::apply_access_property(data, 128, cuda::access_property::persisting{});
  cuda::annotated_ptr<int, cuda::access_property::persisting> stays{data};
  cuda::annotated_ptr<int, cuda::access_property> passes{data, cuda::access_property(cuda::access_property::streaming{})};
  int *normal = cuda::associate_access_property(data, cuda::access_property::normal{});
  out[i] = stays[i] + 10 * passes[i] + 100 * normal[i];
  stays[i] = -i;
}

__global__ void piped(const int *in, int *out, int n) {
  __shared__ int box[2][32];
  int i = threadIdx.x, sum = 0;
  auto pipe = cuda::make_pipeline();
  for (int k = 0; k <= n; ++k) {
    if (k < n) {
      pipe.producer_acquire();
      cuda::memcpy_async(&box[k % 2][i], in + 32 * k + i, sizeof(int), pipe);
      pipe.producer_commit();
    }
    if (k > 0) {
      cuda::pipeline_consumer_wait_prior<1>(pipe);
      if (k == n) cuda::pipeline_consumer_wait_prior<0>(pipe);
      sum += k * box[(k - 1) % 2][i];
      pipe.consumer_release();
    }
  }
  out[i] = sum;
}

int main() {
  int *data, *out;
  CHECK_CUDA(cudaMallocManaged(&data, 4096));
  CHECK_CUDA(cudaMallocManaged(&out, 4096));
  for (int i = 0; i < 1024; ++i) data[i] = i + 1;
  piped<<<1, 32>>>(data, out, 7);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i) {
    int sum = 0;
    for (int k = 1; k <= 7; ++k) sum += k * (32 * (k - 1) + i + 1);
    CHECK_EQ(out[i], sum);
  }
  annotated<<<1, 32>>>(data, out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i) {
    CHECK_EQ(out[i], 111 * (i + 1));
    CHECK_EQ(data[i], -i);
  }
  return check_report();
}
