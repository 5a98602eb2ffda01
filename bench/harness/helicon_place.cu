// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of Helicon's sides, and what they check their calls with.
#include "bench/harness/cuda_check.h"

#include "bench/harness/row.h"

namespace hel::bench {
namespace {

void *allocate(size_t bytes) {
  void *memory = nullptr;
  check(cudaMalloc(&memory, bytes), "cudaMalloc");
  return memory;
}

void release(void *memory) { check(cudaFree(memory), "cudaFree"); }

void upload(void *to, const void *from, size_t bytes) {
  check(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
}

void download(void *to, const void *from, size_t bytes) {
  check(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
}

}  // namespace

const Place &helicon_place() {
  static const Place place{allocate, release, upload, download};
  return place;
}

}  // namespace hel::bench
