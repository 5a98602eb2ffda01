// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matches of a value that all lanes share: the mask that comes out names lanes in further warp functions. The compiler took it for
// another in each lane and for one at the same time, and crashed.
// RUN: %mcc %s -o %t && %run %t
// covers: C-5.4.6.3-01
#include "check.h"

__global__ void match(unsigned *out, int n) {
  const unsigned all = __match_any_sync(0xffffffffu, n);
  const unsigned sum = __reduce_add_sync(all, threadIdx.x);
  unsigned some = 0;
  if (threadIdx.x % 3 == 0) {
    some = __match_any_sync(0x49249249u, 7ull);
    some += __ballot_sync(some, threadIdx.x > 9);
  }
  out[threadIdx.x] = sum + some;
}

int main() {
  unsigned *out, host[32];
  CHECK_CUDA(cudaMalloc(&out, sizeof host));
  match<<<1, 32>>>(out, 5);
  CHECK_CUDA(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  const unsigned thirds = 0x49249249u;
  for (unsigned i = 0; i < 32; i++) {
    CHECK_EQ(host[i], 31 * 32 / 2 + (i % 3 == 0 ? thirds + (thirds & ~0x3ffu) : 0));
  }
  return check_report();
}
