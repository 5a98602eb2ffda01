// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives __constant__ variables memory that the host can write.
//
// before: @coef = constant [4 x float] …       after: @coef = global [4 x float] …, section "hl_constant"
// Stands after optimise, for which they are constant: they do not change while a kernel runs.
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> make_constants_writable(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
