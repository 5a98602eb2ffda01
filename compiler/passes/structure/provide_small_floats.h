// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Defines the functions that the x86-64 back end calls to convert to and from half and bfloat where the processor has no
// instruction, since not every system's C library has them.
//
// after, when a bfloat value exists: define hidden bfloat @__truncsfbf2(float), @__truncdfbf2(double)
// after, when a half value exists:   define hidden half @__truncsfhf2(float), @__truncdfhf2(double), float @__extendhfsf2(half)
// Stands after optimise, which would drop them: no IR calls them.
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> provide_small_floats(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
