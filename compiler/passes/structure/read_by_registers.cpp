// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/structure/read_by_registers.h"

#include "compiler/ir/counted_lanes.h"
#include "compiler/ir/llvm_headers.h"
#include "compiler/ir/loop_step.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <deque>
#include <numeric>

namespace hel::cc {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

constexpr unsigned kMostLanes = 64;
constexpr unsigned kMaskedRegisterBits = 512;  ///< of processors with registers for masks

/// The mask of so many first lanes, where lanes may be missing for other reasons too, or on other ways.
bool is_counted(Value *mask, SmallPtrSetImpl<Value *> &seen) {
  Value *a = nullptr, *b = nullptr;
  if (count_in_bits(mask) != nullptr || count_in_comparison(mask) != nullptr) {
    return true;
  }
  if (!seen.insert(mask).second) {
    return false;
  }
  if (match(mask, m_LogicalAnd(m_Value(a), m_Value(b)))) {
    return is_counted(a, seen) || is_counted(b, seen);
  }
  auto *phi = dyn_cast<PHINode>(mask);
  return phi != nullptr && any_of(phi->incoming_values(), [&](Value *value) { return is_counted(value, seen); });
}

unsigned lane_count(const Value *value) {
  const auto *type = dyn_cast<FixedVectorType>(value->getType());
  return type != nullptr ? type->getNumElements() : 0;
}

/// A read under `mask` that leaves nothing in particular in the lanes that are not there.
bool reads_under(const Instruction &inst, const Value *mask) {
  const auto *call = dyn_cast<IntrinsicInst>(&inst);
  const bool reads = call != nullptr && (call->getIntrinsicID() == Intrinsic::masked_gather ||
                                         call->getIntrinsicID() == Intrinsic::masked_load);
  return reads && call->getArgOperand(1) == mask && isa<UndefValue>(call->getArgOperand(2));
}

/// Where nothing in particular stands in a lane of an operand, nothing does in that lane of the result.
bool passes_nothing_on(const Instruction &inst) {
  if (isa<BinaryOperator, UnaryOperator, CmpInst>(inst)) {
    return true;
  }
  if (const auto *cast = dyn_cast<CastInst>(&inst)) {
    return lane_count(cast->getOperand(0)) == lane_count(cast);
  }
  if (const auto *gep = dyn_cast<GetElementPtrInst>(&inst)) {
    return gep->getNumIndices() == 1;
  }
  const auto *call = dyn_cast<IntrinsicInst>(&inst);
  return call != nullptr && (call->getIntrinsicID() == Intrinsic::fma || call->getIntrinsicID() == Intrinsic::fmuladd);
}

/// What a block reads under the mask of a gather, and what it makes of that: as far as nothing needs all lanes of it or
/// might change what is read.
class Slice {
public:
  explicit Slice(IntrinsicInst &gather)
      : block_(*gather.getParent()), mask_(*gather.getArgOperand(1)), count_(count_in_comparison(&mask_)) {
    for (Instruction &inst : block_) {
      const bool uses = any_of(inst.operands(), [&](Value *operand) { return is_member(operand); });
      if (reads_under(inst, &mask_) || (uses && can_follow(inst))) {
        members_.insert(&inst);
      } else if (is_prefetch(inst)) {
        prefetches_.push_back(&inst);
      } else if (uses || inst.isTerminator() || inst.mayWriteToMemory()) {
        end_ = &inst;
        if (members_.contains(&gather)) {
          break;
        }
        members_.clear();
        prefetches_.clear();
      }
    }
    unsigned bits = 32;
    for (const Instruction *member : members_) {
      bits = std::max(bits, reads_under(*member, &mask_) ? member->getType()->getScalarSizeInBits() : 0);
    }
    width_ = gather_register_bits(*block_.getParent()) / bits;
  }

  /// The gather is not for lanes that are to be kept, and there are more of them than a register has.
  bool can_be_split() const { return !members_.empty() && lane_count(&mask_) > width_; }

  void split() {
    BasicBlock *after = SplitBlock(&block_, end_);
    block_.getTerminator()->eraseFromParent();
    IRBuilder<> builder(&block_);
    const unsigned parts = lane_count(&mask_) / width_;
    if (gather_register_bits(*block_.getParent()) < kMaskedRegisterBits) {
      read_full_registers(parts, after, builder);
    } else {
      read_masked_registers(parts, after, builder);
    }
    builder.SetInsertPoint(after, after->begin());
    join(parts, builder);
  }

private:
  using Pieces = DenseMap<Value *, Value *>;

  /// A block that ends what is done in pieces: those of the first registers are made, and the others left out.
  struct Way {
    BasicBlock *from;
    SmallVector<const Pieces *, 8> made;
  };

  /// Masks are registers: each register is read under its own, and none is behind one without lanes.
  void read_masked_registers(unsigned parts, BasicBlock *after, IRBuilder<> &builder) {
    Value *bits = count_ != nullptr ? nullptr : builder.CreateBitCast(&mask_, builder.getIntNTy(lane_count(&mask_)));
    SmallVector<const Pieces *, 8> made;
    for (unsigned part = 0; part < parts; part++) {
      made.push_back(make_pieces(part, false, builder));
      ways_.push_back({builder.GetInsertBlock(), made});
      if (part == 0) {
        keep_first_reads(builder);
      }
      if (part + 1 == parts) {
        builder.CreateBr(after);
        break;
      }
      BasicBlock *more = add_block("more.lanes", after);
      const unsigned next = (part + 1) * width_;
      builder.CreateCondBr(bits != nullptr ? builder.CreateIsNotNull(builder.CreateLShr(bits, next))
                                           : builder.CreateICmpUGT(count_, ConstantInt::get(count_->getType(), next)),
                           more, after);
      builder.SetInsertPoint(more);
    }
  }

  /// Masks are vectors, under which reads take long: only the last register that has lanes is read under one.
  void read_full_registers(unsigned parts, BasicBlock *after, IRBuilder<> &builder) {
    SmallVector<const Pieces *, 8> made;
    for (unsigned part = 0; part < parts; part++) {
      BasicBlock *full = add_block("full", after), *not_full = add_block("not.full", after);
      auto lanes = [&](unsigned registers) { return ConstantInt::get(count_->getType(), registers * width_); };
      builder.CreateCondBr(builder.CreateICmpUGE(count_, lanes(part + 1)), full, not_full);
      builder.SetInsertPoint(not_full);
      if (part > 0) {
        BasicBlock *some = add_block("some", after);
        ways_.push_back({not_full, made});
        builder.CreateCondBr(builder.CreateICmpUGT(count_, lanes(part)), some, after);
        builder.SetInsertPoint(some);
      }
      ways_.push_back({builder.GetInsertBlock(), made});
      ways_.back().made.push_back(make_pieces(part, false, builder));
      builder.CreateBr(after);
      builder.SetInsertPoint(full);
      made.push_back(make_pieces(part, true, builder));
    }
    ways_.push_back({builder.GetInsertBlock(), made});
    builder.CreateBr(after);
  }

  BasicBlock *add_block(const char *name, BasicBlock *before) const {
    return BasicBlock::Create(before->getContext(), name, before->getParent(), before);
  }

  /// The members' pieces for a register, in which all lanes are there or only those of the mask.
  const Pieces *make_pieces(unsigned part, bool all, IRBuilder<> &builder) {
    Pieces &made = pieces_.emplace_back();
    for (Instruction *member : members_) {
      made[member] = piece_of_member(*member, part, all, made, builder);
    }
    return &made;
  }

  /// The first lanes' reads are on their way when the processor guesses whether there are more. Code generation would
  /// move them to where all pieces meet, but moves no read past a prefetch.
  void keep_first_reads(IRBuilder<> &builder) const {
    for (Instruction *prefetch : prefetches_) {
      prefetch->removeFromParent();
      builder.Insert(prefetch);
    }
  }

  bool is_member(const Value *value) const {
    const auto *inst = dyn_cast<Instruction>(value);
    return inst != nullptr && members_.contains(const_cast<Instruction *>(inst));
  }

  /// What uses members can be one. A choice between a member, where there are lanes, and something else has the latter
  /// in all lanes of a register that has none; what is made of that is worked on in all lanes.
  bool can_follow(const Instruction &inst) const {
    if (lane_count(&inst) != lane_count(&mask_) ||
        any_of(inst.operands(), [&](Value *operand) { return is_member(operand) && isa<SelectInst>(operand); })) {
      return false;
    }
    const auto *choice = dyn_cast<SelectInst>(&inst);
    return choice != nullptr ? choice->getCondition() == &mask_ && !is_member(choice->getFalseValue())
                             : passes_nothing_on(inst);
  }

  Value *piece(Value *vector, unsigned part, IRBuilder<> &builder) const {
    SmallVector<int, kMostLanes> lanes(width_);
    std::iota(lanes.begin(), lanes.end(), part * width_);
    return builder.CreateShuffleVector(vector, lanes);
  }

  /// A mask that is a comparison is compared in the block that uses it: between blocks it would be a vector of bytes.
  Value *piece_of_mask(unsigned part, bool all, IRBuilder<> &builder) const {
    if (all) {
      return Constant::getAllOnesValue(FixedVectorType::get(builder.getInt1Ty(), width_));
    }
    return count_ != nullptr ? compare_lanes(builder, count_, part * width_, width_) : piece(&mask_, part, builder);
  }

  Value *piece_of_member(Instruction &member, unsigned part, bool all, const Pieces &made, IRBuilder<> &builder) const {
    builder.SetCurrentDebugLocation(member.getDebugLoc());
    auto of = [&](Value *operand) {
      Value *known = operand == &mask_ ? piece_of_mask(part, all, builder) : made.lookup(operand);
      return known != nullptr || lane_count(operand) == 0 ? (known != nullptr ? known : operand)
                                                          : piece(operand, part, builder);
    };
    auto *type = FixedVectorType::get(member.getType()->getScalarType(), width_);
    if (reads_under(member, &mask_)) {
      return piece_read(cast<IntrinsicInst>(member), type, part, all, of, builder);
    }
    if (all && isa<SelectInst>(member)) {
      return made.lookup(cast<SelectInst>(member).getTrueValue());
    }
    if (auto *call = dyn_cast<IntrinsicInst>(&member)) {
      SmallVector<Value *, 3> arguments;
      transform(call->args(), std::back_inserter(arguments), of);
      CallInst *copy = builder.CreateIntrinsic(call->getIntrinsicID(), {type}, arguments);
      copy->copyIRFlags(call);
      return copy;
    }
    Instruction *copy = member.clone();
    for (Use &operand : copy->operands()) {
      operand.set(of(operand.get()));
    }
    copy->mutateType(type);
    return builder.Insert(copy);
  }

  Value *piece_read(IntrinsicInst &read, FixedVectorType *type, unsigned part, bool all,
                    function_ref<Value *(Value *)> of, IRBuilder<> &builder) const {
    Value *place = read.getArgOperand(0), *mask = piece_of_mask(part, all, builder);
    const Align align = read.getParamAlign(0).valueOrOne();
    Instruction *made = nullptr;
    if (read.getIntrinsicID() == Intrinsic::masked_gather) {
      made = builder.CreateMaskedGather(type, of(place), align, mask);
    } else {
      const uint64_t offset = uint64_t{part} * width_ * type->getScalarSizeInBits() / 8;
      place = offset == 0 ? place : builder.CreatePtrAdd(place, builder.getInt64(offset));
      made = all ? static_cast<Instruction *>(builder.CreateAlignedLoad(type, place, commonAlignment(align, offset)))
                 : builder.CreateMaskedLoad(type, place, commonAlignment(align, offset), mask);
    }
    made->setAAMetadata(read.getAAMetadata());
    return made;
  }

  /// What a member is in the lanes of a register that has none, as the first block ends.
  Value *skipped(Instruction &member, unsigned part) const {
    auto *choice = dyn_cast<SelectInst>(&member);
    IRBuilder<> builder(block_.getTerminator());
    return choice != nullptr ? piece(choice->getFalseValue(), part, builder)
                             : Constant::getNullValue(FixedVectorType::get(member.getType()->getScalarType(), width_));
  }

  /// The members again in all lanes, for what comes after; nothing in particular where there are no lanes.
  void join(unsigned parts, IRBuilder<> &builder) {
    BasicBlock *after = builder.GetInsertBlock();
    for (Instruction *member : reverse(members_)) {
      if (!member->use_empty()) {
        SmallVector<Value *, 8> joined;
        for (unsigned part = 0; part < parts; part++) {
          Value *without = skipped(*member, part);
          PHINode *phi = PHINode::Create(without->getType(), ways_.size(), "", after->begin());
          for (const Way &way : ways_) {
            phi->addIncoming(part < way.made.size() ? way.made[part]->lookup(member) : without, way.from);
          }
          Value *same = phi->hasConstantValue();
          if (same != nullptr) {
            phi->eraseFromParent();
          }
          joined.push_back(same != nullptr ? same : phi);
        }
        member->replaceAllUsesWith(concatenateVectors(builder, joined));
      }
      member->eraseFromParent();
    }
  }

  BasicBlock &block_;
  Value &mask_;
  Value *count_;  ///< how many first lanes, where the mask is a comparison with that; or null
  SetVector<Instruction *> members_;
  SmallVector<Instruction *, 8> prefetches_;
  std::deque<Pieces> pieces_;  ///< of each register that is read somewhere
  std::vector<Way> ways_;
  Instruction *end_ = nullptr;  ///< the first that is not worked on in pieces
  unsigned width_ = 0;          ///< lanes of a register
};

}  // namespace

Result<void> read_by_registers(Module &module, Compilation &) {
  for (Function &function : module) {
    if (function.isDeclaration() || gather_register_bits(function) == 0) {
      continue;
    }
    const bool masks_are_vectors = gather_register_bits(function) < kMaskedRegisterBits;
    SmallVector<WeakVH, 16> gathers;
    for (Instruction &inst : instructions(function)) {
      auto *call = dyn_cast<IntrinsicInst>(&inst);
      SmallPtrSet<Value *, 8> seen;
      if (call != nullptr && call->getIntrinsicID() == Intrinsic::masked_gather &&
          (masks_are_vectors ? count_in_comparison(call->getArgOperand(1)) != nullptr
                             : is_counted(call->getArgOperand(1), seen))) {
        gathers.push_back(call);
      }
    }
    for (const WeakVH &gather : gathers) {
      if (gather == nullptr) {
        continue;  // split with another
      }
      if (Slice slice(*cast<IntrinsicInst>(gather)); slice.can_be_split()) {
        slice.split();
      }
    }
  }
  return {};
}

}  // namespace hel::cc
