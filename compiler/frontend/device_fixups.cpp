// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/device_fixups.h"

#include "compiler/frontend/hooks.h"
#include "compiler/frontend/managed_pointers.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

namespace hel::cc {
namespace {

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

/// The built-in variables are empty objects whose members read special registers. Unoptimised code takes their address.
void define_builtin_variables(llvm::Module &module) {
  for (const char *name : {"threadIdx", "blockIdx", "blockDim", "gridDim", "clusterIdx", "clusterDim"}) {
    llvm::GlobalVariable *variable = module.getGlobalVariable(name);
    if (variable && variable->isDeclaration()) {
      variable->setInitializer(llvm::Constant::getNullValue(variable->getValueType()));
      variable->setLinkage(llvm::GlobalValue::InternalLinkage);
      variable->setConstant(true);
    }
  }
}

/// The flag answers __nvvm_reflect("__CUDA_FTZ"), which is not SIMT IR, and would contradict the device library's. What -ftz asks
/// for stands on the functions ("denormal-fp-math-f32").
void drop_reflect_flag(llvm::Module &module) {
  llvm::NamedMDNode *flags = module.getModuleFlagsMetadata();
  if (!flags) {
    return;
  }
  llvm::SmallVector<llvm::MDNode *, 8> kept;
  for (llvm::MDNode *flag : flags->operands()) {
    const auto *name = llvm::dyn_cast<llvm::MDString>(flag->getOperand(1));
    if (!name || name->getString() != "nvvm-reflect-ftz") {
      kept.push_back(flag);
    }
  }
  flags->clearOperands();
  for (llvm::MDNode *flag : kept) {
    flags->addOperand(flag);
  }
}

void mark_host_functions(llvm::Module &module, const HookState &state) {
  for (const std::string &name : state.host_calls) {
    llvm::Function *function = module.getFunction(name);
    if (function && function->isDeclaration()) {
      function->addFnAttr("hl.host");
    }
  }
}

/// Kernels say which architecture their source saw: libraries ask for it (cudaFuncGetAttributes).
void note_arch(llvm::Module &module, int arch) {
  for (llvm::Function &function : module) {
    if (arch != 0 && !function.isDeclaration() && function.getCallingConv() == llvm::CallingConv::PTX_Kernel) {
      function.addFnAttr("hl.arch", std::to_string(arch));
    }
  }
}

}  // namespace

void fix_device_module(llvm::Module &module, const HookState &state) {
  note_arch(module, state.rules.arch);
  join_static_variables(module);
  join_managed_pointers(module);
  define_builtin_variables(module);
  drop_reflect_flag(module);
  mark_host_functions(module, state);
}

}  // namespace hel::cc
