// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stages of the compiler, in order. The list itself, to be read aloud, is stages.cpp.
#pragma once

#include "compiler/ir/compilation.h"

#include <span>

namespace hel::cc {

struct Stage {
  const char *name;  ///< the function's own name: in dumps, settings, tests and helicon-opt
  StageFunction run;
};

/// SIMT IR to x86-64 IR for both engines, ready for code generation.
std::span<const Stage> compiler_stages();

/// Where in the list the code becomes that of one x86-64 level: what comes before is done once for all levels.
size_t first_target_stage();

/// SIMT IR to what LLVM's NVPTX back end takes (nvptx_stages.cpp).
std::span<const Stage> nvptx_stages();

}  // namespace hel::cc
