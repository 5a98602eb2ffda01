// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers in two halves: what is written before barrier_arrive() is there after barrier_wait(), in every round, for a block, a grid and
// a cluster of one block; work of a thread's own stands between.
// RUN: %mcc -std=c++17 %s -o %t && %run %t
// covers: C-4.4.5-02
#include <cooperative_groups.h>

#include <utility>

#include "check.h"

namespace cg = cooperative_groups;

constexpr int kThreads = 96, kBlocks = 3, kRounds = 6;

template <typename Group> __device__ int rounds(Group group, int *box, int rank, int size, int *own) {
  int sum = 0;
  for (int round = 0; round < kRounds; ++round) {
    box[rank] = rank * (round + 1);
    auto token = group.barrier_arrive();
    for (int i = 0; i < 4; ++i) *own += rank ^ i;
    group.barrier_wait(std::move(token));
    sum += box[(rank + 40) % size];
    group.sync();
  }
  return sum;
}

__global__ void of_block(int *out, int *owns) {
  __shared__ int box[kThreads];
  int t = threadIdx.x, own = 0;
  out[t] = rounds(cg::this_thread_block(), box, t, kThreads, &own);
  owns[t] = own;
}

__global__ void of_cluster(int *out, int *owns) {
  __shared__ int box[kThreads];
  int t = threadIdx.x, own = 0;
  out[t] = rounds(cg::this_cluster(), box, t, kThreads, &own);
  owns[t] = own;
}

__global__ void of_grid(int *box, int *out, int *owns) {
  cg::grid_group grid = cg::this_grid();
  int i = grid.thread_rank(), own = 0;
  out[i] = rounds(grid, box, i, kThreads * kBlocks, &own);
  owns[i] = own;
}

void check_rounds(const int *out, const int *owns, int size) {
  for (int i = 0; i < size; ++i) {
    CHECK_EQ(out[i], (i + 40) % size * kRounds * (kRounds + 1) / 2);
    CHECK_EQ(owns[i], kRounds * (i + (i ^ 1) + (i ^ 2) + (i ^ 3)));
  }
}

int main() {
  int *box, *out, *owns;
  CHECK_CUDA(cudaMallocManaged(&box, 4096));
  CHECK_CUDA(cudaMallocManaged(&out, 4096));
  CHECK_CUDA(cudaMallocManaged(&owns, 4096));
  of_block<<<1, kThreads>>>(out, owns);
  CHECK_CUDA(cudaDeviceSynchronize());
  check_rounds(out, owns, kThreads);
  of_cluster<<<1, kThreads>>>(out, owns);
  CHECK_CUDA(cudaDeviceSynchronize());
  check_rounds(out, owns, kThreads);
  void *arguments[] = {&box, &out, &owns};
  CHECK_CUDA(cudaLaunchCooperativeKernel(of_grid, kBlocks, kThreads, arguments, 0, nullptr));
  CHECK_CUDA(cudaDeviceSynchronize());
  check_rounds(out, owns, kThreads * kBlocks);
  return check_report();
}
