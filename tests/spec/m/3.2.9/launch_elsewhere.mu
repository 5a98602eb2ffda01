// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch into a stream of another device than the current one runs on the stream's device.
// RUN: %mcc -std=c++17 %s -o %t && env HELICON_CPU_DEVICES=2 HELICON_DRIVERS=cpu %run %t
// covers: M-3.2.9-03
#include <musa_runtime.h>

#include "check.h"

__device__ int mark;
__global__ void set(int value) { mark = value; }

static int marked_on(int device) {
  int value = -1;
  CHECK_MUSA(musaSetDevice(device));
  CHECK_MUSA(musaDeviceSynchronize());
  CHECK_MUSA(musaMemcpyFromSymbol(&value, mark, sizeof value));
  return value;
}

int main() {
  musaStream_t stream = nullptr;
  CHECK_MUSA(musaSetDevice(1));
  CHECK_MUSA(musaStreamCreate(&stream));
  CHECK_MUSA(musaSetDevice(0));
  set<<<1, 1>>>(5);
  set<<<1, 1, 0, stream>>>(7);
  CHECK_MUSA(musaGetLastError());
  int device = -1;
  CHECK_MUSA(musaGetDevice(&device));
  CHECK_EQ(device, 0);
  CHECK_EQ(marked_on(1), 7);
  CHECK_EQ(marked_on(0), 5);
  int value = 9;
  void *arguments[] = {&value};
  CHECK_MUSA(musaLaunchKernel((const void *)set, dim3(1), dim3(1), arguments, 0, stream));
  musaLaunchConfig_t config = {};
  config.gridDim = config.blockDim = 1;
  config.stream = stream;
  CHECK_MUSA(musaStreamSynchronize(stream));
  CHECK_EQ(marked_on(1), 9);
  CHECK_MUSA(musaSetDevice(0));
  CHECK_MUSA(musaLaunchKernelEx(&config, set, 11));
  CHECK_EQ(marked_on(1), 11);
  CHECK_EQ(marked_on(0), 5);

  // A stream that is gone is an error as ever.
  CHECK_MUSA(musaStreamDestroy(stream));
  set<<<1, 1, 0, stream>>>(1);
  CHECK_ERROR(musaGetLastError(), musaErrorInvalidResourceHandle);
  return check_report();
}
