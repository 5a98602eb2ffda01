// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pointer that a kernel is given leads to global memory: says so, for the back end to find. Accesses stay generic until
// then: LLVM's passes take a copy of a constant for the constant itself, which must not happen to pointers into local memory.
//
// before: define ptx_kernel void @k(ptr %p) { … %p … }
// after:  %g = addrspacecast ptr %p to ptr addrspace(1), back to a generic pointer, and uses of that
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> place_pointers(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
