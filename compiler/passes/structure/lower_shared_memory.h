// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives each __shared__ variable its place in the block's shared window.
//
// before: addrspacecast (ptr addrspace(3) @tile to ptr)     after: getelementptr i8, self.shared, offset of @tile
// A variable's offset is the largest of the present sizes of the kernels that reach it, so that it is the same in all of
// them; extern __shared__ arrays start at self.dynamic_shared. A pointer in the shared address space is the offset in
// the window, as PTX code expects (32 bits are enough for it).
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> lower_shared_memory(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
