// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launch bounds and register limits: a launch of more threads than promised fails; what the attributes of the function say.
// RUN: %mcc -std=c++17 %s -o %t && %run %t
// RUN: %mcc -std=c++17 --maxrregcount 32 %s -o %t && %run %t
// covers: C-5.4.3.2-01 C-5.4.3.3-01
#include "check.h"

#include <cuda_runtime.h>

__global__ void __launch_bounds__(96) bounded(int *out) { out[threadIdx.x] = threadIdx.x; }
template <int kThreads> __global__ void __launch_bounds__(kThreads, 2) of_template(int *out) { out[threadIdx.x] = 2 * threadIdx.x; }
__launch_bounds__(64, 1, 1) __global__ void with_cluster(int *out) { out[threadIdx.x] = 3 * threadIdx.x; }
__global__ void __maxnreg__(32) few_registers(int *out) { out[threadIdx.x] = 4 * threadIdx.x; }
__global__ void unbounded(int *out) { out[threadIdx.x] = 5 * threadIdx.x; }

int main() {
  int *out;
  CHECK_CUDA(cudaMallocManaged(&out, 1024 * sizeof(int)));
  auto launch = [&](void (*kernel)(int *), int threads) {
    out[0] = -1;
    for (int i = 1; i < 1024; ++i) {
      out[i] = -1;
    }
    kernel<<<1, threads>>>(out);
    cudaError_t error = cudaGetLastError();
    CHECK_CUDA(cudaDeviceSynchronize());
    return error;
  };
  struct {
    void (*kernel)(int *);
    int most, factor;
  } cases[] = {{bounded, 96, 1}, {of_template<128>, 128, 2}, {with_cluster, 64, 3}, {few_registers, 1024, 4}, {unbounded, 1024, 5}};
  for (auto &one : cases) {
    cudaFuncAttributes attributes;
    CHECK_CUDA(cudaFuncGetAttributes(&attributes, one.kernel));
    CHECK_EQ(attributes.maxThreadsPerBlock, one.most);
    CHECK_CUDA(launch(one.kernel, one.most));
    for (int i = 0; i < one.most; ++i) {
      CHECK_EQ(out[i], one.factor * i);
    }
    if (one.most < 1024) {
      // No thread of a launch that is refused runs, and the next launch is not affected.
      cudaError_t error = launch(one.kernel, one.most + 1);
      CHECK(error == cudaErrorInvalidValue || error == cudaErrorInvalidConfiguration || error == cudaErrorLaunchOutOfResources);
      CHECK_EQ(out[0], -1);
      CHECK_CUDA(launch(one.kernel, 1));
    }
  }
  return check_report();
}
