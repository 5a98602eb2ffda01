// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/structure/forward_lanes.h"

#include "compiler/ir/llvm_headers.h"

#include "llvm/Transforms/Utils/Local.h"

#include <map>

namespace hel::cc {
namespace {

using namespace llvm;

/// A plain access to vector elements side by side, some of which may be left out.
struct Access {
  Value *base = nullptr;
  int64_t offset = 0;  ///< of the first element behind the base, in bytes
  FixedVectorType *type = nullptr;
  SmallVector<bool, 64> lanes;  ///< which are accessed
  Value *stored = nullptr;      ///< null: it is read,
  Value *instead = nullptr;     ///< and what stands in the lanes that are not; null: nothing in particular
};

class Forwarding {
public:
  explicit Forwarding(const DataLayout &dl) : dl_(dl) {}

  void run(BasicBlock &block) {
    forget();
    for (Instruction &inst : make_early_inc_range(block)) {
      std::optional<Access> access = access_of(inst);
      if (!access.has_value()) {
        if (inst.mayWriteToMemory()) {
          forget();
        }
      } else if (access->stored != nullptr) {
        if (access->base != base_) {
          forget();
          base_ = access->base;
        }
        note(*access, access->stored);
      } else if (access->base == base_ || known_.empty()) {
        base_ = access->base;
        read(inst, *access);
      }
    }
  }

private:
  /// An element that is known to be in memory.
  struct Element {
    Value *vector;
    int lane;
  };

  void forget() {
    base_ = nullptr;
    known_.clear();
  }

  std::optional<Access> access_of(Instruction &inst) const {
    Access access;
    Value *place = nullptr;
    Constant *mask = nullptr;
    if (auto *load = dyn_cast<LoadInst>(&inst); load != nullptr && load->isSimple()) {
      place = load->getPointerOperand();
      access.type = dyn_cast<FixedVectorType>(load->getType());
    } else if (auto *store = dyn_cast<StoreInst>(&inst); store != nullptr && store->isSimple()) {
      place = store->getPointerOperand();
      access.stored = store->getValueOperand();
      access.type = dyn_cast<FixedVectorType>(access.stored->getType());
    } else if (auto *call = dyn_cast<IntrinsicInst>(&inst); call != nullptr) {
      const bool reads = call->getIntrinsicID() == Intrinsic::masked_load;
      if (!reads && call->getIntrinsicID() != Intrinsic::masked_store) {
        return {};
      }
      place = call->getArgOperand(reads ? 0 : 1);
      mask = dyn_cast<Constant>(call->getArgOperand(reads ? 1 : 2));
      access.stored = reads ? nullptr : call->getArgOperand(0);
      access.type = cast<FixedVectorType>(reads ? call->getType() : access.stored->getType());
      access.instead = reads && !isa<UndefValue>(call->getArgOperand(2)) ? call->getArgOperand(2) : nullptr;
      if (mask == nullptr) {
        return {};
      }
    }
    if (access.type == nullptr || !is_in_bytes(*access.type)) {
      return {};
    }
    for (unsigned lane = 0; lane < access.type->getNumElements(); lane++) {
      const auto *bit = mask != nullptr ? dyn_cast_or_null<ConstantInt>(mask->getAggregateElement(lane)) : nullptr;
      if (mask != nullptr && bit == nullptr) {
        return {};
      }
      access.lanes.push_back(bit == nullptr || bit->isOne());
    }
    APInt offset(dl_.getIndexTypeSizeInBits(place->getType()), 0);
    access.base = place->stripAndAccumulateConstantOffsets(dl_, offset, /*AllowNonInbounds=*/true);
    access.offset = offset.getSExtValue();
    return access;
  }

  /// Elements lie side by side without padding.
  bool is_in_bytes(const FixedVectorType &type) const {
    return type.getScalarSizeInBits() % 8 == 0 && type.getScalarSizeInBits() != 0;
  }

  int64_t element_bytes(const Access &access) const { return access.type->getScalarSizeInBits() / 8; }

  /// `vector` is what the accessed elements hold now.
  void note(const Access &access, Value *vector) {
    const int64_t bytes = element_bytes(access);
    for (size_t lane = 0; lane < access.lanes.size(); lane++) {
      if (!access.lanes[lane]) {
        continue;
      }
      const int64_t at = access.offset + static_cast<int64_t>(lane) * bytes;
      // Elements of other sizes that begin before it may reach into it.
      auto first = known_.lower_bound(at - kMostBytes + 1);
      while (first != known_.end() && first->first < at + bytes) {
        const int64_t size = first->second.vector->getType()->getScalarSizeInBits() / 8;
        first = first->first + size > at ? known_.erase(first) : std::next(first);
      }
      known_[at] = {vector, static_cast<int>(lane)};
    }
  }

  void read(Instruction &load, const Access &access) {
    Value *vector = known(access, load);
    if (vector == nullptr) {
      note(access, &load);
      return;
    }
    IRBuilder<> builder(&load);
    if (access.instead != nullptr) {
      SmallVector<Constant *, 64> mask;
      for (bool lane : access.lanes) {
        mask.push_back(builder.getInt1(lane));
      }
      vector = builder.CreateSelect(ConstantVector::get(mask), vector, access.instead);
    }
    load.replaceAllUsesWith(vector);
    load.eraseFromParent();
  }

  /// The accessed elements as one vector out of those that hold them; null if some are not known, or it takes too many.
  Value *known(const Access &access, Instruction &before) const {
    SmallVector<Value *, 2> sources;
    SmallVector<int, 64> from(access.lanes.size(), PoisonMaskElem);
    for (size_t lane = 0; lane < access.lanes.size(); lane++) {
      if (!access.lanes[lane]) {
        continue;
      }
      auto found = known_.find(access.offset + static_cast<int64_t>(lane) * element_bytes(access));
      if (found == known_.end() || found->second.vector->getType() != access.type) {
        return nullptr;
      }
      Value *const *source = find(sources, found->second.vector);
      const auto number = static_cast<int>(source - sources.begin());
      if (source == sources.end()) {
        sources.push_back(found->second.vector);
      }
      if (number == 2) {
        return nullptr;
      }
      from[lane] = number * static_cast<int>(access.lanes.size()) + found->second.lane;
    }
    if (sources.empty()) {
      return nullptr;
    }
    IRBuilder<> builder(&before);
    Value *second = sources.size() == 2 ? sources[1] : PoisonValue::get(access.type);
    return builder.CreateShuffleVector(sources[0], second, from);
  }

  static constexpr int64_t kMostBytes = 16;  ///< of an element

  const DataLayout &dl_;
  Value *base_ = nullptr;
  std::map<int64_t, Element> known_;  ///< by the offset behind the base
};

}  // namespace

Result<void> forward_lanes(Module &module, Compilation &) {
  Forwarding forwarding(module.getDataLayout());
  for (Function &function : module) {
    for (BasicBlock &block : function) {
      forwarding.run(block);
    }
  }
  return {};
}

}  // namespace hel::cc
