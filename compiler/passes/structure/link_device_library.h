// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Links what the module needs of the device library (lib/helicon/libdevice.bc) into it.
//
// before: call float @__hl_sinf(float %x), undefined
// after:  the definition, with internal linkage, and what it calls
//
// Entry: SIMT IR. Exit: undefined functions are functions of abi/engine.h, other modules' functions or errors.
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> link_device_library(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
