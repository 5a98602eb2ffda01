// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/nvptx/infer_address_spaces.h"

#include "compiler/ir/llvm_headers.h"
#include "compiler/ir/run_passes.h"

#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Scalar/InferAlignment.h"

namespace hel::cc {

Result<void> infer_address_spaces(llvm::Module &module, Compilation &compilation) {
  if (compilation.options.debug) {
    return {};
  }
  run_llvm_passes(module, &compilation.target, [](llvm::PassBuilder &, llvm::ModulePassManager &manager) {
    llvm::FunctionPassManager passes;
    passes.addPass(llvm::InferAddressSpacesPass());
    passes.addPass(llvm::InferAlignmentPass());
    manager.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(passes)));
  });
  return {};
}

}  // namespace hel::cc
