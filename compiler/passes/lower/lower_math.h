// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers the arithmetic intrinsics of NVVM (rounding modes, approximations, conversions, integer and packed operations) to
// IR of the same result.
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> lower_math(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
