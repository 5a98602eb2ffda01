// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// graph: the replay of a chain of nodes, for each node; and against the same launches one by one.
#include "bench/harness/row.h"

namespace hel::bench {
namespace {

Problem problem(bool tiny) { return {.sizes = {tiny ? 3 : 1000}, .operations = 1000}; }

const Row empty_nodes({.name = "graph_empty_node",
                       .unit = Unit::Nanoseconds,
                       .must = 200,
                       .stretch = 50,
                       .kernel = false,
                       .problem = problem});
const Row kernel_nodes({.name = "graph_kernel_node",
                        .unit = Unit::Nanoseconds,
                        .must = 200,
                        .stretch = 100,
                        .kernel = false,
                        .problem = problem});
const Row launches({.name = "graph_against_launches",
                    .must = 0.33,
                    .stretch = 0.1,
                    .kernel = false,
                    .problem = problem});

}  // namespace
}  // namespace hel::bench
