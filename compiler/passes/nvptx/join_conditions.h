// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A condition of several cheap parts (`x > 0 && x < n - 1 && ...`) is one branch: on a GPU each branch waits for its
// condition.
//
// before: br i1 %a, label %next, label %out     next: %n1 = add i32 %n, -1   %b = icmp slt i32 %x, %n1   br i1 %b,
// label %in, label %out after:  %n1 = add i32 %n, -1   %b = icmp slt i32 %x, %n1   %both = select i1 %a, i1 %b, i1
// false   br i1 %both, label %in, label %out
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> join_conditions(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
