// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lets a vector that is read be what was written, where lanes of it were written at other offsets or under a mask that
// is known. The processor hands a store on to a later load only where the one covers the other; else the load waits
// until the store is in the cache. LLVM forwards whole values only.
//
// before:  store <32 x float> %a, ptr %p          masked.load(%p + 64, <16 lanes>)
// after:   store <32 x float> %a, ptr %p          shufflevector %a, <16, 17, …, 31, poison, …>
//
// Within a block; what is stored stays stored. On entry: masks that can be constants are, which optimise sees to.
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> forward_lanes(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
