// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Defines the functions that the x86-64 back end calls to round to bfloat, since not every system's C library has them.
//
// after, when a bfloat value exists: define hidden bfloat @__truncsfbf2(float), @__truncdfbf2(double)
// Stands after optimise, which would drop them: no IR calls them.
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> provide_bfloat_functions(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
