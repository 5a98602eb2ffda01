// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/lower/saturate_conversions.h"

#include "compiler/ir/llvm_headers.h"
#include "compiler/passes/lower/convert.h"

namespace hel::cc {

Result<void> saturate_conversions(llvm::Module &module, Compilation &) {
  for (llvm::Function &function : module) {
    for (llvm::Instruction &inst : llvm::make_early_inc_range(llvm::instructions(function))) {
      if (!llvm::isa<llvm::FPToSIInst, llvm::FPToUIInst>(inst)) {
        continue;
      }
      llvm::IRBuilder<> builder(&inst);
      bool is_signed = llvm::isa<llvm::FPToSIInst>(inst);
      inst.replaceAllUsesWith(emit_float_to_int(builder, inst.getOperand(0), inst.getType(), is_signed));
      inst.eraseFromParent();
    }
  }
  return {};
}

}  // namespace hel::cc
