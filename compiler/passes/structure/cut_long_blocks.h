// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cut_long_blocks: cuts code that runs straight on for thousands of instructions by branches that are never taken. What
// LLVM's schedulers take for a block grows with the square of its length; and so does what others take for a register
// with the number of its uses, so that values which are used all over get another register behind each cut. Code that
// is cut is tuned for its level alone, which asks for one scheduler less than the processor's own tuning may.
//
// before:  … %a = …; %b = …                                   one block
// after:   … %a = …; %no = call i32 asm "", "=r,0"(i32 0); br i1 (%no != 0), label %never, label %on;  on: %b = …
// On entry: code of which nothing but machine code is made.
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> cut_long_blocks(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
