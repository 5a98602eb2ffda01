// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs LLVM's own passes over a module.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Module;
class PassBuilder;
class TargetMachine;
}  // namespace llvm

namespace hel::cc {

/// `target` is null while the module is still SIMT IR: nothing is known of the machine then.
void run_llvm_passes(llvm::Module &module, llvm::TargetMachine *target,
                     llvm::function_ref<void(llvm::PassBuilder &, llvm::ModulePassManager &)> fill);

}  // namespace hel::cc
