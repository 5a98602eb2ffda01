// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/structure/cut_long_blocks.h"

#include "compiler/ir/machine_size.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace hel::cc {
namespace {

constexpr uint64_t kLongest = 1000;  ///< machine instructions

/// Where another block is to begin; null if the rest is short enough.
llvm::Instruction *place_of_cut(llvm::BasicBlock &block) {
  uint64_t size = 0;
  for (llvm::Instruction &inst : block) {
    if (size > kLongest && !inst.isTerminator()) {
      return &inst;
    }
    // Stack space of a fixed size is what stands in the first block.
    bool stays_in_front = llvm::isa<llvm::PHINode, llvm::AllocaInst>(inst);
    size = stays_in_front ? 0 : size + machine_instructions(inst);
  }
  return nullptr;
}

/// Ends the block in front of `at`; returns the next one.
llvm::BasicBlock *cut(llvm::Instruction &at, llvm::BasicBlock *&never) {
  llvm::BasicBlock *block = at.getParent(), *on = llvm::SplitBlock(block, &at);
  llvm::Function &function = *block->getParent();
  if (never == nullptr) {
    never = llvm::BasicBlock::Create(function.getContext(), "never", &function);
    llvm::IRBuilder<> builder(never);
    builder.CreateIntrinsic(llvm::Intrinsic::trap, {});
    builder.CreateUnreachable();
  }
  llvm::IRBuilder<> builder(block->getTerminator());
  llvm::Type *i32 = builder.getInt32Ty();
  auto *unknown = llvm::InlineAsm::get(llvm::FunctionType::get(i32, {i32}, false), "", "=r,0", false);
  llvm::Value *no = builder.CreateIsNotNull(builder.CreateCall(unknown, {builder.getInt32(0)}));
  builder.CreateCondBr(no, never, on, llvm::MDBuilder(function.getContext()).createUnlikelyBranchWeights());
  block->getTerminator()->eraseFromParent();
  return on;
}

/// A value of a register or a mask, which comes from elsewhere and is used so often that LLVM's walks over all uses of
/// a register take as long as the rest.
bool is_worn_out(const llvm::Value &value, const llvm::BasicBlock &block) {
  constexpr unsigned kManyUses = 500;
  const auto *inst = llvm::dyn_cast<llvm::Instruction>(&value);
  const llvm::Type *type = value.getType();
  bool from_elsewhere = inst != nullptr ? inst->getParent() != &block && !llvm::isa<llvm::AllocaInst>(inst)
                                        : llvm::isa<llvm::Argument>(value);
  bool fits = type->isIntegerTy(32) || type->isIntegerTy(64) || type->isPointerTy() ||
              (type->isVectorTy() && type->isIntOrIntVectorTy(1) && type->getPrimitiveSizeInBits() == 32);
  return from_elsewhere && fits && value.hasNUsesOrMore(kManyUses);
}

/// What the block begins with: another register for such values.
void renew_values(llvm::BasicBlock &block) {
  llvm::MapVector<llvm::Value *, llvm::SmallVector<llvm::Use *, 16>> worn_out;
  for (llvm::Instruction &inst : block) {
    for (llvm::Use &operand : inst.operands()) {
      if (is_worn_out(*operand, block)) {
        worn_out[operand].push_back(&operand);
      }
    }
  }
  llvm::IRBuilder<> builder(&block, block.begin());
  for (auto &[value, uses] : worn_out) {
    llvm::Type *type = value->getType(), *carried = type->isVectorTy() ? builder.getInt32Ty() : type;
    auto *same = llvm::InlineAsm::get(llvm::FunctionType::get(carried, {carried}, false), "", "=r,0", false);
    llvm::Value *renewed = builder.CreateCall(same, {builder.CreateBitCast(value, carried)});
    renewed = builder.CreateBitCast(renewed, type, value->getName());
    for (llvm::Use *use : uses) {
      use->set(renewed);
    }
  }
}

}  // namespace

Result<void> cut_long_blocks(llvm::Module &module, Compilation &compilation) {
  if (compilation.options.debug || compilation.options.optimise == 0) {
    return {};
  }
  for (llvm::Function &function : module) {
    llvm::BasicBlock *never = nullptr;
    llvm::SmallVector<llvm::BasicBlock *, 16> blocks(llvm::make_pointer_range(function));
    for (llvm::BasicBlock *block : blocks) {
      while (llvm::Instruction *at = place_of_cut(*block)) {
        block = cut(*at, never);
        renew_values(*block);
        // The tuning of some processors asks for a second scheduler, whose time is most of all in long blocks.
        function.removeFnAttr("tune-cpu");
      }
    }
  }
  return {};
}

}  // namespace hel::cc
