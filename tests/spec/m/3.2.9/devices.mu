// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several devices: counting, choosing by thread, memory and variables of each, streams and events across them.
// RUN: %mcc %s -o %t && env HELICON_CPU_DEVICES=2 HELICON_DRIVERS=cpu %run %t
// covers: M-3.2.9-01 M-3.2.9-02 M-3.2.9-04
#include <thread>

#include "check.h"

__device__ int mark;

__global__ void add(int *values, int what) {
  values[threadIdx.x] += what;
  if (threadIdx.x == 0) {
    mark += what;
  }
}

static int marked() {
  int value = -1;
  CHECK_MUSA(musaMemcpyFromSymbol(&value, mark, sizeof value));
  return value;
}

int main() {
  int count = 0;
  CHECK_MUSA(musaGetDeviceCount(&count));
  CHECK_EQ(count, 2);
  for (int d = 0; d < count; ++d) {
    musaDeviceProp properties{};
    CHECK_MUSA(musaGetDeviceProperties(&properties, d));
    CHECK(properties.major >= 1 && properties.name[0] != 0);
  }
  int current = -1;
  CHECK_MUSA(musaGetDevice(&current));
  CHECK_EQ(current, 0);

  int *memory[2];
  musaStream_t stream[2];
  musaEvent_t event[2];
  int host[32] = {};
  for (int d = 0; d < 2; ++d) {
    CHECK_MUSA(musaSetDevice(d));
    CHECK_MUSA(musaMalloc(&memory[d], sizeof host));
    CHECK_MUSA(musaMemset(memory[d], 0, sizeof host));
    CHECK_MUSA(musaStreamCreate(&stream[d]));
    CHECK_MUSA(musaEventCreate(&event[d]));
    add<<<1, 32, 0, stream[d]>>>(memory[d], 10 * (d + 1));
    CHECK_MUSA(musaEventRecord(event[d], stream[d]));
  }
  std::thread([] {
    int device = -1;
    CHECK_MUSA(musaGetDevice(&device));
    CHECK_EQ(device, 0);
  }).join();

  // Device 1 is current. Its stream takes a copy; device 0's event cannot be recorded in it, but it can wait for it.
  CHECK_ERROR(musaEventRecord(event[0], stream[1]), musaErrorInvalidResourceHandle);
  CHECK_MUSA(musaStreamWaitEvent(stream[1], event[0], 0));
  CHECK_MUSA(musaEventSynchronize(event[0]));
  CHECK_MUSA(musaEventQuery(event[0]));
  CHECK_MUSA(musaMemcpyAsync(host, memory[0], sizeof host, musaMemcpyDefault, stream[0]));
  CHECK_MUSA(musaStreamSynchronize(stream[0]));
  CHECK_EQ(host[31], 10);
  CHECK_MUSA(musaDeviceSynchronize());
  float ms = 0;
  CHECK(musaEventElapsedTime(&ms, event[0], event[1]) != musaSuccess);
  musaGetLastError();

  CHECK_EQ(marked(), 20);
  CHECK_MUSA(musaSetDevice(0));
  CHECK_EQ(marked(), 10);
  CHECK_ERROR(musaSetDevice(2), musaErrorInvalidDevice);
  CHECK_ERROR(musaSetDevice(-1), musaErrorInvalidDevice);
  musaPointerAttributes attributes{};
  CHECK_MUSA(musaPointerGetAttributes(&attributes, memory[1]));
  CHECK_EQ(attributes.device, 1);
  for (int d = 0; d < 2; ++d) {
    CHECK_MUSA(musaFree(memory[d]));
    CHECK_MUSA(musaStreamDestroy(stream[d]));
    CHECK_MUSA(musaEventDestroy(event[d]));
  }
  return check_report();
}
