// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/harness/cuda_check.h"

#include "bench/harness/row.h"

namespace {

void run(const hel::bench::Problem &problem, const hel::bench::Memory &memory) {
  static cudaEvent_t event = [] {
    cudaEvent_t made;
    hel::bench::check(cudaEventCreateWithFlags(&made, cudaEventDisableTiming), "cudaEventCreate");
    return made;
  }();
  for (int i = 0; i < problem.sizes[0]; i++) {
    hel::bench::check(cudaEventRecord(event), "cudaEventRecord");
    hel::bench::check(cudaEventQuery(event), "cudaEventQuery");
  }
}

const hel::bench::Side side("event_record_query", hel::bench::Who::Helicon, run);

}  // namespace
