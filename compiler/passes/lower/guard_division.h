// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer division as GPUs do it: x / 0 and x % 0 are all ones, INT_MIN / -1 wraps; nothing traps.
//
// before: sdiv i32 %a, %b
// after:  %b is replaced by 1 where it is 0 (or where the quotient overflows), and the result is put right by selects
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> guard_division(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
