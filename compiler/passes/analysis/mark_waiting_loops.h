// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts a call of __hl_yield on the back edges of loops that may wait for another thread.
//
// before: while (atomicCAS(lock, 0, 1)) {}          after: … { __hl_yield(); }
// A loop may wait when nothing bounds its number of rounds and something in it can see what another thread did: an
// atomic or volatile access, a fence, nanosleep, a barrier, or a call of a function that does one of these. A vote or
// a shuffle waits by itself, for the lanes that it names.
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> mark_waiting_loops(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
