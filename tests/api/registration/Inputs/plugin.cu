// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plugin: its own kernel and variable, and an instance of the template that the program has too.
#include "shared.h"

__device__ int offset = 1000;
__managed__ int calls = 0;
__global__ void fill(int *out) { out[threadIdx.x] = offset + static_cast<int>(threadIdx.x); }

extern "C" int plugin_run(int *device) {
  ++calls;
  fill<<<1, 32>>>(device);
  twice<int><<<1, 32>>>(device);
  return cudaGetLastError();
}
extern "C" int plugin_calls() { return calls; }
