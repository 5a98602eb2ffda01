// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/harness/cuda_check.h"

#include "bench/harness/row.h"

__global__ void empty() {}

namespace {

void run(const hel::bench::Problem &problem, const hel::bench::Memory &memory) {
  for (int i = 0; i < problem.sizes[0]; i++) {
    empty<<<1, 1>>>();
    hel::bench::finish();
  }
}

const hel::bench::Side back_to_back("launch_back_to_back", hel::bench::Who::Helicon, run);
const hel::bench::Side after_idle("launch_after_1ms_idle", hel::bench::Who::Helicon, run);

}  // namespace
