// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes only the lanes of vectors that are looked at. A sum over a warp by shuffles, of which one lane is used,
// needs half of the lanes from step to step: 32, 16, 8 and so on.
//
// before:  %b = shufflevector <32 x float> %a, <16, 17, …>   %s = fadd <32 x float> %a, %b   extractelement %s, 3
// after:   %s = fadd <4 x float> (low four of %a), (16 … 19 of %a)                            extractelement %s, 3
// Stands after optimise, which knows by then which lanes are used.
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> narrow_lanes(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
