// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes that leave a loop in different iterations took their last values with them: each saw the value that the last
// lane to leave had. RUN: %mcc %s -o %t && %run %t
#include "check.h"

constexpr int kLanes = 64;

__global__ void find_first(const int *in, int *index, int *mark) {
  int i = threadIdx.x;
  while (in[i] > 0) {
    i += kLanes;
  }
  index[threadIdx.x] = i;
  mark[i] = threadIdx.x;
}

__global__ void leave_inside(const int *in, const int *limit, int *index) {
  int i = threadIdx.x;
  for (int round = 0; round < 100; round++, i += kLanes) {
    if (limit[threadIdx.x] > 50 && in[i] == 0) {
      break;
    }
    if (round == limit[threadIdx.x]) {
      break;
    }
  }
  index[threadIdx.x] = i;
}

int rounds(int lane) { return lane * 7 % 5; }

int main() {
  constexpr int kSize = kLanes * 128;
  int *in, *index, *mark, *limit;
  CHECK_CUDA(cudaMallocManaged(&in, kSize * sizeof(int)));
  CHECK_CUDA(cudaMallocManaged(&mark, kSize * sizeof(int)));
  CHECK_CUDA(cudaMallocManaged(&index, kLanes * sizeof(int)));
  CHECK_CUDA(cudaMallocManaged(&limit, kLanes * sizeof(int)));
  for (int i = 0; i < kSize; i++) {
    in[i] = i / kLanes < rounds(i % kLanes);
    mark[i] = -1;
  }
  find_first<<<1, kLanes>>>(in, index, mark);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int lane = 0; lane < kLanes; lane++) {
    int expected = lane + kLanes * rounds(lane);
    CHECK_EQ(index[lane], expected);
    CHECK_EQ(mark[expected], lane);
    limit[lane] = lane % 3 == 0 ? 60 : lane % 11;
  }
  leave_inside<<<1, kLanes>>>(in, limit, index);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int lane = 0; lane < kLanes; lane++) {
    CHECK_EQ(index[lane], lane + kLanes * (lane % 3 == 0 ? rounds(lane) : lane % 11));
  }
  return check_report();
}
