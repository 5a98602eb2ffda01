// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device language in a MUSA program: specifiers, built-in variables, math, atomics, warp functions, half types and
// cooperative groups are there under the same names, with the MUSA runtime around them.
// RUN: %mcc %s -o %t && %run %t
// covers: M-3.2.4-01 M-3.2.4-02
#include <cooperative_groups.h>
#include <musa_bf16.h>
#include <musa_fp16.h>

#include "check.h"

namespace cg = cooperative_groups;

__constant__ float factors[4];
__device__ int total;

__global__ void __launch_bounds__(128) run(float *out, int *votes) {
  __shared__ float cells[128];
  int i = threadIdx.x;
  cells[i] = sqrtf(static_cast<float>(i)) * factors[i % 4];
  __syncthreads();
  out[i] = cells[127 - i] + __shfl_xor_sync(0xffffffff, cells[i], 1);
  atomicAdd(&total, __popc(i));
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  votes[i] = tile.ballot(i % 3 == 0);
  __half h = __float2half(0.5f);
  mt_bfloat16 b = __float2bfloat16(2.0f);
  out[i] += __half2float(h * h) + __bfloat162float(b * b);
#if !defined(__MUSA_ARCH__)
  out[i] = -1;  // device code of a MUSA program is compiled for a MUSA architecture
#endif
}

int main() {
  float *out;
  int *votes;
  CHECK_MUSA(musaMallocManaged(&out, 128 * sizeof(float)));
  CHECK_MUSA(musaMallocManaged(&votes, 128 * sizeof(int)));
  const float values[4] = {1, 2, 4, 8};
  CHECK_MUSA(musaMemcpyToSymbol(factors, values, sizeof values));
  run<<<1, 128>>>(out, votes);
  CHECK_MUSA(musaGetLastError());
  CHECK_MUSA(musaDeviceSynchronize());
  int bits = 0, sum = 0;
  for (int i = 0; i < 128; ++i) {
    auto cell = [&](int k) { return sqrtf(static_cast<float>(k)) * values[k % 4]; };
    CHECK_EQ(out[i], cell(127 - i) + cell(i ^ 1) + 4.25f);
    unsigned ballot = 0;
    for (int k = 0; k < 16; ++k) ballot |= ((i / 16 * 16 + k) % 3 == 0 ? 1u : 0u) << k;
    CHECK_EQ(votes[i], static_cast<int>(ballot));
    bits += __builtin_popcount(i);
  }
  CHECK_MUSA(musaMemcpyFromSymbol(&sum, total, sizeof sum));
  CHECK_EQ(sum, bits);
  return check_report();
}
