// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/structure/split_high_products.h"

#include "compiler/ir/llvm_headers.h"

#include "llvm/IR/PatternMatch.h"

namespace hel::cc {
namespace {

using namespace llvm::PatternMatch;

/// `trunc` with the upper half of the product that it narrows taken by a shuffle, or null where it narrows no such
/// bits.
llvm::Value *split(llvm::TruncInst &trunc) {
  auto *wide = llvm::dyn_cast<llvm::FixedVectorType>(trunc.getSrcTy());
  const llvm::APInt *distance = nullptr;
  llvm::Value *shifted = nullptr;
  if (wide == nullptr || !wide->getElementType()->isIntegerTy(64) || !trunc.getType()->isIntOrIntVectorTy(16) ||
      !match(trunc.getOperand(0), m_Shr(m_Value(shifted), m_APInt(distance))) ||
      !match(shifted, m_Mul(m_Value(), m_Value())) || distance->ult(32) || distance->uge(64)) {
    return nullptr;
  }
  llvm::IRBuilder<> builder(&trunc);
  llvm::SmallVector<int, 32> upper;
  for (unsigned lane = 0; lane < wide->getNumElements(); ++lane) {
    upper.push_back(static_cast<int>(2 * lane + 1));
  }
  auto *halves = llvm::FixedVectorType::get(builder.getInt32Ty(), 2 * wide->getNumElements());
  llvm::Value *high = builder.CreateShuffleVector(builder.CreateBitCast(shifted, halves), upper);
  uint64_t rest = distance->getZExtValue() - 32;
  bool is_signed = llvm::cast<llvm::Instruction>(trunc.getOperand(0))->getOpcode() == llvm::Instruction::AShr;
  return builder.CreateTrunc(is_signed ? builder.CreateAShr(high, rest) : builder.CreateLShr(high, rest),
                             trunc.getType());
}

}  // namespace

Result<void> split_high_products(llvm::Module &module, Compilation &) {
  for (llvm::Function &function : module) {
    for (llvm::Instruction &inst : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *trunc = llvm::dyn_cast<llvm::TruncInst>(&inst);
      if (llvm::Value *narrow = trunc != nullptr ? split(*trunc) : nullptr) {
        trunc->replaceAllUsesWith(narrow);
        trunc->eraseFromParent();
      }
    }
  }
  return {};
}

}  // namespace hel::cc
