// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/vectorise/callees.h"

#include "compiler/ir/kernel_facts.h"
#include "compiler/ir/llvm_headers.h"
#include "compiler/ir/simt_ops.h"
#include "compiler/ir/thread_state.h"

namespace hel::cc {

using namespace llvm;

namespace {

/// Of a function without a body.
CalleeKind kind_of_declared(const Function &function) {
  StringRef name = function.getName();
  if (name.starts_with("llvm.nvvm.")) {
    const SimtOp *op = find_simt_op(function);
    if (op == nullptr || op->effect == Effect::Sync || op->effect == Effect::Ends) {
      return CalleeKind::MeetsOthers;
    }
    return op->uniform == Uniform::Thread || op->uniform == Uniform::Warp ? CalleeKind::AsksWhoCalls
                                                                          : CalleeKind::Alone;
  }
  if (function.isIntrinsic()) {
    return CalleeKind::Alone;
  }
  return is_meeting_point(name) || name == "__hl_exit" ? CalleeKind::MeetsOthers : CalleeKind::AsksWhoCalls;
}

CalleeKind kind_of_call(const CallBase &call) {
  if (call.isInlineAsm()) {
    return CalleeKind::MeetsOthers;
  }
  const auto *callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts());
  // What has a body, or is called by a pointer, is looked at itself.
  return callee == nullptr || !callee->isDeclaration() ? CalleeKind::Alone : kind_of_declared(*callee);
}

CalleeKind kind_of_all(const SetVector<Function *> &functions) {
  CalleeKind kind = CalleeKind::Alone;
  for (Function *function : functions) {
    for (const Instruction &inst : instructions(*function)) {
      if (const auto *call = dyn_cast<CallBase>(&inst)) {
        kind = std::max(kind, kind_of_call(*call));
      }
    }
  }
  return kind;
}

}  // namespace

CalleeKind Callees::kind_by_pointer(Module &module, const FunctionType &type) const {
  SetVector<Function *> functions;
  for (Function &function : module) {
    if (!function.isDeclaration() && !is_kernel(function) && function.getFunctionType() == &type &&
        function.hasAddressTaken() && !functions.contains(&function)) {
      functions.insert_range(functions_reached(function).functions);
    }
  }
  return kind_of_all(functions);
}

CalleeKind Callees::kind_of(CallBase &call) {
  Function *callee = call.getCalledFunction();
  if (callee != nullptr && callee->isDeclaration()) {
    return kind_of_declared(*callee);
  }
  if (callee != nullptr) {
    auto [known, fresh] = by_name_.try_emplace(callee, CalleeKind::Alone);
    if (fresh) {
      known->second = kind_of_all(functions_reached(*callee).functions);
    }
    return known->second;
  }
  auto [known, fresh] = by_pointer_.try_emplace(call.getFunctionType(), CalleeKind::Alone);
  if (fresh) {
    known->second = kind_by_pointer(*call.getFunction()->getParent(), *call.getFunctionType());
  }
  return known->second;
}

}  // namespace hel::cc
