// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/harness/cuda_check.h"

#include "bench/harness/row.h"

namespace {

void run(const hel::bench::Problem &problem, const hel::bench::Memory &memory) {
  for (int i = 0; i < problem.sizes[0]; i++) {
    void *block = nullptr;
    hel::bench::check(cudaMallocAsync(&block, 1 << 20, 0), "cudaMallocAsync");
    hel::bench::check(cudaFreeAsync(block, 0), "cudaFreeAsync");
  }
  hel::bench::finish();
}

const hel::bench::Side side("pool_alloc_free", hel::bench::Who::Helicon, run);

}  // namespace
