// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/lower/lower_atomics.h"

#include "compiler/ir/llvm_headers.h"

namespace hel::cc {
namespace {

/// All scopes are one on a machine with coherent caches.
void drop_scope(llvm::Instruction &inst) {
  constexpr llvm::SyncScope::ID kSystem = llvm::SyncScope::System;
  if (auto *rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(&inst)) {
    rmw->setSyncScopeID(kSystem);
  } else if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&inst)) {
    exchange->setSyncScopeID(kSystem);
  } else if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&inst); load && load->isAtomic()) {
    load->setSyncScopeID(kSystem);
  } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&inst); store && store->isAtomic()) {
    store->setSyncScopeID(kSystem);
  } else if (auto *fence = llvm::dyn_cast<llvm::FenceInst>(&inst)) {
    fence->setSyncScopeID(kSystem);
  }
}

std::optional<llvm::AtomicRMWInst::BinOp> operation(llvm::StringRef name, bool is_float) {
  using Op = llvm::AtomicRMWInst::BinOp;
  return llvm::StringSwitch<std::optional<Op>>(name)
      .Case("add", is_float ? Op::FAdd : Op::Add)
      .Case("and", Op::And)
      .Case("or", Op::Or)
      .Case("xor", Op::Xor)
      .Case("exch", Op::Xchg)
      .Case("max", Op::Max)
      .Case("min", Op::Min)
      .Case("inc", Op::UIncWrap)
      .Case("dec", Op::UDecWrap)
      .Default(std::nullopt);
}

/// llvm.nvvm.atomic.<op>.gen.<i|f>.<cta|sys>
void lower_intrinsic(llvm::CallInst &call, llvm::StringRef name) {
  llvm::IRBuilder<> builder(&call);
  constexpr llvm::AtomicOrdering kRelaxed = llvm::AtomicOrdering::Monotonic;
  llvm::Value *pointer = call.getArgOperand(0);
  llvm::Value *result = nullptr;
  if (name.starts_with("cas.")) {
    llvm::Value *pair = builder.CreateAtomicCmpXchg(pointer, call.getArgOperand(1), call.getArgOperand(2),
                                                    llvm::MaybeAlign(), kRelaxed, kRelaxed);
    result = builder.CreateExtractValue(pair, 0);
  } else if (auto op = operation(name.split('.').first, call.getType()->isFloatingPointTy())) {
    result = builder.CreateAtomicRMW(*op, pointer, call.getArgOperand(1), llvm::MaybeAlign(), kRelaxed);
  } else {
    return;
  }
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

}  // namespace

Result<void> lower_atomics(llvm::Module &module, Compilation &) {
  for (llvm::Function &function : module) {
    for (llvm::Instruction &inst : llvm::instructions(function)) {
      drop_scope(inst);
    }
  }
  for (llvm::Function &declaration : llvm::make_early_inc_range(module)) {
    llvm::StringRef name = declaration.getName();
    if (!name.consume_front("llvm.nvvm.atomic.")) {
      continue;
    }
    for (llvm::User *user : llvm::make_early_inc_range(declaration.users())) {
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(user)) {
        lower_intrinsic(*call, name);
      }
    }
    if (declaration.use_empty()) {
      declaration.eraseFromParent();
    }
  }
  return {};
}

}  // namespace hel::cc
