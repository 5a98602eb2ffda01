// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/lower/lower_services.h"

#include "compiler/ir/llvm_headers.h"
#include "compiler/ir/thread_state.h"

#include "llvm/Analysis/ValueTracking.h"

namespace hel::cc {
namespace {

struct Service {
  llvm::StringRef name;      ///< as device code calls it
  llvm::StringRef engine;    ///< of abi/engine.h
  unsigned arguments;        ///< that are passed on
  bool returns;
};

constexpr Service kServices[] = {
    {"vprintf", "__hl_vprintf", 2, true},
    {"malloc", "__hl_malloc", 1, true},
    {"free", "__hl_free", 1, true},
    {"__assertfail", "__hl_assert_fail", 4, false},
    {"__assert_fail", "__hl_assert_fail", 4, false},
    {"llvm.trap", "__hl_trap", 0, false},
    {"llvm.debugtrap", "__hl_trap", 0, false},
    {"llvm.ubsantrap", "__hl_trap", 0, false},
};

void replace_call(llvm::CallInst &call, const Service &service) {
  llvm::IRBuilder<> builder(&call);
  llvm::SmallVector<llvm::Value *, 4> arguments(call.arg_begin(), call.arg_begin() + service.arguments);
  llvm::CallInst *engine = emit_engine_call(builder, service.engine, call.getType(), arguments);
  if (!service.returns) {
    engine->setDoesNotReturn();
    engine->getCalledFunction()->setDoesNotReturn();
  }
  call.replaceAllUsesWith(engine);
  call.eraseFromParent();
}

/// __nvvm_reflect("__CUDA_FTZ") asks how the module is compiled; other questions get 0.
void answer_reflection(llvm::Module &module) {
  for (const char *name : {"__nvvm_reflect", "llvm.nvvm.reflect"}) {
    llvm::Function *function = module.getFunction(name);
    if (!function) {
      continue;
    }
    for (llvm::User *user : llvm::make_early_inc_range(function->users())) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(user);
      llvm::StringRef question;
      if (!call || !llvm::getConstantStringInfo(call->getArgOperand(0), question)) {
        continue;
      }
      auto *ftz = llvm::mdconst::extract_or_null<llvm::ConstantInt>(module.getModuleFlag("nvvm-reflect-ftz"));
      uint64_t answer = question == "__CUDA_FTZ" && ftz ? ftz->getZExtValue() : 0;
      call->replaceAllUsesWith(llvm::ConstantInt::get(call->getType(), answer));
      call->eraseFromParent();
    }
    if (function->use_empty()) {
      function->eraseFromParent();
    }
  }
}

}  // namespace

Result<void> lower_services(llvm::Module &module, Compilation &) {
  for (const Service &service : kServices) {
    llvm::Function *function = module.getFunction(service.name);
    if (!function || !function->isDeclaration()) {
      continue;
    }
    for (llvm::User *user : llvm::make_early_inc_range(function->users())) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(user);
      if (call && call->getCalledOperand() == function && call->arg_size() >= service.arguments) {
        replace_call(*call, service);
      }
    }
    if (function->use_empty()) {
      function->eraseFromParent();
    } else if (!function->isIntrinsic()) {
      function->setName(service.engine);  // its address is taken
    }
  }
  answer_reflection(module);
  return {};
}

}  // namespace hel::cc
