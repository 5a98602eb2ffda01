// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/vectorise/interleave_locals.h"

#include "compiler/passes/vectorise/widener.h"

#include "llvm/Analysis/Utils/Local.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

namespace hel::cc {
namespace {

using namespace llvm;

constexpr const char *kWholeWarp = "hl.whole_warp";
/// Larger fills and copies keep an array as it is.
constexpr uint64_t kMostElements = 64;

/// How one local array is used, as far as it can be interleaved.
class LocalArray {
public:
  explicit LocalArray(AllocaInst &alloca) : alloca_(alloca), dl_(alloca.getDataLayout()) {}

  bool can_be_interleaved() {
    auto *count = dyn_cast<ConstantInt>(alloca_.getArraySize());
    if (count == nullptr || !collect(&alloca_)) {
      return false;
    }
    bytes_ = dl_.getTypeAllocSize(alloca_.getAllocatedType()) * count->getZExtValue();
    // An element that is the whole variable has nothing to stand between.
    return element_ != 0 && bytes_ % element_ == 0 && bytes_ > element_ &&
           all_of(geps_, [&](auto *gep) { return steps_by_elements(*gep); }) &&
           all_of(moves_, [&](auto *move) { return moves_elements(*move); });
  }

  void interleave() {
    for (MemIntrinsic *move : moves_) {
      expand(*move);
    }
    IRBuilder<> builder(&alloca_);
    Type *i8 = builder_type(8), *i64 = builder_type(64);
    AllocaInst *all = builder.CreateAlloca(ArrayType::get(i8, bytes_ * kWarpSize), nullptr, alloca_.getName());
    all->setAlignment(Align(64));
    all->setMetadata(kWholeWarp, MDNode::get(alloca_.getContext(), {}));
    Value *lane = builder.CreateZExt(builder.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_laneid, {}), i64);
    Value *own = builder.CreateGEP(i8, all, builder.CreateMul(lane, builder.getInt64(element_)));
    replace(alloca_, own);
    for (Instruction *dead : reverse(dead_)) {
      dead->eraseFromParent();
    }
  }

private:
  Type *builder_type(unsigned bits) { return Type::getIntNTy(alloca_.getContext(), bits); }

  bool access(Instruction &inst) {
    uint64_t size = dl_.getTypeStoreSize(getLoadStoreType(&inst));
    if (inst.isAtomic() || size > 8 || !isPowerOf2_64(size) || (element_ != 0 && size != element_)) {
      return false;
    }
    element_ = size;
    return true;
  }

  /// False if somebody else might look at what `pointer` points to.
  bool collect(Value *pointer) {
    for (Use &use : pointer->uses()) {
      auto *user = cast<Instruction>(use.getUser());
      bool known = false;
      if (auto *gep = dyn_cast<GetElementPtrInst>(user)) {
        geps_.push_back(gep);
        known = use.getOperandNo() == 0 && !gep->getType()->isVectorTy() && collect(gep);
      } else if (isa<LoadInst>(user)) {
        known = access(*user);
      } else if (auto *store = dyn_cast<StoreInst>(user)) {
        known = store->getPointerOperand() == pointer && store->getValueOperand() != pointer && access(*user);
      } else if (auto *move = dyn_cast<MemIntrinsic>(user)) {
        moves_.push_back(move);
        known = use.getOperandNo() == 0;
      } else if (auto *intrinsic = dyn_cast<IntrinsicInst>(user)) {
        known = intrinsic->isLifetimeStartOrEnd();
      }
      if (!known) {
        return false;
      }
    }
    return true;
  }

  bool steps_by_elements(GetElementPtrInst &gep) const {
    for (auto it = gep_type_begin(gep), end = gep_type_end(gep); it != end; ++it) {
      uint64_t step = it.isStruct() ? dl_.getStructLayout(it.getStructType())
                                          ->getElementOffset(cast<ConstantInt>(it.getOperand())->getZExtValue())
                                          .getFixedValue()
                                    : it.getSequentialElementStride(dl_).getFixedValue();
      auto *constant = it.isStruct() ? nullptr : dyn_cast<ConstantInt>(it.getOperand());
      if (step % element_ != 0 && (constant == nullptr || step * constant->getZExtValue() % element_ != 0)) {
        return false;
      }
    }
    return true;
  }

  bool moves_elements(MemIntrinsic &move) const {
    auto *length = dyn_cast<ConstantInt>(move.getLength());
    return length != nullptr && length->getZExtValue() % element_ == 0 &&
           length->getZExtValue() / element_ <= kMostElements && !move.isVolatile();
  }

  /// A fill or a copy, element by element.
  void expand(MemIntrinsic &move) {
    IRBuilder<> builder(&move);
    Type *type = builder_type(static_cast<unsigned>(element_) * 8);
    uint64_t count = cast<ConstantInt>(move.getLength())->getZExtValue() / element_;
    auto *transfer = dyn_cast<MemTransferInst>(&move);
    SmallVector<Value *, 16> values;
    for (uint64_t i = 0; i < count; i++) {
      if (transfer == nullptr) {
        Value *byte = builder.CreateZExt(cast<MemSetInst>(move).getValue(), type);
        values.push_back(builder.CreateMul(byte, ConstantInt::get(type, APInt::getSplat(element_ * 8, APInt(8, 1)))));
      } else {
        Value *from = builder.CreateConstGEP1_64(builder.getInt8Ty(), transfer->getRawSource(), i * element_);
        Align align = commonAlignment(transfer->getSourceAlign().valueOrOne(), i * element_);
        values.push_back(builder.CreateAlignedLoad(type, from, align));
      }
    }
    for (uint64_t i = 0; i < count; i++) {
      Value *to = builder.CreateConstGEP1_64(builder.getInt8Ty(), move.getRawDest(), i * element_);
      builder.CreateAlignedStore(values[i], to, Align(element_));
    }
    move.eraseFromParent();
  }

  /// The users of `old` use `now`, which points into the interleaved array.
  void replace(Instruction &old, Value *now) {
    dead_.push_back(&old);
    for (Use &use : make_early_inc_range(old.uses())) {
      auto *user = cast<Instruction>(use.getUser());
      if (auto *gep = dyn_cast<GetElementPtrInst>(user)) {
        IRBuilder<> builder(gep);
        gep->setNoWrapFlags(GEPNoWrapFlags::none());
        Value *distance = builder.CreateMul(emitGEPOffset(&builder, dl_, gep), builder.getInt64(kWarpSize));
        replace(*gep, builder.CreateGEP(builder.getInt8Ty(), now, distance, gep->getName()));
      } else if (isa<IntrinsicInst>(user)) {
        dead_.push_back(user);  // the end of a lane's life is not that of the warp's
      } else {
        use.set(now);
        auto *load = dyn_cast<LoadInst>(user);
        load != nullptr ? load->setAlignment(Align(element_)) : cast<StoreInst>(user)->setAlignment(Align(element_));
      }
    }
  }

  AllocaInst &alloca_;
  const DataLayout &dl_;
  uint64_t element_ = 0, bytes_ = 0;
  SmallVector<GetElementPtrInst *, 8> geps_;
  SmallVector<MemIntrinsic *, 4> moves_;
  SmallVector<Instruction *, 16> dead_;
};

}  // namespace

void interleave_locals(Function &kernel) {
  SmallVector<AllocaInst *, 4> locals;
  for (Instruction &inst : kernel.getEntryBlock()) {
    if (auto *alloca = dyn_cast<AllocaInst>(&inst)) {
      locals.push_back(alloca);
    }
  }
  for (AllocaInst *alloca : locals) {
    LocalArray array(*alloca);
    if (array.can_be_interleaved()) {
      array.interleave();
    }
  }
}

bool is_of_whole_warp(const AllocaInst &alloca) { return alloca.hasMetadata(kWholeWarp); }

}  // namespace hel::cc
