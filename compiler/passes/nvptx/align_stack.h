// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dynamic stack memory is aligned to 8 bytes in what the NVPTX back end writes; alloca promises 16, and more may be asked for.
//
// before: %p = alloca i8, i64 %n, align 8
// after:  %raw = alloca i8, i64 (%n + 8), align 8; %p = the next multiple of 16
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> align_stack(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
