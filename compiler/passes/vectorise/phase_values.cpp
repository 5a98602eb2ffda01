// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/vectorise/phase_values.h"

#include "compiler/ir/llvm_headers.h"
#include "compiler/ir/named_calls.h"
#include "compiler/ir/thread_state.h"
#include "compiler/passes/vectorise/block_function.h"
#include "compiler/passes/vectorise/split_phases.h"

#include "llvm/IR/CFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

namespace hel::cc {
namespace {

using namespace llvm;

/// More operations than this are not done again behind a barrier: the value is kept.
constexpr unsigned kCheap = 12;
constexpr unsigned kNever = 1000;

/// What it takes to compute a value again from the arguments of the warp function (and, for vectors, from scalars that
/// are kept).
class Recomputation {
public:
  /// Operations, or kNever.
  unsigned cost(const Value *value) {
    const auto *inst = dyn_cast<Instruction>(value);
    if (inst == nullptr || isa<AllocaInst>(inst)) {
      return 0;
    }
    auto known = costs_.find(inst);
    if (known != costs_.end()) {
      return known->second;
    }
    costs_[inst] = kNever;  // a cycle
    unsigned result = compute(*inst);
    costs_[inst] = result;
    return result;
  }

  bool is_cheap(const Value *value) { return cost(value) <= kCheap; }

private:
  static bool is_same_for_all_warps(const Value &value, unsigned depth = 0) {
    if (const auto *argument = dyn_cast<Argument>(&value)) {
      return argument->getArgNo() != kWarp && argument->getArgNo() != kLanes;
    }
    const auto *inst = dyn_cast<Instruction>(&value);
    return inst == nullptr || (depth < 6 && (isa<BinaryOperator>(inst) || is_simple(*inst)) &&
                               all_of(inst->operands(), [&](const Use &operand) {
                                 return is_same_for_all_warps(*operand.get(), depth + 1);
                               }));
  }

  static bool is_simple(const Instruction &inst) {
    if (const auto *load = dyn_cast<LoadInst>(&inst)) {
      return load->hasMetadata(LLVMContext::MD_invariant_load);
    }
    if (const auto *call = dyn_cast<CallInst>(&inst)) {
      return is_call_of(call, kSelfName) || call->getIntrinsicID() == Intrinsic::umax;
    }
    if (const auto *binary = dyn_cast<BinaryOperator>(&inst)) {
      // Divisions by the size of the block come out the same for all warps.
      return !binary->getType()->isFPOrFPVectorTy() && (!binary->isIntDivRem() || is_same_for_all_warps(*binary));
    }
    return isa<GetElementPtrInst, ICmpInst, SelectInst, InsertElementInst, ShuffleVectorInst, ExtractElementInst>(
               inst) ||
           (isa<CastInst>(inst) && !inst.getType()->isFPOrFPVectorTy());
  }

  unsigned compute(const Instruction &inst) {
    if (!is_simple(inst)) {
      return kNever;
    }
    unsigned total = 1;
    for (const Value *operand : inst.operands()) {
      unsigned part = cost(operand);
      if (part > kCheap) {
        bool kept = inst.getType()->isVectorTy() && !operand->getType()->isVectorTy();
        part = kept ? 0 : kNever;
      }
      total = std::min(total + part, kNever);
    }
    return total;
  }

  DenseMap<const Instruction *, unsigned> costs_;
};

/// Copies of cheap values in the blocks that use them.
class Copies {
public:
  explicit Copies(Recomputation &costs) : costs_(costs) {}

  Value *in_block(Value *value, BasicBlock *block) {
    auto *inst = dyn_cast<Instruction>(value);
    if (inst == nullptr || isa<AllocaInst>(inst) || !costs_.is_cheap(inst) || inst->getParent() == block) {
      return value;
    }
    Value *&made = copies_[{inst, block}];
    if (made == nullptr) {
      Instruction *copy = inst->clone();
      for (Use &operand : copy->operands()) {
        operand.set(in_block(operand.get(), block));
      }
      BasicBlock::iterator &place = places_.try_emplace(block, block->getFirstInsertionPt()).first->second;
      copy->insertBefore(*block, place);
      copy->setName(inst->getName());
      copies_[{inst, block}] = copy;
      return copy;
    }
    return made;
  }

private:
  Recomputation &costs_;
  DenseMap<std::pair<Instruction *, BasicBlock *>, Value *> copies_;
  DenseMap<BasicBlock *, BasicBlock::iterator> places_;
};

BasicBlock *block_of_use(const Use &use) {
  auto *user = cast<Instruction>(use.getUser());
  auto *phi = dyn_cast<PHINode>(user);
  return phi != nullptr ? phi->getIncomingBlock(use) : user->getParent();
}

/// The values that are live where a block begins.
class Liveness {
public:
  explicit Liveness(Function &body) {
    for (Instruction &inst : instructions(body)) {
      if (!inst.getType()->isVoidTy() && !isa<AllocaInst>(inst)) {
        mark(inst);
      }
    }
  }
  const SetVector<Instruction *> &at(BasicBlock *block) { return live_in_[block]; }

private:
  /// Walks back from each use to the definition.
  void mark(Instruction &value) {
    SmallVector<BasicBlock *, 16> work;
    for (const Use &use : value.uses()) {
      BasicBlock *block = block_of_use(use);
      if (block != value.getParent()) {
        work.push_back(block);
      }
    }
    while (!work.empty()) {
      BasicBlock *block = work.pop_back_val();
      if (block != value.getParent() && live_in_[block].insert(&value)) {
        work.append(pred_begin(block), pred_end(block));
      }
    }
  }

  DenseMap<BasicBlock *, SetVector<Instruction *>> live_in_;
};

}  // namespace

PhaseValues::PhaseValues(Function &body, const std::vector<std::pair<CallInst *, PhaseEnd::Kind>> &calls)
    : body_(body) {
  SmallVector<const CallInst *, 8> barriers;
  for (auto [call, kind] : calls) {
    cut_at(call, kind);
    if (kind == PhaseEnd::Barrier) {
      barriers.push_back(call);
    }
  }
  find_live_values();
  recompute_cheap_values();
  find_live_values();
  uniformity_ = std::make_unique<BlockUniformity>(body, barriers);
}

/// A block that was cut before stays as it is.
void PhaseValues::cut_at(CallInst *call, PhaseEnd::Kind kind) {
  BasicBlock *block = call->getParent(), *after = block->getUniqueSuccessor();
  bool is_cut = after != nullptr && call->getNextNode() == block->getTerminator() &&
                after->getUniquePredecessor() == block && !isa<PHINode>(after->front());
  if (!is_cut) {
    after = SplitBlock(block, call->getNextNode());
    after->setName("after");
  }
  ends_.push_back({call, after, kind});
}

void PhaseValues::find_live_values() {
  live_.clear();
  Liveness liveness(body_);
  for (const PhaseEnd &end : ends_) {
    live_.push_back(liveness.at(end.after));
  }
}

void PhaseValues::recompute_cheap_values() {
  Recomputation costs;
  Copies copies(costs);
  SetVector<Instruction *> cheap;
  for (const SetVector<Instruction *> &live : live_) {
    for (Instruction *value : live) {
      if (costs.is_cheap(value)) {
        cheap.insert(value);
      }
    }
  }
  for (Instruction *value : cheap) {
    SmallVector<Use *, 8> uses(make_pointer_range(value->uses()));
    for (Use *use : uses) {
      BasicBlock *block = block_of_use(*use);
      if (block != value->getParent()) {
        use->set(copies.in_block(value, block));
      }
    }
  }
  SmallVector<WeakTrackingVH, 16> dead(cheap.begin(), cheap.end());
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
}

/// A value that comes from `value` through a phi, or from which `value` comes so, is kept at `offset`: there is nothing
/// to do where one becomes the other.
bool PhaseValues::continues_at(const Instruction &value, uint64_t offset) const {
  auto is_there = [&](const Value *other) {
    auto known = places_.find(dyn_cast<Instruction>(other));
    return known != places_.end() && known->second == offset;
  };
  const auto *phi = dyn_cast<PHINode>(&value);
  return (phi != nullptr && any_of(phi->incoming_values(), is_there)) ||
         any_of(value.users(), [&](const User *user) { return isa<PHINode>(user) && is_there(user); });
}

/// What is uniform in the block is kept once if all warps come to each barrier together, which BlockUniformity has
/// looked at, and no phase stops for anything else. A phase reads it before its first warp runs, so that each warp may
/// write what comes next; those that run jointly would come after others that have.
void PhaseValues::find_common_places(const BitVector &joint) {
  // What atomics on shared memory have read looks uniform, as any plain read of one place; each warp has its own.
  if (body_.hasFnAttribute(kSharedAtomics) ||
      any_of(ends_, [](const PhaseEnd &end) { return end.kind == PhaseEnd::Round; })) {
    return;
  }
  for (const SetVector<Instruction *> &live : live_) {
    for (const Instruction *value : live) {
      if (is_uniform(value)) {
        common_.insert(value);
      }
    }
  }
  for (unsigned end : joint.set_bits()) {
    for (const Instruction *value : live_[end]) {
      common_.erase(value);
    }
  }
}

/// Two values share a place when no barrier finds both alive.
void PhaseValues::lay_out_frame(const BitVector &joint) {
  find_common_places(joint);
  struct Place {
    uint64_t offset, bytes;
    bool common;
    BitVector taken;  ///< by barrier
  };
  const DataLayout &dl = body_.getDataLayout();
  MapVector<Instruction *, BitVector> alive;
  for (size_t end = 0; end < ends_.size(); end++) {
    for (Instruction *value : live_[end]) {
      alive.try_emplace(value, BitVector(ends_.size())).first->second.set(end);
    }
  }
  std::vector<Place> places;
  for (auto &[value, where] : alive) {
    uint64_t bytes = alignTo(dl.getTypeStoreSize(value->getType()).getFixedValue(), 8);
    bytes = bytes > 8 ? alignTo(bytes, 64) : bytes;
    Place *found = nullptr;
    for (Place &place : places) {
      if (place.bytes == bytes && place.common == has_common_place(value) && !place.taken.anyCommon(where) &&
          (found == nullptr || continues_at(*value, place.offset))) {
        found = &place;
      }
    }
    if (found == nullptr) {
      uint64_t offset = alignTo(frame_bytes_, std::min<uint64_t>(bytes, 64));
      places.push_back({offset, bytes, has_common_place(value), BitVector(ends_.size())});
      frame_bytes_ = offset + bytes;
      found = &places.back();
    }
    found->taken |= where;
    places_[value] = found->offset;
  }
  for (Instruction &inst : instructions(body_)) {
    if (auto *array = dyn_cast<AllocaInst>(&inst); array != nullptr && !array->hasMetadata(kScratch)) {
      places_[array] = frame_bytes_ = alignTo(frame_bytes_, std::max(array->getAlign(), Align(64)));
      frame_bytes_ += array->getAllocationSize(dl)->getFixedValue();
    }
  }
  frame_bytes_ = alignTo(frame_bytes_, 64);
}

}  // namespace hel::cc
