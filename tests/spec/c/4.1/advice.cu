// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Advice and prefetches with locations: every kind of advice, in stream order, without a change of contents.
// RUN: %mcc -std=c++20 %s -o %t && %run %t
// covers: C-4.1.1.2.2-01 C-4.1.4.1-01 C-4.1.4.2-01
#include <cuda_runtime.h>
#include <stdlib.h>

#include "check.h"

__global__ void twice(int *data, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    data[i] *= 2;
  }
}

int main() {
  const int n = 1 << 18;
  const size_t bytes = n * sizeof(int);
  int *data = nullptr;
  REQUIRE_CUDA(cudaMallocManaged(&data, bytes));
  for (int i = 0; i < n; i++) {
    data[i] = i;
  }
  const cudaMemLocation device = {.type = cudaMemLocationTypeDevice, .id = 0};
  const cudaMemLocation host = {.type = cudaMemLocationTypeHost, .id = 0};
  for (cudaMemoryAdvise advice :
       {cudaMemAdviseSetReadMostly, cudaMemAdviseUnsetReadMostly, cudaMemAdviseSetPreferredLocation,
        cudaMemAdviseUnsetPreferredLocation, cudaMemAdviseSetAccessedBy, cudaMemAdviseUnsetAccessedBy}) {
    CHECK_CUDA(cudaMemAdvise(data, bytes, advice, device));
    CHECK_CUDA(cudaMemAdvise(data, bytes, advice, host));
  }
  int read_mostly = -1;
  CHECK_CUDA(cudaMemAdvise(data, bytes, cudaMemAdviseSetReadMostly, device));
  CHECK_CUDA(cudaMemRangeGetAttribute(&read_mostly, sizeof(int), cudaMemRangeAttributeReadMostly, data, bytes));
  CHECK_EQ(read_mostly, 1);
  CHECK_CUDA(cudaMemAdvise(data, bytes, cudaMemAdviseUnsetReadMostly, device));
  CHECK_CUDA(cudaMemRangeGetAttribute(&read_mostly, sizeof(int), cudaMemRangeAttributeReadMostly, data, bytes));
  CHECK_EQ(read_mostly, 0);
  CHECK_ERROR(cudaMemAdvise(data, bytes, (cudaMemoryAdvise)99, device), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemAdvise(nullptr, bytes, cudaMemAdviseSetReadMostly, device), cudaErrorInvalidValue);
  const cudaMemLocation nowhere = {.type = cudaMemLocationTypeDevice, .id = 99};
  CHECK_OWN_ERROR(cudaMemAdvise(data, bytes, cudaMemAdviseSetPreferredLocation, nowhere), cudaErrorInvalidValue);

  cudaStream_t stream = nullptr;
  REQUIRE_CUDA(cudaStreamCreate(&stream));
  CHECK_CUDA(cudaMemPrefetchAsync(data, bytes, device, 0, stream));
  twice<<<16, 128, 0, stream>>>(data, n);
  CHECK_CUDA(cudaMemPrefetchAsync(data, bytes, host, 0, stream));
  CHECK_CUDA(cudaMemPrefetchAsync(data, bytes, host, 0));  // the default stream
  CHECK_CUDA(cudaStreamSynchronize(stream));
  for (int i = 0; i < n; i += 1009) {
    CHECK_EQ(data[i], 2 * i);
  }
  int *plain = (int *)malloc(bytes);
  int pageable = 0;
  CHECK_CUDA(cudaDeviceGetAttribute(&pageable, cudaDevAttrPageableMemoryAccess, 0));
  if (pageable) {
    CHECK_CUDA(cudaMemAdvise(plain, bytes, cudaMemAdviseSetAccessedBy, {.type = cudaMemLocationTypeHost}));
    CHECK_CUDA(cudaMemPrefetchAsync(plain, bytes, device, 0, stream));
  }
  CHECK_ERROR(cudaMemPrefetchAsync(data, bytes, device, 7, stream), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemPrefetchAsync(data, bytes, nowhere, 0, stream), cudaErrorInvalidDevice);
  CHECK_CUDA(cudaStreamSynchronize(stream));
  free(plain);
  CHECK_CUDA(cudaStreamDestroy(stream));
  CHECK_CUDA(cudaFree(data));
  return check_report();
}
