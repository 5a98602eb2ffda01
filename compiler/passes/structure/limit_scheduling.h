// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// limit_scheduling: keeps LLVM's second scheduler, which some processors' tuning asks for, from code in which it would
// take longer than everything else: its time grows with the square of what runs straight on.
//
// before:  define void @k() "target-cpu"="x86-64-v4" "tune-cpu"="znver5"     ; a block of thousands of instructions
// after:   define void @k() "target-cpu"="x86-64-v4"                         ; tuned for that level in general
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> limit_scheduling(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
