// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Works around a fault of LLVM's x86-64 back end: it narrows trunc(lshr(a * b, n)) to 16 bits into a product of 16-bit
// values and a shift by n - 16, which for n >= 32 has no defined value (combinePMULH, LLVM 22).
//
// before:  %m = mul <8 x i64> %a, %b ; trunc <8 x i64> (lshr %m, 32) to <8 x i16>, also of sums of that and the like
// after:   the upper halves of %m, taken by a shuffle, and extended again
// Stands after optimise, which makes such narrow types.
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> split_high_products(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
