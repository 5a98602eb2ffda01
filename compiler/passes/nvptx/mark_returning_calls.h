// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Says of barriers and of inline PTX that they return to where they stand, unless a thread may end in them. LLVM counts
// the turns of a loop only if it knows that.
//
// before: call i32 asm sideeffect "mma.sync…"()
// after:  call i32 asm sideeffect "mma.sync…"() willreturn
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> mark_returning_calls(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
