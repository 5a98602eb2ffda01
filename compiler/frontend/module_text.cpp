// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/module_text.h"

#include "base/result.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <set>

namespace hel::cc {
namespace {

constexpr unsigned kSharedSpace = 3;

/// The values that a function's instructions refer to, through the functions it calls.
void collect_uses(const llvm::Value *value, std::set<const llvm::Value *> *seen) {
  if (!seen->insert(value).second) {
    return;
  }
  if (const auto *function = llvm::dyn_cast<llvm::Function>(value)) {
    for (const llvm::BasicBlock &block : *function) {
      for (const llvm::Instruction &instruction : block) {
        for (const llvm::Value *operand : instruction.operands()) {
          if (llvm::isa<llvm::Constant>(operand)) {
            collect_uses(operand, seen);
          }
        }
      }
    }
  } else if (const auto *expression = llvm::dyn_cast<llvm::ConstantExpr>(value)) {
    for (const llvm::Value *operand : expression->operands()) {
      collect_uses(operand, seen);
    }
  }
}

}  // namespace

std::string ir_text(const llvm::Module &module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return text;
}

std::string resource_report(const llvm::Module &module) {
  std::string text;
  const llvm::DataLayout &layout = module.getDataLayout();
  for (const llvm::Function &function : module) {
    if (function.isDeclaration() || function.getCallingConv() != llvm::CallingConv::PTX_Kernel) {
      continue;
    }
    std::set<const llvm::Value *> used;
    collect_uses(&function, &used);
    uint64_t shared = 0;
    for (const llvm::Value *value : used) {
      const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(value);
      if (variable && variable->getAddressSpace() == kSharedSpace && !variable->isDeclaration()) {
        shared += layout.getTypeAllocSize(variable->getValueType());
      }
    }
    uint64_t parameters = 0;
    for (const llvm::Argument &argument : function.args()) {
      llvm::Type *type = argument.hasByValAttr() ? argument.getParamByValType() : argument.getType();
      parameters += layout.getTypeAllocSize(type);
    }
    text += format("mcc info    : kernel '%s' (%s): %llu bytes smem, %llu bytes of parameters\n",
                   function.getName().str().c_str(), llvm::demangle(function.getName()).c_str(),
                   static_cast<unsigned long long>(shared), static_cast<unsigned long long>(parameters));
  }
  return text;
}

}  // namespace hel::cc
