// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops with another number of turns in each lane, which read here and there: rows of a sparse matrix. Some rows are
// empty, or end before they start; lanes are missing; loops have several ends and several results.
// RUN: %mcc %s -o %t && %run %t
// covers: C-3.2.2-01
#include "check.h"

#include <algorithm>
#include <vector>

constexpr int kRows = 203;

struct Matrix {
  const int *starts, *ends, *columns;
  const float *values;
};

__device__ int thread_number() {
  int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  return blockIdx.x * blockDim.x * blockDim.y * blockDim.z + thread;
}

__global__ void multiply(Matrix m, const float *x, float *sums) {
  int row = thread_number();
  if (row < kRows) {
    float sum = 0;
    for (int j = m.starts[row]; j < m.ends[row]; j++) {
      sum += m.values[j] * x[m.columns[j]];
    }
    sums[row] = sum;
  }
}

// Several results, of several types, and ends in the middle of a turn.
__global__ void find_largest(Matrix m, const float *x, float limit, float *largest, int *where, long long *turns) {
  int row = thread_number();
  if (row >= kRows || row % 5 == 3) {
    return;
  }
  float best = -1;
  int at = -1;
  long long count = 0;
  bool odd = row & 1;
  for (int j = m.starts[row]; j < m.ends[row]; j++, count++) {
    float product = m.values[j] * x[m.columns[j]];
    if (product > limit) {
      break;
    }
    if (product > best && ((m.columns[j] & 1) != 0) == odd) {
      best = product;
      at = j;
    }
  }
  largest[row] = best;
  where[row] = at;
  turns[row] = count;
}

// Downwards, in steps, with 64-bit counters, inside a loop that all lanes run together.
__global__ void backwards(Matrix m, const int *x, int *sums) {
  int row = thread_number();
  int total = 0;
  for (int factor = 1; factor < 4; factor++) {
    if (row < kRows) {
      int sum = 0;
      for (long long j = m.ends[row] - 1; j >= m.starts[row]; j -= factor) {
        sum += x[m.columns[j]] * factor;
      }
      total += sum;
    }
    __syncthreads();
  }
  if (row < kRows) {
    sums[row] = total;
  }
}

// Threads side by side read records side by side; the last turn is not for all of them.
__global__ void add_members(const char4 *records, int number, int *sums) {
  int thread = thread_number(), sum = 0;
  for (int j = thread % 32; j < number; j += 32) {
    char4 r = records[j];
    sum += r.x * r.y + r.z * r.w;
  }
  if (thread < kRows) {
    sums[thread] = sum;
  }
}

template <class T> T *shared_copy(const std::vector<T> &from) {
  T *to;
  CHECK_CUDA(cudaMallocManaged(&to, from.size() * sizeof(T)));
  std::copy(from.begin(), from.end(), to);
  return to;
}

void try_blocks_of(dim3 block) {
  std::vector<int> starts, ends, columns, weights;
  std::vector<float> values, x;
  std::vector<char4> records;
  unsigned state = 1;
  auto random = [&](unsigned below) { return (state = state * 1664525 + 1013904223) / 65536 % below; };
  for (int row = 0; row < kRows; row++) {
    starts.push_back(static_cast<int>(columns.size()));
    for (unsigned length = row % 7 == 0 ? 0 : random(40); length > 0; length--) {
      columns.push_back(static_cast<int>(random(kRows)));
      values.push_back(static_cast<float>(random(16)));
    }
    ends.push_back(row % 13 == 5 ? starts.back() - 3 : static_cast<int>(columns.size()));
    x.push_back(static_cast<float>(random(32)));
    weights.push_back(static_cast<int>(random(1000)));
    auto member = [&] { return static_cast<signed char>(random(256)); };
    records.push_back({member(), member(), member(), member()});
  }
  Matrix m{shared_copy(starts), shared_copy(ends), shared_copy(columns), shared_copy(values)};
  float *vector = shared_copy(x), *sums = shared_copy(std::vector<float>(kRows, -7)),
        *largest = shared_copy(std::vector<float>(kRows, -7));
  int *numbers = shared_copy(weights), *where = shared_copy(std::vector<int>(kRows, -7)),
      *totals = shared_copy(std::vector<int>(kRows, -7));
  int *members = shared_copy(std::vector<int>(kRows, -7));
  long long *turns = shared_copy(std::vector<long long>(kRows, -7));
  unsigned threads = block.x * block.y * block.z, blocks = (kRows + threads - 1) / threads;
  multiply<<<blocks, block>>>(m, vector, sums);
  find_largest<<<blocks, block>>>(m, vector, 400, largest, where, turns);
  backwards<<<blocks, block>>>(m, numbers, totals);
  add_members<<<blocks, block>>>(shared_copy(records), kRows, members);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int row = 0; row < kRows; row++) {
    float sum = 0, best = -1;
    int at = -1, total = 0;
    long long count = 0;
    for (int j = starts[row]; j < ends[row]; j++) {
      sum += values[j] * x[columns[j]];
    }
    for (int j = starts[row]; j < ends[row]; j++, count++) {
      float product = values[j] * x[columns[j]];
      if (product > 400) {
        break;
      }
      if (product > best && (columns[j] & 1) == (row & 1)) {
        best = product;
        at = j;
      }
    }
    for (int factor = 1; factor < 4; factor++) {
      for (int j = ends[row] - 1; j >= starts[row]; j -= factor) {
        total += weights[columns[j]] * factor;
      }
    }
    int products = 0;
    for (int j = row % 32; j < kRows; j += 32) {
      products += records[j].x * records[j].y + records[j].z * records[j].w;
    }
    bool left = row % 5 == 3;
    CHECK_EQ(members[row], products);
    CHECK_EQ(sums[row], sum);
    CHECK_EQ(largest[row], left ? -7 : best);
    CHECK_EQ(where[row], left ? -7 : at);
    CHECK_EQ(turns[row], left ? -7 : count);
    CHECK_EQ(totals[row], total);
  }
}

int main() {
  try_blocks_of(64);
  try_blocks_of(77);
  try_blocks_of(dim3(16, 4));
  try_blocks_of(dim3(8, 2, 4));
  try_blocks_of(dim3(5, 3));
  return check_report();
}
