// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/lower/contract_products.h"

#include "compiler/ir/llvm_headers.h"

#include "llvm/Analysis/ValueTracking.h"

namespace hel::cc {
namespace {

/// How late a value is ready: the order in which LLVM's Reassociate pass puts the operands of a sum. Arguments come
/// first, then what a block reads or may not move, in its order; an expression comes after its operands. For values of
/// blocks that can be reached.
class Ranks {
public:
  Ranks(llvm::Function &function, const llvm::ReversePostOrderTraversal<llvm::Function *> &blocks) {
    unsigned rank = 2;
    for (llvm::Argument &argument : function.args()) {
      values_[&argument] = ++rank;
    }
    for (llvm::BasicBlock *block : blocks) {
      unsigned in_block = ++rank << 16;
      for (llvm::Instruction &inst : *block) {
        if (llvm::mayHaveNonDefUseDependency(inst)) {
          values_[&inst] = ++in_block;
        }
      }
    }
  }

  /// Walks with a stack of its own: unrolled code has chains of thousands of sums.
  unsigned of(llvm::Value *value) {
    llvm::SmallVector<llvm::Value *, 32> open{value};
    while (!open.empty()) {
      llvm::Value *top = open.back();
      auto *inst = llvm::dyn_cast<llvm::Instruction>(top);
      if (values_.contains(top) || !inst) {
        values_.try_emplace(top, 0);
        open.pop_back();
        continue;
      }
      size_t before = open.size();
      unsigned highest = 0;
      for (llvm::Value *operand : inst->operands()) {
        auto known = values_.find(operand);
        if (known == values_.end()) {
          open.push_back(operand);
        } else {
          highest = std::max(highest, known->second);
        }
      }
      if (open.size() == before) {
        values_[top] = highest + (inst->getOpcode() != llvm::Instruction::FNeg);
        open.pop_back();
      }
    }
    return values_.lookup(value);
  }

private:
  llvm::DenseMap<const llvm::Value *, unsigned> values_;
};

bool is_single_or_double(const llvm::Type *type) {
  return type->getScalarType()->isFloatTy() || type->getScalarType()->isDoubleTy();
}

/// A sum or difference that may take a product; null for anything else.
llvm::BinaryOperator *as_sum(llvm::Value *value) {
  auto *op = llvm::dyn_cast<llvm::BinaryOperator>(value);
  return op && (op->getOpcode() == llvm::Instruction::FAdd || op->getOpcode() == llvm::Instruction::FSub) &&
                 op->hasAllowContract() && is_single_or_double(op->getType())
             ? op
             : nullptr;
}

llvm::BinaryOperator *as_product(llvm::Value *value) {
  auto *op = llvm::dyn_cast<llvm::BinaryOperator>(value);
  return op && op->getOpcode() == llvm::Instruction::FMul && op->hasAllowContract() &&
                 is_single_or_double(op->getType())
             ? op
             : nullptr;
}

/// An operand of a sum that is a product, perhaps negated.
struct Term {
  llvm::BinaryOperator *product = nullptr;
  llvm::UnaryOperator *negation = nullptr;
  bool has_one_use() const { return product->hasOneUse() && (!negation || negation->hasOneUse()); }
};

Term term_of(llvm::Value *operand) {
  auto *negation = llvm::dyn_cast<llvm::UnaryOperator>(operand);
  return negation ? Term{as_product(negation->getOperand(0)), negation} : Term{as_product(operand)};
}

/// Puts llvm.fma in the place of the sum of `term`, its operand of that index, and the other operand.
void fuse(llvm::BinaryOperator &sum, unsigned index, Term term) {
  llvm::IRBuilder<> builder(&sum);
  builder.setFastMathFlags(sum.getFastMathFlags());
  llvm::Value *a = term.product->getOperand(0), *b = term.product->getOperand(1), *c = sum.getOperand(1 - index);
  bool is_difference = sum.getOpcode() == llvm::Instruction::FSub;
  if ((is_difference && index == 1) != (term.negation != nullptr)) {
    a = builder.CreateFNeg(a);
  }
  if (is_difference && index == 0) {
    c = builder.CreateFNeg(c);
  }
  llvm::Value *result = builder.CreateIntrinsic(llvm::Intrinsic::fma, {sum.getType()}, {a, b, c});
  result->takeName(&sum);
  sum.replaceAllUsesWith(result);
  sum.eraseFromParent();
  if (term.negation && term.negation->use_empty()) {
    term.negation->eraseFromParent();
  }
  if (term.product->use_empty()) {
    term.product->eraseFromParent();
  }
}

/// A sum, and whether its second operand is ready before its first, so that a choice between them falls on it.
struct Sum {
  llvm::BinaryOperator *op;
  bool right_first;
};

/// Fuses a product of one use, if there is one.
void fuse_single(Sum sum) {
  Term terms[] = {term_of(sum.op->getOperand(0)), term_of(sum.op->getOperand(1))};
  for (bool right : {sum.right_first, !sum.right_first}) {
    if (terms[right].product && terms[right].has_one_use()) {
      return fuse(*sum.op, right, terms[right]);
    }
  }
}

/// Fuses a product into all of its uses if each is a sum.
void fuse_shared(llvm::BinaryOperator &product) {
  llvm::SmallSetVector<llvm::BinaryOperator *, 8> sums;
  for (llvm::User *user : product.users()) {
    llvm::BinaryOperator *sum = as_sum(user);
    if (!sum) {
      return;
    }
    sums.insert(sum);
  }
  for (llvm::BinaryOperator *sum : sums) {
    fuse(*sum, sum->getOperand(0) != &product, {&product});
  }
}

void contract(llvm::Function &function) {
  llvm::ReversePostOrderTraversal<llvm::Function *> blocks(&function);
  Ranks ranks(function, blocks);
  llvm::SmallVector<Sum, 32> sums;
  for (llvm::BasicBlock *block : blocks) {
    for (llvm::Instruction &inst : *block) {
      if (llvm::BinaryOperator *op = as_sum(&inst)) {
        sums.push_back({op, op->isCommutative() && ranks.of(op->getOperand(1)) < ranks.of(op->getOperand(0))});
      }
    }
  }
  std::ranges::for_each(sums, fuse_single);
  llvm::SmallVector<llvm::BinaryOperator *, 32> shared;
  for (llvm::Instruction &inst : llvm::instructions(function)) {
    if (llvm::BinaryOperator *product = as_product(&inst); product && product->hasNUsesOrMore(2)) {
      shared.push_back(product);
    }
  }
  std::ranges::for_each(shared, [](llvm::BinaryOperator *product) { fuse_shared(*product); });
}

}  // namespace

Result<void> contract_products(llvm::Module &module, Compilation &) {
  for (llvm::Function &function : module) {
    if (!function.isDeclaration()) {
      contract(function);
    }
    for (llvm::Instruction &inst : llvm::instructions(function)) {
      if (llvm::isa<llvm::FPMathOperator>(inst) && inst.hasAllowContract()) {
        inst.setHasAllowContract(false);
      }
    }
  }
  return {};
}

}  // namespace hel::cc
