// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs as text for Graphviz.
#pragma once

#include "base/result.h"
#include "drivers/cpu/graph/graph.h"

namespace hel::cpu {

/// Writes a graph, and the graphs inside, to a file. `flags`: CUgraphDebugDot_flags.
Result<void> print_dot(const Graph &graph, const char *path, unsigned flags);

}  // namespace hel::cpu
