// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lets the processor see streams that are read under masks. Zen 5 does not look ahead of masked loads (EVEX) as it does
// of plain ones: a loop that reads memory so waits for each line (3 times the time of an indexed sum, and more while
// others use the memory). A prefetch, which cannot fault, is seen: of the place that the next turn reads, where the
// loop goes by a known step, else of the place itself.
//
// before:  for (…; i += 32) … llvm.masked.load(%p, %mask) …
// after:   for (…; i += 32) … llvm.prefetch(%p + 128) ; llvm.masked.load(%p, %mask) …
// Stands after optimise, which makes plain loads of those whose mask is known. Code for x86-64-v4 only: others load
// under masks with VEX instructions.
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> prefetch_masked_loads(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
