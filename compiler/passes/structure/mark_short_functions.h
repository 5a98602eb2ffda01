// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Short functions without control flow must be inlined from here on, so that a product of one function and a sum of
// another are fused, as they are in code that is written in one piece (operators of vectors and complex numbers).
//
//   before   define float @product(float %a, float %b) { ... fmul contract ... }
//   after    define float @product(float %a, float %b) alwaysinline { ... }
//
// Follows nvcc, which inlines before it fuses. Functions of several blocks, long ones, those that stay out of line by
// the program's wish and all functions with -G are left as they are. `tidy` inlines.
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> mark_short_functions(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
