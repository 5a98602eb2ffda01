// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// x86-64 IR to the bytes of a relocatable ELF object.
#pragma once

#include "base/result.h"

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace hel::cc {

Result<llvm::SmallVector<char, 0>> emit_object(llvm::Module &module, llvm::TargetMachine &target);

}  // namespace hel::cc
