// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// align_spills: lets functions that hold wide vectors align their frames. Whether a frame may be aligned LLVM decides
// before it knows that registers will be spilled; where it decides against, vectors are spilled to slots of 16 bytes'
// alignment, and each access of such a slot spans two lines of the cache (a loop with a few spills takes half as long
// again). A function that keeps a frame pointer may still be aligned then, and is only if it spills.
//
// before:  define void @k(…) #0 { … <32 x float> … }
// after:   define void @k(…) #0 "frame-pointer"="all" { … }
// On entry: code of which nothing but machine code is made.
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> align_spills(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
