// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/structure/split_high_products.h"

#include "compiler/ir/llvm_headers.h"

#include "llvm/IR/PatternMatch.h"

namespace hel::cc {
namespace {

using namespace llvm::PatternMatch;

/// The value, or what sums and the like of its low bits make of it, is narrowed to 16 bits.
bool is_narrowed(const llvm::Value &value, unsigned depth) {
  constexpr unsigned kDeepest = 8;
  return depth < kDeepest && llvm::any_of(value.users(), [&](const llvm::User *user) {
           auto *binary = llvm::dyn_cast<llvm::BinaryOperator>(user);
           bool low_bits_only = binary != nullptr && !binary->isShift() && !binary->isIntDivRem();
           return (llvm::isa<llvm::TruncInst>(user) && user->getType()->isIntOrIntVectorTy(16)) ||
                  ((low_bits_only || llvm::isa<llvm::TruncInst, llvm::SelectInst>(user)) &&
                   is_narrowed(*user, depth + 1));
         });
}

/// The upper half of a product that `shift` takes, taken by a shuffle; null where it takes no such bits, or they stay
/// wide.
llvm::Value *split(llvm::Instruction &shift) {
  auto *wide = llvm::dyn_cast<llvm::FixedVectorType>(shift.getType());
  const llvm::APInt *distance = nullptr;
  llvm::Value *product = nullptr;
  if (wide == nullptr || !wide->getElementType()->isIntegerTy(64) ||
      !match(&shift, m_Shr(m_Value(product), m_APInt(distance))) || !match(product, m_Mul(m_Value(), m_Value())) ||
      distance->ult(32) || distance->uge(64) || !is_narrowed(shift, 0)) {
    return nullptr;
  }
  llvm::IRBuilder<> builder(&shift);
  llvm::SmallVector<int, 32> upper;
  for (unsigned lane = 0; lane < wide->getNumElements(); ++lane) {
    upper.push_back(static_cast<int>(2 * lane + 1));
  }
  auto *halves = llvm::FixedVectorType::get(builder.getInt32Ty(), 2 * wide->getNumElements());
  llvm::Value *high = builder.CreateShuffleVector(builder.CreateBitCast(product, halves), upper);
  uint64_t rest = distance->getZExtValue() - 32;
  return shift.getOpcode() == llvm::Instruction::AShr ? builder.CreateSExt(builder.CreateAShr(high, rest), wide)
                                                      : builder.CreateZExt(builder.CreateLShr(high, rest), wide);
}

}  // namespace

Result<void> split_high_products(llvm::Module &module, Compilation &) {
  for (llvm::Function &function : module) {
    for (llvm::Instruction &inst : llvm::make_early_inc_range(llvm::instructions(function))) {
      if (llvm::Value *high = split(inst)) {
        inst.replaceAllUsesWith(high);
        inst.eraseFromParent();
      }
    }
  }
  return {};
}

}  // namespace hel::cc
