// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces calls of `hl.self` by one read of the thread-local `__hl_thread` at the start of each function.
//
// Stands after optimise, which knows `hl.self` as a pure function.
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> place_thread_state(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
