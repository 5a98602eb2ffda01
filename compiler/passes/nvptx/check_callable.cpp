// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/nvptx/check_callable.h"

#include "compiler/ir/llvm_headers.h"

#include "llvm/Demangle/Demangle.h"

namespace hel::cc {
namespace {

bool is_of_driver(llvm::StringRef name) {
  return name == "vprintf" || name == "malloc" || name == "free" || name == "__assertfail" ||
         name == "__cuda_syscall_aligned_malloc";
}

/// A body that says what was called, and traps.
void make_trap(llvm::Function &function) {
  llvm::Module &module = *function.getParent();
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "", &function));
  llvm::FunctionCallee report = module.getOrInsertFunction("vprintf", builder.getInt32Ty(), builder.getPtrTy(), builder.getPtrTy());
  std::string text = "helicon: device code called the host function " + llvm::demangle(function.getName()) + "\n";
  builder.CreateCall(report, {builder.CreateGlobalString(text), llvm::ConstantPointerNull::get(builder.getPtrTy())});
  builder.CreateIntrinsic(builder.getVoidTy(), llvm::Intrinsic::trap, {});
  builder.CreateUnreachable();
  function.setLinkage(llvm::GlobalValue::InternalLinkage);
}

}  // namespace

Result<void> check_callable(llvm::Module &module, Compilation &compilation) {
  for (llvm::Function &function : llvm::make_early_inc_range(module)) {
    if (!function.isDeclaration() || function.isIntrinsic() || function.use_empty() || is_of_driver(function.getName())) {
      continue;
    }
    if (function.hasFnAttribute("hl.host")) {
      make_trap(function);
    } else if (!compilation.options.relocatable || function.getName().starts_with("__hl_")) {
      compilation.diagnostics.error("no form of " + llvm::demangle(function.getName()) + " for a GPU");
    }
  }
  for (llvm::GlobalVariable &variable : module.globals()) {
    bool is_dynamic_shared = variable.getAddressSpace() == 3;
    if (variable.isDeclaration() && !is_dynamic_shared && !compilation.options.relocatable && !variable.use_empty()) {
      compilation.diagnostics.error("no definition of " + llvm::demangle(variable.getName()) + " for a GPU");
    }
  }
  return {};
}

}  // namespace hel::cc
