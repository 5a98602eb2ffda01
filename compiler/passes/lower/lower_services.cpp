// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/lower/lower_services.h"

#include "compiler/ir/llvm_headers.h"
#include "compiler/ir/thread_state.h"

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
  return {};
}

}  // namespace hel::cc
