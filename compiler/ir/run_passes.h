// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs LLVM's own passes over a module or a function.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Function;
class Module;
class PassBuilder;
class TargetMachine;
}  // namespace llvm

namespace hel::cc {

/// `target` is null while the module is still SIMT IR: nothing is known of the machine then.
void run_llvm_passes(llvm::Module &module, llvm::TargetMachine *target,
                     llvm::function_ref<void(llvm::PassBuilder &, llvm::ModulePassManager &)> fill);

/// `passes` over one function of SIMT IR, with nothing known of the machine.
void run_llvm_passes(llvm::Function &function, llvm::FunctionPassManager &passes);

}  // namespace hel::cc
