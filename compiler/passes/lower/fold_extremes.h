// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The larger or smaller of vectors of which one holds no NaN: what a loop has found so far, if it began with a number
// (m = -INFINITY; m = fmaxf(m, x[i])). The processor's maximum takes the second operand where the first one is NaN or
// both are equal; zeros alone are equal and differ, of which the sign is put right: by a third and fourth instruction
// that wait for nothing, where LLVM's code for two unknown vectors has five, most of them choices by a mask.
//
// before:  %r = llvm.maximumnum(%x, %m)
// after:   %l = %x > %m ? %x : %m                  (the instruction for maxima)
//          %r = %l & (%x | (%x != %m ? ~0 : 0))    on x86-64-v4, whose masks are registers:  %x == %m ? %l & %x : %l
// Minima have the bits of both zeros instead of those that both have. Stands after optimise.
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> fold_extremes(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
