// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/lower/flush_denormals.h"

#include "compiler/ir/llvm_headers.h"
#include "compiler/passes/lower/math_emitters.h"

namespace hel::cc {
namespace {

bool is_single(const llvm::Value *value) { return value->getType()->getScalarType()->isFloatTy(); }

/// Operations that PTX has with .ftz: arithmetic, comparisons and conversions, but no moves.
bool flushes(const llvm::Instruction &inst) {
  using namespace llvm::Intrinsic;
  if (inst.hasMetadata(kKeepsDenormalsMetadata)) {
    return false;
  }
  if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&inst)) {
    switch (call->getIntrinsicID()) {
    case llvm::Intrinsic::fma:
    case llvm::Intrinsic::fmuladd:
    case llvm::Intrinsic::sqrt:
    case llvm::Intrinsic::fabs:
    case llvm::Intrinsic::minnum:
    case llvm::Intrinsic::maxnum:
    case llvm::Intrinsic::minimum:
    case llvm::Intrinsic::maximum:
    case llvm::Intrinsic::minimumnum:
    case llvm::Intrinsic::maximumnum:
    case llvm::Intrinsic::floor:
    case llvm::Intrinsic::ceil:
    case llvm::Intrinsic::trunc:
    case llvm::Intrinsic::rint:
    case llvm::Intrinsic::roundeven:
    case llvm::Intrinsic::exp2:
    case llvm::Intrinsic::log2:
    case llvm::Intrinsic::sin:
    case llvm::Intrinsic::cos:
      return true;
    default:
      return false;
    }
  }
  switch (inst.getOpcode()) {
  case llvm::Instruction::FAdd:
  case llvm::Instruction::FSub:
  case llvm::Instruction::FMul:
  case llvm::Instruction::FDiv:
  case llvm::Instruction::FRem:
  case llvm::Instruction::FNeg:
  case llvm::Instruction::FCmp:
  case llvm::Instruction::FPExt:
  case llvm::Instruction::FPTrunc:
    return true;
  default:
    return false;
  }
}

/// Values that an operation has flushed already, and constants that are no denormals.
bool is_flushed(const llvm::Value *value, const llvm::SmallPtrSetImpl<llvm::Value *> &flushed) {
  auto *constant = llvm::dyn_cast<llvm::ConstantFP>(value);
  return constant ? !constant->getValueAPF().isDenormal() : flushed.contains(value);
}

void rewrite(llvm::Function &function) {
  llvm::SmallPtrSet<llvm::Value *, 32> flushed;
  for (llvm::Instruction &inst : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (!flushes(inst)) {
      continue;
    }
    llvm::IRBuilder<> before(&inst);
    for (llvm::Use &operand : inst.operands()) {
      if (is_single(operand) && !is_flushed(operand, flushed)) {
        operand.set(flush(before, operand));
      }
    }
    if (!is_single(&inst) || inst.use_empty()) {
      continue;
    }
    llvm::SmallVector<llvm::Use *, 4> uses;
    for (llvm::Use &use : inst.uses()) {
      uses.push_back(&use);
    }
    llvm::IRBuilder<> after(inst.getNextNode());
    llvm::Value *result = flush(after, &inst);
    flushed.insert(result);
    for (llvm::Use *use : uses) {
      use->set(result);
    }
  }
}

}  // namespace

Result<void> flush_denormals(llvm::Module &module, Compilation &) {
  constexpr llvm::StringLiteral kAttribute = "denormal-fp-math-f32";
  for (llvm::Function &function : module) {
    if (function.isDeclaration() || !function.hasFnAttribute(kAttribute)) {
      continue;
    }
    bool asked = function.getDenormalModeF32Raw().Output == llvm::DenormalMode::PreserveSign;
    function.removeFnAttr(kAttribute);
    if (asked) {
      rewrite(function);
    }
  }
  return {};
}

}  // namespace hel::cc
