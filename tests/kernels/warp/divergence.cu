// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warp functions with masks from different branches, after early exits, in loops of different length; the active mask.
// RUN: %mcc %s -o %t && %run %t
// covers: C-5.4.6.1-01 C-5.4.6.6-01 C-5.4.4.2-01 M-3.2.4-01
#include "check.h"

__global__ void branches(unsigned *out) {
  unsigned lane = threadIdx.x % 32;
  // Both sides of the branch meet in one ballot: the mask counts, not the place.
  unsigned seen;
  if (lane < 16) {
    seen = __ballot_sync(0xffffffff, lane % 2 == 0);
  } else {
    seen = __ballot_sync(0xffffffff, lane % 4 == 0);
  }
  out[threadIdx.x] = seen;
}

__global__ void disjoint(int *out) {
  int lane = threadIdx.x % 32;
  int v = lane;
  if (lane < 8) {
    for (int d = 4; d > 0; d /= 2) v += __shfl_down_sync(0x000000ff, v, d, 8);
  } else if (lane < 16) {
    v = __reduce_min_sync(0x0000ff00, v);
  } else {
    for (int d = 8; d > 0; d /= 2) v = max(v, __shfl_xor_sync(0xffff0000, v, d));
  }
  out[threadIdx.x] = v;
}

__global__ void early_exit(int *out) {
  int lane = threadIdx.x % 32;
  out[threadIdx.x] = -1;
  if (lane >= 20) return;
  unsigned active = __ballot_sync(0x000fffff, 1);
  out[threadIdx.x] = __popc(active);
}

__global__ void loops(int *out) {
  int lane = threadIdx.x % 32;
  int rounds = 0;
  unsigned left = 0xffffffff;
  // Each lane leaves after lane + 1 rounds; the mask shrinks by the ballot.
  for (int i = 0; left != 0; ++i) {
    bool stay = i <= lane;
    left = __ballot_sync(left, stay);
    if (!stay) break;
    ++rounds;
  }
  out[threadIdx.x] = rounds;
}

__global__ void memory_order(int *out) {
  __shared__ int cells[64];
  int lane = threadIdx.x % 32, base = threadIdx.x - lane;
  for (int round = 0; round < 20; ++round) {
    cells[threadIdx.x] = round * 100 + lane;
    __syncwarp();
    int neighbour = cells[base + (lane + 1) % 32];
    __syncwarp();
    if (neighbour != round * 100 + (lane + 1) % 32) out[threadIdx.x] += 1;
  }
}

__global__ void active(unsigned *out) {
  unsigned lane = threadIdx.x % 32;
  out[threadIdx.x] = 0;
  if (lane % 2 == 1) {
    out[threadIdx.x] = __activemask();
  }
}

int main() {
  int *out;
  CHECK_CUDA(cudaMallocManaged(&out, 64 * sizeof(int)));
  auto *bits = reinterpret_cast<unsigned *>(out);

  branches<<<1, 64>>>(bits);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 64; ++i) CHECK_EQ(bits[i], 0x11115555u);

  disjoint<<<1, 64>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 64; i += 32) {
    CHECK_EQ(out[i], 28);       // 0 + 1 + ... + 7
    CHECK_EQ(out[i + 8], 8);    // the least of 8..15
    CHECK_EQ(out[i + 15], 8);
    CHECK_EQ(out[i + 16], 31);  // the greatest of 16..31
    CHECK_EQ(out[i + 31], 31);
  }

  early_exit<<<1, 64>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 64; ++i) CHECK_EQ(out[i], i % 32 < 20 ? 20 : -1);

  loops<<<1, 64>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 64; ++i) CHECK_EQ(out[i], i % 32 + 1);

  for (int i = 0; i < 64; ++i) out[i] = 0;
  memory_order<<<1, 64>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 64; ++i) CHECK_EQ(out[i], 0);

  active<<<1, 64>>>(bits);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 64; ++i) {
    if (i % 2 == 1) {
      CHECK(bits[i] >> (i % 32) & 1);         // oneself
      CHECK_EQ(bits[i] & 0x55555555u, 0u);    // nobody of the other branch
    }
  }
  return check_report();
}
