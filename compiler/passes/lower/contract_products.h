// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides once which products and sums become one rounding, so that every engine computes the same bits.
//
// before: %p = fmul contract float %a, %b        after: %s = call float @llvm.fma.f32(%a, %b, %c)
//         %s = fadd contract float %p, %c
//
// On entry: `contract` marks what may be fused (-fmad=true, the default). On exit: nothing is marked any more, so that no
// later stage fuses more in the code of one engine than in that of another. A product with further uses stays.
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> contract_products(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
