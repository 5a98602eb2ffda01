// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating point to integer by the device's own instruction, which clamps where LLVM's leaves the result open.
//
// before: fptosi float %x to i32        after: call i32 @llvm.nvvm.f2i.rz(float %x)
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> convert_with_cvt(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
