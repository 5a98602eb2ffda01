// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/nvptx/tell_strides_apart.h"

#include "compiler/ir/llvm_headers.h"

#include "llvm/IR/Operator.h"

namespace hel::cc {
namespace {

using llvm::Value;

/// The index without what the back end takes out of it: extensions, and sums with constants.
Value *root_of(Value *index) {
  while (auto *inst = llvm::dyn_cast<llvm::Instruction>(index)) {
    const bool is_sum = inst->getOpcode() == llvm::Instruction::Add || inst->getOpcode() == llvm::Instruction::Or ||
                        inst->getOpcode() == llvm::Instruction::Sub;
    if (!llvm::isa<llvm::SExtInst, llvm::ZExtInst>(inst) &&
        !(is_sum && llvm::isa<llvm::Constant>(inst->getOperand(1)))) {
      break;
    }
    index = inst->getOperand(0);
  }
  return index;
}

struct Offset {
  llvm::SmallMapVector<Value *, llvm::APInt, 4> of_indices;
  llvm::APInt constant;
};

/// Nothing where the address is not known as such a sum, or has no index.
std::optional<Offset> offset_of(const llvm::GetElementPtrInst &address, const llvm::DataLayout &layout) {
  const unsigned bits = layout.getIndexTypeSizeInBits(address.getType());
  Offset offset{{}, llvm::APInt(bits, 0)};
  const bool is_known = address.getType()->isPointerTy() && llvm::cast<llvm::GEPOperator>(address).collectOffset(
                                                                layout, bits, offset.of_indices, offset.constant);
  return is_known && !offset.of_indices.empty() ? std::optional(offset) : std::nullopt;
}

void write_in_bytes(llvm::GetElementPtrInst &address, const Offset &offset, const llvm::DataLayout &layout) {
  llvm::IRBuilder<> b(&address);
  llvm::Type *type = layout.getIndexType(address.getType());
  Value *place = address.getPointerOperand();
  for (const auto &[index, stride] : offset.of_indices) {
    Value *bytes = b.CreateMul(b.CreateSExtOrTrunc(index, type), llvm::ConstantInt::get(type, stride));
    place = b.CreatePtrAdd(place, bytes);
  }
  if (!offset.constant.isZero()) {
    place = b.CreatePtrAdd(place, llvm::ConstantInt::get(type, offset.constant));
  }
  address.replaceAllUsesWith(place);
  address.eraseFromParent();
}

}  // namespace

Result<void> tell_strides_apart(llvm::Module &module, Compilation &) {
  const llvm::DataLayout &layout = module.getDataLayout();
  for (llvm::Function &function : module) {
    llvm::DenseMap<std::pair<Value *, Value *>, llvm::APInt> first_stride;  // by memory and index
    for (llvm::Instruction &inst : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(&inst);
      std::optional<Offset> offset = address ? offset_of(*address, layout) : std::nullopt;
      if (!offset) {
        continue;
      }
      const auto &[index, stride] = offset->of_indices.back();
      Value *memory = address->getPointerOperand()->stripInBoundsConstantOffsets();
      const llvm::APInt &first = first_stride.try_emplace({memory, root_of(index)}, stride).first->second;
      if (first.getBitWidth() != stride.getBitWidth() || first != stride) {
        write_in_bytes(*address, *offset, layout);
      }
    }
  }
  return {};
}

}  // namespace hel::cc
