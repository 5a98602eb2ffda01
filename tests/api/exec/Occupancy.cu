// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaOccupancyMaxActiveBlocksPerMultiprocessor and cudaOccupancyMaxPotentialBlockSize.
// RUN: %mcc %s -o %t && %run %t
#include "check.h"

__global__ void kernel() {}

int main() {
  int blocks = 0;
  CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 256, 0));
  CHECK(blocks > 0);
  int with_shared = 0;
  CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&with_shared, kernel, 256, 48 * 1024));
  CHECK(with_shared > 0);
  CHECK(with_shared <= blocks);
  int grid = 0, block = 0;
  CHECK_CUDA(cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel));
  CHECK(block >= 32 && block <= 1024);
  CHECK(grid > 0);
  CHECK_ERROR(cudaOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, kernel, 256, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 0, 0), cudaErrorInvalidValue);
  int host = 0;
  CHECK_ERROR(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, reinterpret_cast<const void *>(&host), 32, 0),
              cudaErrorInvalidDeviceFunction);
  return check_report();
}
