// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/structure/narrow_lanes.h"

#include "compiler/ir/llvm_headers.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

#include <bit>
#include <numeric>

namespace hel::cc {
namespace {

using namespace llvm;

constexpr unsigned kMostLanes = 64;
constexpr unsigned kLeastBits = 128;  ///< of a vector: narrower ones gain nothing

using Lanes = uint64_t;  ///< a bit for each lane

Lanes all_lanes(unsigned count) { return count == 64 ? ~Lanes{0} : (Lanes{1} << count) - 1; }

/// Lanes of a vector value that can be narrowed; 0 for all else.
unsigned lane_count(const Value *value) {
  const auto *type = dyn_cast<FixedVectorType>(value->getType());
  return type != nullptr && type->getNumElements() <= kMostLanes ? type->getNumElements() : 0;
}

/// Each lane of the result is computed from the same lane of the operands (or from what is the same for all).
bool is_elementwise(const Instruction &inst) {
  if (isa<BinaryOperator, UnaryOperator, CmpInst, SelectInst, FreezeInst>(inst)) {
    return true;
  }
  if (const auto *cast = dyn_cast<CastInst>(&inst)) {
    return lane_count(cast->getOperand(0)) == lane_count(cast);
  }
  const auto *call = dyn_cast<IntrinsicInst>(&inst);
  return call != nullptr && isTriviallyVectorizable(call->getIntrinsicID()) && call->doesNotAccessMemory() &&
         !call->getType()->isStructTy();
}

bool can_be_narrowed(const Instruction &inst) {
  return lane_count(&inst) != 0 && (isa<ShuffleVectorInst>(inst) || is_elementwise(inst));
}

class NarrowLanes {
public:
  explicit NarrowLanes(Function &function) : function_(function) {}

  void run() {
    find_demand();
    SmallVector<WeakTrackingVH, 16> dead;
    for (Instruction *inst : order_) {
      if (unsigned lanes = lanes_needed(*inst); lanes * 2 <= lane_count(inst)) {
        Value *narrow = narrowed(*inst, lanes);
        inst->replaceAllUsesWith(widened(narrow, lane_count(inst), inst->getNextNode()));
        dead.push_back(inst);
      }
    }
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
  }

private:
  /// Which lanes are looked at, from the users up to what they use.
  void find_demand() {
    for (Instruction &inst : instructions(function_)) {
      if (can_be_narrowed(inst)) {
        order_.push_back(&inst);
      }
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (Instruction *inst : reverse(order_)) {
        Lanes &known = demand_[inst], now = 0;
        for (const Use &use : inst->uses()) {
          now |= demand_of(use);
        }
        changed |= now != known;
        known = now;
      }
    }
  }

  Lanes demand_of(const Use &use) const {
    const auto *user = cast<Instruction>(use.getUser());
    const unsigned count = lane_count(use.get());
    if (const auto *extract = dyn_cast<ExtractElementInst>(user)) {
      const auto *index = dyn_cast<ConstantInt>(extract->getIndexOperand());
      return index != nullptr && index->getValue().ult(count) ? Lanes{1} << index->getZExtValue() : all_lanes(count);
    }
    if (const auto *store = dyn_cast<IntrinsicInst>(user);
        store != nullptr && store->getIntrinsicID() == Intrinsic::masked_store && use.getOperandNo() == 0) {
      return lanes_of(store->getArgOperand(2), count);
    }
    if (!can_be_narrowed(*user)) {
      return all_lanes(count);
    }
    const Lanes wanted = demand_.lookup(user);
    const auto *shuffle = dyn_cast<ShuffleVectorInst>(user);
    if (shuffle == nullptr) {
      return wanted;
    }
    Lanes lanes = 0;
    for (auto [lane, from] : enumerate(shuffle->getShuffleMask())) {
      if (from >= 0 && (wanted >> lane & 1) != 0 && static_cast<unsigned>(from) / count == use.getOperandNo()) {
        lanes |= Lanes{1} << (static_cast<unsigned>(from) % count);
      }
    }
    return lanes;
  }

  /// The lanes that `mask` may have.
  static Lanes lanes_of(const Value *mask, unsigned count) {
    const auto *constant = dyn_cast<Constant>(mask);
    Lanes lanes = 0;
    for (unsigned lane = 0; lane < count; lane++) {
      const auto *bit =
          constant != nullptr ? dyn_cast_or_null<ConstantInt>(constant->getAggregateElement(lane)) : nullptr;
      lanes |= Lanes{bit == nullptr || bit->isOne()} << lane;
    }
    return lanes;
  }

  /// The lowest lanes, in a power of two, that have all that are looked at.
  unsigned lanes_needed(const Instruction &inst) const {
    const Lanes lanes = demand_.lookup(&inst);
    if (lanes == 0) {
      return kMostLanes;
    }
    const unsigned bits =
        std::max<unsigned>(inst.getType()->getScalarType()->getPrimitiveSizeInBits().getFixedValue(), 32);
    return std::max(std::bit_ceil(static_cast<unsigned>(std::bit_width(lanes))), kLeastBits / bits);
  }

  /// `vector` with `count` lanes, of which the first are its own.
  static Value *widened(Value *vector, unsigned count, Instruction *before) {
    IRBuilder<> builder(before);
    SmallVector<int, kMostLanes> lanes(count, PoisonMaskElem);
    std::iota(lanes.begin(), lanes.begin() + lane_count(vector), 0);
    return builder.CreateShuffleVector(vector, lanes);
  }

  /// What `vector` was widened from, or itself.
  static Value *without_padding(Value *vector) {
    auto *shuffle = dyn_cast<ShuffleVectorInst>(vector);
    return shuffle != nullptr && shuffle->isIdentityWithPadding() ? shuffle->getOperand(0) : vector;
  }

  static Value *low(Value *vector, unsigned count, IRBuilder<> &builder) {
    Value *source = without_padding(vector);
    if (lane_count(source) == count) {
      return source;
    }
    SmallVector<int, kMostLanes> lanes(count);
    std::iota(lanes.begin(), lanes.end(), 0);
    return builder.CreateShuffleVector(source, lanes);
  }

  Value *narrowed_shuffle(ShuffleVectorInst &shuffle, unsigned count, IRBuilder<> &builder) const {
    Value *first = shuffle.getOperand(0), *second = shuffle.getOperand(1);
    SmallVector<int, kMostLanes> lanes(shuffle.getShuffleMask().take_front(count));
    for (unsigned lane = 0; lane < count; lane++) {
      lanes[lane] = (demand_.lookup(&shuffle) >> lane & 1) != 0 ? lanes[lane] : PoisonMaskElem;
    }
    if (all_of(lanes, [&](int from) { return from < static_cast<int>(lane_count(first)); })) {
      return builder.CreateShuffleVector(without_padding(first), lanes);
    }
    return builder.CreateShuffleVector(first, second, lanes);
  }

  Value *narrowed(Instruction &inst, unsigned count) const {
    IRBuilder<> builder(&inst);
    if (auto *shuffle = dyn_cast<ShuffleVectorInst>(&inst)) {
      return narrowed_shuffle(*shuffle, count, builder);
    }
    auto *type = FixedVectorType::get(inst.getType()->getScalarType(), count);
    auto operand = [&](unsigned i) {
      return lane_count(inst.getOperand(i)) != 0 ? low(inst.getOperand(i), count, builder) : inst.getOperand(i);
    };
    if (auto *call = dyn_cast<IntrinsicInst>(&inst)) {
      return narrowed(*call, type, operand, builder);
    }
    Instruction *copy = inst.clone();
    for (unsigned i = 0; i < inst.getNumOperands(); i++) {
      copy->setOperand(i, operand(i));
    }
    copy->mutateType(isa<CmpInst>(inst) ? CmpInst::makeCmpResultType(copy->getOperand(0)->getType()) : type);
    return builder.Insert(copy, inst.getName());
  }

  static Value *narrowed(IntrinsicInst &call, Type *type, function_ref<Value *(unsigned)> operand,
                         IRBuilder<> &builder) {
    const Intrinsic::ID id = call.getIntrinsicID();
    SmallVector<Type *, 3> types;
    SmallVector<Value *, 4> arguments;
    if (isVectorIntrinsicWithOverloadTypeAtArg(id, -1, nullptr)) {
      types.push_back(type);
    }
    for (unsigned i = 0; i < call.arg_size(); i++) {
      arguments.push_back(operand(i));
      if (isVectorIntrinsicWithOverloadTypeAtArg(id, static_cast<int>(i), nullptr)) {
        types.push_back(arguments.back()->getType());
      }
    }
    CallInst *made = builder.CreateIntrinsic(id, types, arguments);
    made->copyIRFlags(&call);
    return made;
  }

  Function &function_;
  SmallVector<Instruction *, 32> order_;
  DenseMap<const Instruction *, Lanes> demand_;
};

}  // namespace

Result<void> narrow_lanes(Module &module, Compilation &) {
  for (Function &function : module) {
    NarrowLanes(function).run();
  }
  return {};
}

}  // namespace hel::cc
