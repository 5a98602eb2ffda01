// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdlib>

#include "bench/harness/row.h"

namespace hel::bench {
namespace {

void run(const Problem &problem, const Memory &) {
  for (int i = 0; i < problem.sizes[0]; i++) {
    void *block = malloc(size_t{1} << 20);
    asm volatile("" : "+r"(block));
    free(block);
  }
}

const Side side("pool_alloc_free", Who::Hand, run);

}  // namespace
}  // namespace hel::bench
