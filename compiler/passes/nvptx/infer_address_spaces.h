// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives every access the address space that its pointer is known to come from, and the alignment that can be seen then.
// The back end makes vectors of neighbouring accesses, but computes addresses in ways that hide their alignment before
// that.
//
// before: %p = getelementptr float, ptr addrspacecast (ptr addrspace(3) @buffer to ptr), i64 %of_4   load float, ptr
// %p, align 4 after:  %p = getelementptr float, ptr addrspace(3) @buffer, i64 %of_4   load float, ptr addrspace(3) %p,
// align 16
//
// Follows LLVM's pipeline (place_pointers.h says why).
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> infer_address_spaces(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
