// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host code with the host compiler's sanitizers: programs run as they do without them, on either engine, and are told
// what is wrong. A process ended when the library looked for an NVIDIA GPU.
// gpu: no (nothing of the device)
// RUN: %mcc -g -Xcompiler -fsanitize=address %s -o %t.address && env -u HELICON_DRIVERS %run %t.address
// RUN: not %run %t.address overrun 2>&1 | %FileCheck --check-prefix=ADDRESS %s
// ADDRESS: ERROR: AddressSanitizer: heap-buffer-overflow
// ADDRESS: sanitizers.cu:[[#@LINE+20]]
// RUN: %mcc -g -Xcompiler -fsanitize=undefined -Xcompiler -fno-sanitize-recover=undefined %s -o %t.undefined && %run %t.undefined
// RUN: not %run %t.undefined overrun 2>&1 | %FileCheck --check-prefix=UNDEFINED %s
// UNDEFINED: sanitizers.cu:[[#@LINE+17]]:{{.*}} runtime error: shift exponent 32 is too large
#include "check.h"

#include <vector>

__global__ void reverse(int *p) {
  __shared__ int tile[128];
  tile[threadIdx.x] = blockIdx.x * blockDim.x + threadIdx.x;
  __syncthreads();
  p[blockIdx.x * blockDim.x + threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

static int overrun(std::vector<int> &values, int count) {
  int *cells = new int[4];
  for (int i = 0; i < 4; i++) {
    cells[i] = values[i];
  }
  const int sum = cells[4 * (count - 1)] + (1 << 16 * count);  // for 2: beyond the array, and further than an int is wide
  delete[] cells;
  return sum;
}

int main(int count, char **) {
  int *p = nullptr;
  std::vector<int> values(512);
  CHECK_CUDA(cudaMalloc(&p, 512 * sizeof(int)));
  reverse<<<4, 128>>>(p);
  CHECK_CUDA(cudaMemcpy(values.data(), p, 512 * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 512; i++) {
    CHECK_EQ(values[i], i / 128 * 128 + 127 - i % 128);
  }
  CHECK_CUDA(cudaFree(p));
  CHECK(overrun(values, count) != 0);
  return check_report();
}
