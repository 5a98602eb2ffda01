// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reciprocal roots of sums of squares, with and without a positive constant: zero, infinity, overflow, NaN and tiny
// values, among ordinary ones in the same warp.
// RUN: %mcc %s -o %t && %run %t
// covers: C-5.5.7-01
#include "check.h"

#include <cmath>
#include <limits>

__global__ void roots(const float *in, float *softened, float *plain) {
  float x = in[threadIdx.x];
  softened[threadIdx.x] = rsqrtf(x * x + 0.01f);
  plain[threadIdx.x] = rsqrtf(x * x);
}

bool agrees(float found, double exact) {
  if (std::isnan(exact)) {
    return std::isnan(found);
  }
  return std::isinf(exact) ? found == exact : std::fabs(found - exact) <= 1.5e-7 * exact;
}

int main() {
  const float infinity = std::numeric_limits<float>::infinity();
  float host[64] = {0, -0.0f, infinity, -infinity, NAN, -NAN, 1e19f, -1.9e19f, 3e38f, 1e-30f, 1e-38f, 1.8446743e19f, 0.1f, 7};
  for (int i = 14; i < 64; i++) {
    host[i] = 0.37f * i * (i % 2 ? 1 : -1);
  }
  float *in, *softened, *plain;
  CHECK_CUDA(cudaMallocManaged(&in, sizeof host));
  CHECK_CUDA(cudaMallocManaged(&softened, sizeof host));
  CHECK_CUDA(cudaMallocManaged(&plain, sizeof host));
  CHECK_CUDA(cudaMemcpy(in, host, sizeof host, cudaMemcpyDefault));
  roots<<<1, 64>>>(in, softened, plain);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 64; i++) {
    // A square that is no float any more is infinity; the constant makes one operation with the square: fma.
    const float square = host[i] * host[i], sum = std::fma(host[i], host[i], 0.01f);
    CHECK(agrees(softened[i], 1 / std::sqrt(static_cast<double>(sum))));
    CHECK(agrees(plain[i], 1 / std::sqrt(static_cast<double>(square))));
  }
  return check_report();
}
