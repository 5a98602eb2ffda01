// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/device_fixups.h"

#include "compiler/frontend/hooks.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

namespace hel::cc {
namespace {

struct KernelAnnotation {
  const char *annotation;
  const char *attribute;
};

constexpr KernelAnnotation kKernelAnnotations[] = {
    {"mcc.cluster_dims", "nvvm.cluster_dim"},
    {"mcc.block_size", "nvvm.reqntid"},
    {"mcc.maxnreg", "nvvm.maxnreg"},
};

/// "4,2,1" from the constant struct that clang makes of an annotation's arguments.
std::string joined_arguments(const llvm::Constant *arguments) {
  std::string text;
  const auto *global = llvm::dyn_cast<llvm::GlobalVariable>(arguments->stripPointerCasts());
  if (!global || !global->hasInitializer()) {
    return text;
  }
  const llvm::Constant *init = global->getInitializer();
  for (unsigned i = 0; const llvm::Constant *element = init->getAggregateElement(i); ++i) {
    if (const auto *number = llvm::dyn_cast<llvm::ConstantInt>(element)) {
      text += (text.empty() ? "" : ",") + std::to_string(number->getZExtValue());
    }
  }
  return text;
}

llvm::StringRef annotation_name(const llvm::Constant *name) {
  const auto *global = llvm::dyn_cast<llvm::GlobalVariable>(name->stripPointerCasts());
  const auto *data = global ? llvm::dyn_cast<llvm::ConstantDataArray>(global->getInitializer()) : nullptr;
  return data && data->isCString() ? data->getAsCString() : "";
}

/// An entry of llvm.global.annotations is {function, name, file, line, arguments}.
void apply_annotations(llvm::Module &module) {
  llvm::GlobalVariable *list = module.getGlobalVariable("llvm.global.annotations");
  if (!list || !list->hasInitializer()) {
    return;
  }
  for (const llvm::Use &use : list->getInitializer()->operands()) {
    const auto *entry = llvm::cast<llvm::ConstantStruct>(use);
    auto *function = llvm::dyn_cast<llvm::Function>(entry->getOperand(0)->stripPointerCasts());
    if (!function) {
      continue;
    }
    for (const KernelAnnotation &row : kKernelAnnotations) {
      std::string arguments = joined_arguments(entry->getOperand(4));
      if (annotation_name(entry->getOperand(1)) == row.annotation && !arguments.empty()) {
        function->addFnAttr(row.attribute, arguments);
      }
    }
  }
  list->eraseFromParent();
}

/// clang externalises static variables of relocatable code under `X__static__<id>` or `X__intern__<id>` when the host uses
/// them, but uses before the host's refer to the undefined `X`.
void join_static_variables(llvm::Module &module) {
  for (llvm::GlobalVariable &definition : llvm::make_early_inc_range(module.globals())) {
    if (definition.isDeclaration()) {
      continue;
    }
    for (const char *mark : {"__static__", "__intern__"}) {
      size_t at = definition.getName().rfind(mark);
      if (at == llvm::StringRef::npos) {
        continue;
      }
      llvm::GlobalVariable *use = module.getGlobalVariable(definition.getName().take_front(at), /*AllowInternal=*/true);
      if (use && use->isDeclaration()) {
        use->replaceAllUsesWith(&definition);
        use->eraseFromParent();
      }
    }
  }
}

void mark_host_functions(llvm::Module &module, const HookFindings &findings) {
  for (const std::string &name : findings.host_calls) {
    llvm::Function *function = module.getFunction(name);
    if (function && function->isDeclaration()) {
      function->addFnAttr("hl.host");
    }
  }
}

}  // namespace

void fix_device_module(llvm::Module &module, const HookFindings &findings) {
  apply_annotations(module);
  join_static_variables(module);
  mark_host_functions(module, findings);
}

}  // namespace hel::cc
