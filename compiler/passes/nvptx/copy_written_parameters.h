// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A struct parameter that a kernel writes to becomes a variable of its own, and the members that it uses become values.
// The back end would copy the whole struct to local memory, too late for LLVM to see that most of it is never read.
// A __grid_constant__ stays where it is: its address is the parameter's. A function's own struct is copied where it is used
// behind a branch, which the back end cannot do otherwise.
//
// before: define ptx_kernel void @k(ptr byval(%s) %p) { store i32 %x, ptr %p … }
// after:  define ptx_kernel void @k(ptr readonly byval(%s) %p) { … }
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

/// Follows LLVM's pipeline, which inlines the functions that write to parameters and says which are only read.
Result<void> copy_written_parameters(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
