// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shifts of 32 and 64 bits as GPUs do them: by the width or more, to the left and unsigned to the right give 0, signed
// to the right the sign. LLVM leaves these results open.
//
//   before   shl i32 %a, %n               ashr i32 %a, %n
//   after    %n < 32 ? shl %a, %n : 0     ashr i32 %a, umin(%n, 31)
//
// Shifts that are known to be by less stay, as do those of the device library, which knows what it does. A processor's
// vector shifts do the same as a GPU's, and LLVM makes them of this form.
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> clamp_shifts(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
