// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaMemGetInfo: an allocation takes from what is free.
// RUN: %mcc %s -o %t && %run %t
#include "check.h"

#include <cuda_runtime_api.h>

int main() {
  size_t free_before = 0, free_after = 0, total = 0;
  REQUIRE_CUDA(cudaMemGetInfo(&free_before, &total));
  CHECK(free_before <= total);
  CHECK(total > 0);
  void *p = nullptr;
  REQUIRE_CUDA(cudaMalloc(&p, 1 << 24));
  CHECK_CUDA(cudaMemGetInfo(&free_after, &total));
  if (check::is_own_driver()) {  // others give back memory at times of their own, and other programs use a GPU too
    CHECK(free_after + (1 << 24) <= free_before);
  }
  CHECK_CUDA(cudaFree(p));
  CHECK_CUDA(cudaMemGetInfo(nullptr, &total));  // either may be left out
  CHECK_CUDA(cudaMemGetInfo(&total, nullptr));
  return check_report();
}
