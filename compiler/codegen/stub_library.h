// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An empty ELF shared object with a soname: what the linker needs to record a dependency on a library that may not exist
// on this machine.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace hel::cc {

llvm::SmallVector<char, 0> make_stub_library(llvm::StringRef soname);

}  // namespace hel::cc
