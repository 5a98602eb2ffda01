// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two devices reach each other's memory: peer copies, peer access from kernels, ordering by the default stream.
// RUN: %mcc %s -o %t && env HELICON_CPU_DEVICES=2 HELICON_DRIVERS=cpu %run %t
// covers: M-3.2.9-05 M-3.2.9-06
#include "check.h"

__global__ void fill(int *values, int start) { values[threadIdx.x] = start + threadIdx.x; }
__global__ void add_from(int *values, const int *other) { values[threadIdx.x] += other[threadIdx.x]; }

int main() {
  const size_t bytes = 256 * sizeof(int);
  int *memory[2];
  int host[256] = {};
  CHECK_MUSA(musaSetDevice(0));
  CHECK_MUSA(musaMalloc(&memory[0], bytes));
  fill<<<1, 256>>>(memory[0], 1000);
  CHECK_MUSA(musaSetDevice(1));
  CHECK_MUSA(musaMalloc(&memory[1], bytes));
  CHECK_MUSA(musaMemcpyPeer(memory[1], 1, memory[0], 0, bytes));
  CHECK_MUSA(musaMemcpy(host, memory[1], bytes, musaMemcpyDeviceToHost));
  CHECK_EQ(host[255], 1255);

  int can = 0;
  CHECK_MUSA(musaDeviceCanAccessPeer(&can, 1, 0));
  CHECK_EQ(can, 1);
  CHECK_MUSA(musaDeviceCanAccessPeer(&can, 1, 1));
  CHECK_EQ(can, 0);
  CHECK_MUSA(musaDeviceEnablePeerAccess(0, 0));
  CHECK_ERROR(musaDeviceEnablePeerAccess(0, 0), musaErrorPeerAccessAlreadyEnabled);
  musaGetLastError();
  add_from<<<1, 256>>>(memory[1], memory[0]);
  CHECK_MUSA(musaDeviceSynchronize());
  musaStream_t stream;
  CHECK_MUSA(musaStreamCreate(&stream));
  CHECK_MUSA(musaMemcpyPeerAsync(memory[0], 0, memory[1], 1, bytes, stream));
  CHECK_MUSA(musaStreamSynchronize(stream));
  CHECK_MUSA(musaSetDevice(0));
  CHECK_MUSA(musaMemcpy(host, memory[0], bytes, musaMemcpyDeviceToHost));
  for (int i = 0; i < 256; ++i) {
    CHECK_EQ(host[i], 2 * (1000 + i));
  }
  CHECK_MUSA(musaSetDevice(1));
  CHECK_MUSA(musaDeviceDisablePeerAccess(0));
  CHECK_ERROR(musaDeviceDisablePeerAccess(0), musaErrorPeerAccessNotEnabled);
  CHECK_MUSA(musaStreamDestroy(stream));
  CHECK_MUSA(musaFree(memory[0]));
  CHECK_MUSA(musaFree(memory[1]));
  return check_report();
}
