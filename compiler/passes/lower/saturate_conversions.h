// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating point to integer as PTX cvt does it: out of range clamps; NaN is 0, or the top bit alone where a 64-bit type
// takes part.
//
// before: fptosi float %x to i32        after: call i32 @llvm.fptosi.sat.i32.f32(float %x)
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> saturate_conversions(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
