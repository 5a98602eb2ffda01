// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks LLVM to unroll small innermost loops of unknown length four times, as the vendor's compiler does: the loads of
// several rounds are then in flight together. Loops of known length are LLVM's. Loops in which a warp acts together are
// unrolled here, as often as the source says or four times, where all lanes of a warp take the same number of turns.
//
// before: br i1 %more, label %loop, label %done
// after:  br i1 %more, label %loop, label %done, !llvm.loop !{!{"llvm.loop.unroll.count", i32 4}}
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> unroll_inner_loops(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
