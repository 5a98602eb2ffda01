// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linkage and names of a module that becomes PTX.
//
// A whole program: everything but kernels and variables that the host can name becomes internal, and what nobody refers to
// goes. Relocatable code (-rdc=true) keeps the linkage that the linker of the driver needs. Managed variables, which clang
// writes as a pointer `x` and its storage `x.managed`, get real managed storage under a PTX name (abi::kManagedStorage).
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> keep_for_ptx(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
