// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/structure/mark_short_functions.h"

#include "compiler/ir/llvm_headers.h"

namespace hel::cc {
namespace {

constexpr size_t kMostInstructions =
    120;  // before SSA form, that is with a stack cell for each parameter and local variable

/// The device library says itself what is inlined where.
bool may_be_inlined(const llvm::Function &function) {
  return !function.isDeclaration() && function.getCallingConv() != llvm::CallingConv::PTX_Kernel &&
         !function.hasFnAttribute(llvm::Attribute::NoInline) && !function.getName().starts_with("__hl_");
}

bool is_short(const llvm::Function &function) {
  return function.size() == 1 && function.getEntryBlock().size() <= kMostInstructions;
}

}  // namespace

Result<void> mark_short_functions(llvm::Module &module, Compilation &compilation) {
  if (compilation.options.debug) {
    return {};
  }
  for (llvm::Function &function : module) {
    if (may_be_inlined(function) && is_short(function)) {
      function.addFnAttr(llvm::Attribute::AlwaysInline);
    }
  }
  return {};
}

}  // namespace hel::cc
