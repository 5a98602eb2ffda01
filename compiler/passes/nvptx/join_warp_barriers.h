// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of the barriers of a whole warp that follow each other in a block of code that only reads between them, the first and
// the last are enough: what others wrote before is seen from the first on, and what they write after the last is not
// seen too early. The GPU's compiler moves no load across a barrier, and so holds more values at a time than it need.
//
// before: barrier; load; barrier; load; barrier; load
// after:  barrier; load; load; barrier; load
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> join_warp_barriers(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
