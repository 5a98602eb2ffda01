// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The emitters behind the HEL_SIMT_CODE rows of ir/simt_ops.def.
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace hel::cc {

/// Emits the code named `emitter` for a call of an NVVM intrinsic; returns the call's new value, null for none.
llvm::Value *emit_simt_code(llvm::StringRef emitter, llvm::CallInst &call, llvm::IRBuilder<> &builder);

}  // namespace hel::cc
