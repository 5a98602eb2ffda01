// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Table of a comparison of two sequences in shared memory, filled diagonal by diagonal: each lane's place is a constant
// distance from its neighbour's, by an index of 32 bits that may wrap around. A user saw the compiler recurse without end.
// covers: C-5.4.1.3-01
// RUN: %mcc %s -o %t && %run %t
#include "check.h"

#include <algorithm>
#include <vector>

constexpr int kTile = 16, kWide = kTile + 1;

/// `table`: kWide x kWide, its first row and column given; `score`: kTile x kTile.
__global__ void compare(int *table, const int *score, int penalty) {
  __shared__ int t[kWide][kWide];
  __shared__ int s[kTile][kTile];
  int x = threadIdx.x;
  for (int y = 0; y < kTile; y++) {
    s[y][x] = score[y * kTile + x];
  }
  if (x == 0) {
    t[x][0] = table[0];
  }
  t[x + 1][0] = table[(x + 1) * kWide];
  t[0][x + 1] = table[x + 1];
  __syncthreads();
  auto fill = [&](int row, int column) {
    int up = t[row - 1][column] - penalty, left = t[row][column - 1] - penalty;
    t[row][column] = max(t[row - 1][column - 1] + s[row - 1][column - 1], max(up, left));
  };
  for (int m = 0; m < kTile; m++) {
    if (x <= m) {
      fill(m - x + 1, x + 1);
    }
    __syncthreads();
  }
  for (int m = kTile - 2; m >= 0; m--) {
    if (x <= m) {
      fill(kTile - x, x + kTile - m);
    }
    __syncthreads();
  }
  for (int y = 0; y < kTile; y++) {
    table[(y + 1) * kWide + x + 1] = t[y + 1][x + 1];
  }
}

int main() {
  std::vector<int> score(kTile * kTile), table(kWide * kWide);
  for (int i = 0; i < kTile * kTile; i++) {
    score[i] = i * 7919 % 23 - 8;
  }
  for (int i = 0; i < kWide; i++) {
    table[i] = table[i * kWide] = -10 * i;
  }
  int *d_table = nullptr, *d_score = nullptr;
  REQUIRE_CUDA(cudaMalloc(&d_table, table.size() * sizeof(int)));
  REQUIRE_CUDA(cudaMalloc(&d_score, score.size() * sizeof(int)));
  CHECK_CUDA(cudaMemcpy(d_table, table.data(), table.size() * sizeof(int), cudaMemcpyHostToDevice));
  CHECK_CUDA(cudaMemcpy(d_score, score.data(), score.size() * sizeof(int), cudaMemcpyHostToDevice));
  compare<<<1, kTile>>>(d_table, d_score, 10);
  std::vector<int> got(table.size());
  CHECK_CUDA(cudaMemcpy(got.data(), d_table, got.size() * sizeof(int), cudaMemcpyDeviceToHost));
  for (int y = 1; y < kWide; y++) {
    for (int x = 1; x < kWide; x++) {
      int place = y * kWide + x;
      table[place] = std::max({table[place - kWide - 1] + score[(y - 1) * kTile + x - 1], table[place - 1] - 10,
                               table[place - kWide] - 10});
      CHECK_EQ(got[place], table[place]);
    }
  }
  CHECK_CUDA(cudaFree(d_table));
  CHECK_CUDA(cudaFree(d_score));
  return check_report();
}
