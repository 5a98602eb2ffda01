// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/harness/opencl.h"

namespace hel::bench {
namespace {

void run(const Problem &problem, const Memory &) {
  static opencl::Kernel kernel("__kernel void empty() {}", "empty");
  for (int i = 0; i < problem.sizes[0]; i++) {
    kernel.run({1}, {1});
  }
}

const Side back_to_back("launch_back_to_back", Who::OpenCl, run);
const Side after_idle("launch_after_1ms_idle", Who::OpenCl, run);

}  // namespace
}  // namespace hel::bench
