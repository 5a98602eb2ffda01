// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// launch: an empty kernel and the wait for it, one after the other and after the process was idle.
#include "bench/harness/row.h"

namespace hel::bench {
namespace {

Problem problem(bool tiny) { return {.sizes = {tiny ? 3 : 1000}, .operations = 1000}; }
Problem one(bool) { return {.sizes = {1}}; }

const Row back_to_back({.name = "launch_back_to_back",
                        .unit = Unit::Nanoseconds,
                        .must = 1000,
                        .stretch = 500,
                        .kernel = false,
                        .problem = problem});
const Row after_idle({.name = "launch_after_1ms_idle",
                      .unit = Unit::Nanoseconds,
                      .must = 5000,
                      .stretch = 4000,
                      .kernel = false,
                      .idle_ms = 1,
                      .problem = one});

}  // namespace
}  // namespace hel::bench
