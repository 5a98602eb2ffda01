// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Macros of the compiler that only some files see. `__NVCC__` is for the program's own files: headers of the system do
// not see it, since CCCL, which is one, would take it for nvcc's front end and use what only that has. In MUSA code
// CUDA's macros are for CCCL alone, which works with them and with nothing else.
#pragma once

#include "compiler/frontend/hooks.h"

namespace clang {
class Preprocessor;
}

namespace hel::cc {

void show_macros_by_file(clang::Preprocessor &PP, const HookRules &rules);

}  // namespace hel::cc
