// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pool: cudaMallocAsync and cudaFreeAsync of 1 MiB against malloc and free.
#include "bench/harness/row.h"

namespace hel::bench {
namespace {

Problem problem(bool tiny) { return {.sizes = {tiny ? 3 : 1000}}; }

const Row row({.name = "pool_alloc_free", .must = 2, .stretch = 1, .kernel = false, .problem = problem});

}  // namespace
}  // namespace hel::bench
