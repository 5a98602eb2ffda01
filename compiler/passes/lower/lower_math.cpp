// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/lower/lower_math.h"

#include "compiler/ir/llvm_headers.h"
#include "compiler/passes/lower/math_emitters.h"

namespace hel::cc {
namespace {

/// The families, asked in turn; each returns null for names that are not its own.
constexpr MathEmitter kFamilies[] = {emit_float_math, emit_conversion, emit_integer_math, emit_packed_math};

llvm::Value *emit(const MathName &name, llvm::CallInst &call) {
  llvm::IRBuilder<> builder(&call);
  for (MathEmitter family : kFamilies) {
    if (llvm::Value *value = family(name, call, builder)) {
      return value;
    }
  }
  return nullptr;
}

/// PTX's min and max tell -0 from +0, which LLVM's minnum and maxnum leave open.
void order_zeros(llvm::Function &declaration) {
  llvm::Intrinsic::ID id = declaration.getIntrinsicID();
  if (id != llvm::Intrinsic::minnum && id != llvm::Intrinsic::maxnum) {
    return;
  }
  llvm::Function *ordered = llvm::Intrinsic::getOrInsertDeclaration(
      declaration.getParent(), id == llvm::Intrinsic::minnum ? llvm::Intrinsic::minimumnum : llvm::Intrinsic::maximumnum,
      {declaration.getReturnType()});
  for (llvm::User *user : llvm::make_early_inc_range(declaration.users())) {
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(user)) {
      call->setCalledFunction(ordered);
    }
  }
}

}  // namespace

Result<void> lower_math(llvm::Module &module, Compilation &) {
  for (llvm::Function &declaration : llvm::make_early_inc_range(module)) {
    llvm::Intrinsic::ID id = declaration.getIntrinsicID();
    llvm::StringRef text = id == llvm::Intrinsic::not_intrinsic ? "" : llvm::Intrinsic::getBaseName(id);
    if (!text.consume_front("llvm.nvvm.")) {
      continue;
    }
    MathName name = parse_math_name(text);
    for (llvm::User *user : llvm::make_early_inc_range(declaration.users())) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(user);
      llvm::Value *value = call ? emit(name, *call) : nullptr;
      if (value) {
        call->replaceAllUsesWith(value);
        call->eraseFromParent();
      }
    }
    if (declaration.use_empty()) {
      declaration.eraseFromParent();
    }
  }
  for (llvm::Function &declaration : llvm::make_early_inc_range(module)) {
    order_zeros(declaration);
  }
  return {};
}

}  // namespace hel::cc
