// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes that call a recursive function together may come back from it apart. The GPU's compiler takes for granted that
// they come back together: it counts turns of loops around the call in registers of the whole warp, and drops barriers
// of the warp behind it. It does not where the function ends with a barrier of those lanes that happen to be there.
//
// before: ret i32 %x                        in a function that may run itself, also by a function's address
// after:  %here = activemask; barrier of the warp's lanes %here; ret i32 %x
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> part_after_recursion(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
