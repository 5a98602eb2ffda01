// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides once which products and sums become one rounding, so that every engine computes the same bits, and those of
// NVIDIA's compiler where they can be known.
//
// before: %p = fmul contract float %a, %b        after: %s = call float @llvm.fma.f32(%a, %b, %c)
//         %s = fadd contract float %p, %c
//
// On entry: `contract` marks what may be fused (-fmad=true, the default). On exit: nothing is marked any more, so that
// no later stage fuses more in the code of one engine than in that of another.
//
// The choice where there is one, as read off machine code that nvcc 13.0 makes for sm_90:
// * Of a sum of two products the left one is fused; left is the one whose operands are ready first, as LLVM's pass
//   Reassociate orders the operands of a sum.
// * A product of one use goes before a product of several.
// * A product of several uses is fused into all of them, if each is a sum that has not taken another, or into none.
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> contract_products(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
