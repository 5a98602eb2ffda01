// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/harness/cuda_check.h"

#include "bench/harness/row.h"

namespace {

void run(const hel::bench::Problem &problem, const hel::bench::Memory &memory) {
  size_t bytes = size_t(problem.sizes[0]) * 4;
  hel::bench::check(cudaMemcpyAsync(memory.output, memory.inputs[0], bytes, cudaMemcpyDeviceToDevice), "cudaMemcpy");
  hel::bench::finish();
}

const hel::bench::Side side("memcpy", hel::bench::Who::Helicon, run);

}  // namespace
