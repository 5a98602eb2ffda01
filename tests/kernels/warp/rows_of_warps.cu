// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A warp for each row of a matrix, the rows counted by threadIdx.y: its lanes have as many turns as the row is long, and add up in
// shuffles of the whole warp. Blocks whose rows are whole warps run on the warp engine, others on the thread engine.
// RUN: %mcc %s -o %t && %run %t
// RUN: env HELICON_ENGINE= HELICON_LOG=engine %t 2>&1 | %FileCheck %s
// covers: C-5.8-01
#include "check.h"

#include <vector>

constexpr int kRows = 57;

__host__ __device__ int first_of(int row) { return row * (row + 1) / 2 * 5; }

__global__ void sums_of_rows(const int *values, int *sums) {
  for (int row = blockIdx.x * blockDim.y + threadIdx.y; row < kRows; row += gridDim.x * blockDim.y) {
    int sum = 0;
    for (int i = first_of(row) + threadIdx.x; i < first_of(row + 1); i += blockDim.x) {
      sum += values[i];
    }
    if (row % 3 != 1) {
      for (int distance = 16; distance > 0; distance /= 2) {
        sum += __shfl_xor_sync(0xffffffffu, sum, distance);
      }
    }
    atomicAdd(&sums[row], sum);
  }
}

// Rows of 16: lanes of a warp are of two rows, and go different ways to their barriers.
__global__ void meet_in_rows(int *out) {
  __shared__ int box[256];
  const int thread = threadIdx.y * blockDim.x + threadIdx.x, count = blockDim.x * blockDim.y;
  box[thread] = thread;
  if (threadIdx.y % 2 == 0) {
    __syncthreads();
    out[thread] = box[count - 1 - thread];
  } else {
    __syncthreads();
    out[thread] = -box[count - 1 - thread];
  }
}

int main() {
  std::vector<int> values(first_of(kRows));
  for (size_t i = 0; i < values.size(); i++) {
    values[i] = i * 37 % 101;
  }
  int *in, *sums, host[256];
  CHECK_CUDA(cudaMalloc(&in, values.size() * sizeof(int)));
  CHECK_CUDA(cudaMalloc(&sums, sizeof host));
  CHECK_CUDA(cudaMemcpy(in, values.data(), values.size() * sizeof(int), cudaMemcpyHostToDevice));
  // CHECK-COUNT-3: kernel=sums_of_rows{{.*}} engine=warp
  for (dim3 block : {dim3(32, 4), dim3(64, 3), dim3(32)}) {
    CHECK_CUDA(cudaMemset(sums, 0, sizeof host));
    sums_of_rows<<<4, block>>>(in, sums);
    CHECK_CUDA(cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost));
    for (int row = 0; row < kRows; row++) {
      int sum = 0;
      for (int i = first_of(row); i < first_of(row + 1); i++) {
        sum += values[i];
      }
      CHECK_EQ(host[row], row % 3 != 1 ? 32 * sum : sum);
    }
  }
  // CHECK: kernel=meet_in_rows{{.*}} engine=warp
  // CHECK: kernel=meet_in_rows{{.*}} engine=thread {{.*}}reason=in blocks with warps of several rows, barrier
  for (dim3 block : {dim3(64, 4), dim3(16, 8)}) {
    meet_in_rows<<<1, block>>>(sums);
    CHECK_CUDA(cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost));
    const int count = block.x * block.y;
    for (int i = 0; i < count; i++) {
      CHECK_EQ(host[i], (i / (int)block.x % 2 == 0 ? 1 : -1) * (count - 1 - i));
    }
  }
  // CHECK: passed
  return check_report();
}
