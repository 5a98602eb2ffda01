// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/nvptx/keep_for_ptx.h"

#include "compiler/ir/kernel_facts.h"
#include "compiler/ir/llvm_headers.h"
#include "compiler/ir/run_passes.h"
#include "compiler/passes/structure/keep_reachable.h"

#include "abi/image.h"

#include "llvm/Transforms/IPO/GlobalDCE.h"

namespace hel::cc {
namespace {

/// Marks a variable in the way that the NVPTX back end reads.
void annotate(llvm::GlobalVariable &variable, llvm::StringRef what) {
  llvm::LLVMContext &context = variable.getContext();
  llvm::Metadata *operands[] = {
      llvm::ValueAsMetadata::get(&variable), llvm::MDString::get(context, what),
      llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), 1))};
  variable.getParent()->getOrInsertNamedMetadata("nvvm.annotations")->addOperand(llvm::MDNode::get(context, operands));
}

/// Gives `x.managed` its PTX name, makes it managed memory, and lets `x` point to it from the start.
void place_managed_variables(llvm::Module &module) {
  constexpr llvm::StringLiteral kSuffix = ".managed";
  for (llvm::GlobalVariable &storage : llvm::make_early_inc_range(module.globals())) {
    if (!storage.getName().ends_with(kSuffix) || storage.isDeclaration()) {
      continue;
    }
    std::string name = storage.getName().drop_back(kSuffix.size()).str();
    llvm::GlobalVariable *pointer = module.getNamedGlobal(name);
    if (!pointer) {
      continue;
    }
    storage.setName(name + abi::kManagedStorage);
    storage.setLinkage(llvm::GlobalValue::ExternalLinkage);
    annotate(storage, "managed");
    pointer->setInitializer(llvm::ConstantExpr::getPointerBitCastOrAddrSpaceCast(&storage, pointer->getValueType()));
    pointer->setConstant(false);
  }
}

void keep_function(llvm::Function &function, bool relocatable) {
  function.setComdat(nullptr);
  if (function.hasAvailableExternallyLinkage()) {
    function.deleteBody();
  } else if (is_kernel(function)) {
    function.setLinkage(llvm::GlobalValue::ExternalLinkage);
  } else if (!relocatable || function.getName().starts_with("__hl_")) {
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
  function.setVisibility(llvm::GlobalValue::DefaultVisibility);
  if (function.hasFnAttribute("hl.block_size")) {
    function.addFnAttr("nvvm.reqntid", function.getFnAttribute("hl.block_size").getValueAsString());
  }
}

void keep_variable(llvm::GlobalVariable &variable, bool relocatable) {
  variable.setComdat(nullptr);
  if (variable.isDeclaration() || variable.hasLocalLinkage()) {
    return;
  }
  variable.setVisibility(llvm::GlobalValue::DefaultVisibility);
  bool named_by_host = (variable.getAddressSpace() == kGlobal || variable.getAddressSpace() == kConst) &&
                       !variable.isDiscardableIfUnused();
  if (named_by_host) {
    variable.setLinkage(llvm::GlobalValue::ExternalLinkage);
  } else if (!relocatable) {
    variable.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
}

/// A texture or surface reference is a variable that holds an object's number, as on the CPU: it must not become a
/// .texref.
void make_references_plain(llvm::Module &module) {
  llvm::NamedMDNode *annotations = module.getNamedMetadata("nvvm.annotations");
  if (!annotations) {
    return;
  }
  llvm::SmallVector<llvm::MDNode *> kept;
  for (llvm::MDNode *annotation : annotations->operands()) {
    auto *kind = annotation->getNumOperands() > 1 ? llvm::dyn_cast<llvm::MDString>(annotation->getOperand(1)) : nullptr;
    if (!kind || (kind->getString() != "texture" && kind->getString() != "surface")) {
      kept.push_back(annotation);
    } else if (auto *reference = llvm::mdconst::dyn_extract_or_null<llvm::GlobalVariable>(annotation->getOperand(0))) {
      reference->setLinkage(
          llvm::GlobalValue::ExternalLinkage);  // the host writes it, also where the source says static
      reference->setExternallyInitialized(true);
    }
  }
  annotations->clearOperands();
  for (llvm::MDNode *annotation : kept) {
    annotations->addOperand(annotation);
  }
}

/// PTX identifiers have letters, digits, '_' and '$' only. What nobody looks up by name is renamed by the back end.
void check_names(llvm::Module &module, Compilation &compilation) {
  for (llvm::GlobalObject &object : module.global_objects()) {
    bool is_intrinsic = object.getName().starts_with("llvm.");
    if (!object.hasLocalLinkage() && !is_intrinsic && object.getName().contains('.')) {
      compilation.diagnostics.error("'" + object.getName() + "' cannot be a name in PTX");
    }
  }
}

}  // namespace

Result<void> keep_for_ptx(llvm::Module &module, Compilation &compilation) {
  bool relocatable = compilation.options.relocatable;
  release_used_lists(module);
  place_managed_variables(module);
  make_references_plain(module);
  for (llvm::Function &function : module) {
    if (!function.isDeclaration()) {
      keep_function(function, relocatable);
    }
  }
  for (llvm::GlobalVariable &variable : module.globals()) {
    keep_variable(variable, relocatable);
  }
  run_llvm_passes(module, nullptr, [](llvm::PassBuilder &, llvm::ModulePassManager &manager) {
    manager.addPass(llvm::GlobalDCEPass());
  });
  check_names(module, compilation);
  return {};
}

}  // namespace hel::cc
