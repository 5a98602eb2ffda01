// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// event: cudaEventRecord and cudaEventQuery on an idle stream.
#include "bench/harness/row.h"

namespace hel::bench {
namespace {

Problem problem(bool tiny) { return {.sizes = {tiny ? 3 : 1000}, .operations = 1000}; }

const Row row({.name = "event_record_query",
               .unit = Unit::Nanoseconds,
               .must = 100,
               .stretch = 50,
               .kernel = false,
               .problem = problem});

}  // namespace
}  // namespace hel::bench
