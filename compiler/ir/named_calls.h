// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Marks and functions of the engine are known by their names.
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

namespace hel::cc {

/// `value` is a direct call of the function with this name.
inline bool is_call_of(const llvm::Value *value, llvm::StringRef name) {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(value);
  return call != nullptr && call->getCalledFunction() != nullptr && call->getCalledFunction()->getName() == name;
}

}  // namespace hel::cc
