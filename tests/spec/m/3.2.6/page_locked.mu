// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Page-locked host memory: every way to get it, mapped into the device, registered from ordinary memory.
// RUN: %mcc %s -o %t && %run %t
// covers: M-3.2.6-01 M-3.2.6-02 M-3.2.6-03 M-3.2.6-04
#include <cstdlib>

#include <cstdint>

#include "check.h"

__global__ void increment(int *values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    values[i] += i;
  }
}

static void use(int *host, int n) {
  int *device = nullptr;
  CHECK_MUSA(musaHostGetDevicePointer((void **)&device, host, 0));
  for (int i = 0; i < n; ++i) {
    host[i] = 100;
  }
  increment<<<(n + 127) / 128, 128>>>(device, n);
  CHECK_MUSA(musaDeviceSynchronize());
  for (int i = 0; i < n; ++i) {
    CHECK_EQ(host[i], 100 + i);
  }
}

int main() {
  CHECK_MUSA(musaSetDeviceFlags(musaDeviceMapHost));
  musaDeviceProp properties{};
  CHECK_MUSA(musaGetDeviceProperties(&properties, 0));
  CHECK_EQ(properties.canMapHostMemory, 1);

  const int n = 1000;
  for (unsigned flags : {musaHostAllocDefault, musaHostAllocPortable, musaHostAllocMapped,
                         musaHostAllocMapped | musaHostAllocWriteCombined | musaHostAllocPortable}) {
    int *host = nullptr;
    CHECK_MUSA(musaHostAlloc((void **)&host, n * sizeof(int), flags));
    CHECK_EQ(reinterpret_cast<uintptr_t>(host) % 128, 0u);
    unsigned got = 0;
    CHECK_MUSA(musaHostGetFlags(&got, host));
    CHECK_EQ(got & flags, flags);
    use(host, n);
    CHECK_MUSA(musaFreeHost(host));
  }
  int *simple = nullptr;
  CHECK_MUSA(musaMallocHost(&simple, n * sizeof(int)));
  use(simple, n);
  CHECK_MUSA(musaFreeHost(simple));

  int *ordinary = static_cast<int *>(std::aligned_alloc(4096, 8192));
  CHECK_MUSA(musaHostRegister(ordinary, 8192, musaHostRegisterPortable | musaHostRegisterMapped));
  CHECK_ERROR(musaHostRegister(ordinary, 8192, 0), musaErrorHostMemoryAlreadyRegistered);
  use(ordinary, n);
  CHECK_MUSA(musaHostUnregister(ordinary));
  CHECK_ERROR(musaHostUnregister(ordinary), musaErrorHostMemoryNotRegistered);
  std::free(ordinary);

  int *nothing = nullptr;
  CHECK_ERROR(musaHostAlloc((void **)&nothing, 16, 0x4000), musaErrorInvalidValue);
  CHECK_ERROR(musaHostAlloc(nullptr, 16, 0), musaErrorInvalidValue);
  return check_report();
}
