// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the device says of unified memory is consistent, and holds.
// RUN: %mcc %s -o %t && %run %t
// covers: C-2.6.2-01 C-2.6.2-02 C-2.6.2-03 C-2.6-01 C-1.2.3-01
#include <cstdlib>

#include "check.h"

__managed__ int table[3] = {1, 2, 3};

__global__ void add(int *values, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    values[i] += table[i % 3];
  }
}

static int attribute(cudaDeviceAttr which) {
  int value = -1;
  CHECK_CUDA(cudaDeviceGetAttribute(&value, which, 0));
  return value;
}

static void use(int *values) {
  for (int i = 0; i < 100; ++i) {
    values[i] = i;
  }
  add<<<1, 32>>>(values, 100);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 100; ++i) {
    CHECK_EQ(values[i], i + table[i % 3]);
  }
}

int main() {
  CHECK_EQ(attribute(cudaDevAttrManagedMemory), 1);
  CHECK_EQ(attribute(cudaDevAttrUnifiedAddressing), 1);
  int pageable = attribute(cudaDevAttrPageableMemoryAccess);
  int concurrent = attribute(cudaDevAttrConcurrentManagedAccess);
  CHECK(!pageable || concurrent);
  int *managed = nullptr;
  CHECK_CUDA(cudaMallocManaged(&managed, 100 * sizeof(int)));
  use(managed);
  if (pageable) {
    int on_stack[100];
    static int in_data[100];
    int *ordinary = static_cast<int *>(std::malloc(100 * sizeof(int)));
    use(on_stack);
    use(in_data);
    use(ordinary);
    std::free(ordinary);
  }
  // The default direction works for any pair of pointers.
  int host[100] = {};
  CHECK_CUDA(cudaMemcpy(host, managed, sizeof host, cudaMemcpyDefault));
  CHECK_EQ(host[99], 99 + 1);
  int *device = nullptr;
  CHECK_CUDA(cudaMalloc(&device, sizeof host));
  CHECK_CUDA(cudaMemcpy(device, host, sizeof host, cudaMemcpyDefault));
  CHECK_CUDA(cudaMemcpy(managed, device, sizeof host, cudaMemcpyDefault));
  CHECK_EQ(managed[50], 50 + 3);
  CHECK_CUDA(cudaFree(device));
  CHECK_CUDA(cudaFree(managed));
  return check_report();
}
