// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes every pointer a plain one: types, globals, functions and intrinsics.
//
// before: load i32, ptr addrspace(1) @g       after: load i32, ptr @g
// Entry: no variable in the shared address space (lower_shared_memory).
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> strip_address_spaces(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
