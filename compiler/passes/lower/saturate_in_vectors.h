// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The clamped conversions of saturate_conversions, of vectors: LLVM would convert one number after the other.
//
// before:  %i = call <32 x i32> @llvm.fptosi.sat(<32 x float> %x)
// after:   %low = max(%x, -2^31) ; %i = fptosi %low ; 2^31 - 1 where %x >= 2^31 ; 0 where %x is no number
// Stands after optimise, which knows the bounds of some conversions.
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> saturate_in_vectors(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
