// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables by name: constant memory, a device scalar, a device pointer; their addresses and sizes.
// RUN: %mcc %s -o %t && %run %t
// covers: M-3.2.2-04 M-3.2.2-05
#include "check.h"

__constant__ float table[256];
__device__ float factor;
__device__ float *where;

__global__ void apply() { where[threadIdx.x] = factor * table[threadIdx.x]; }

int main() {
  float host[256], back[256] = {};
  for (int i = 0; i < 256; ++i) {
    host[i] = i + 0.5f;
  }
  CHECK_MUSA(musaMemcpyToSymbol(table, host, sizeof host));
  CHECK_MUSA(musaMemcpyFromSymbol(back, table, sizeof back));
  CHECK_EQ(back[255], 255.5f);
  float half[128] = {};
  CHECK_MUSA(musaMemcpyFromSymbol(half, table, sizeof half, 128 * sizeof(float)));
  CHECK_EQ(half[0], 128.5f);

  float value = 3.0f;
  CHECK_MUSA(musaMemcpyToSymbol(factor, &value, sizeof value));
  float *memory = nullptr;
  CHECK_MUSA(musaMalloc(&memory, sizeof host));
  CHECK_MUSA(musaMemcpyToSymbol(where, &memory, sizeof memory));
  apply<<<1, 256>>>();
  CHECK_MUSA(musaMemcpy(back, memory, sizeof back, musaMemcpyDeviceToHost));
  for (int i = 0; i < 256; ++i) {
    CHECK_EQ(back[i], 3.0f * (i + 0.5f));
  }

  void *address = nullptr;
  size_t size = 0;
  CHECK_MUSA(musaGetSymbolAddress(&address, factor));
  CHECK_MUSA(musaGetSymbolSize(&size, table));
  CHECK_EQ(size, sizeof host);
  value = 0.0f;
  CHECK_MUSA(musaMemcpy(&value, address, sizeof value, musaMemcpyDeviceToHost));
  CHECK_EQ(value, 3.0f);
  CHECK_MUSA(musaFree(memory));
  return check_report();
}
