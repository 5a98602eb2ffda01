// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pointer that a kernel is given leads to global memory: says so, before LLVM's passes look.
//
// before: define ptx_kernel void @k(ptr %p) { … %p … }
// after:  %g = addrspacecast ptr %p to ptr addrspace(1), and accesses through %g
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> place_pointers(llvm::Module &module, Compilation &compilation);

/// Gives every access the address space that its pointer is known to come from.
void infer_address_spaces(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
