// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses of partners, as butterflies and sorting networks have them: `a[i ^ k]`. Lanes that count from a multiple of
// 32 then access a row of 32 elements, lane l the one with the number l ^ x: a vector whose lanes change places.
#include "compiler/passes/vectorise/widener.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

namespace hel::cc {

using namespace llvm;
using namespace llvm::PatternMatch;

bool Widener::may_be_partners(Value *pointer, Type *element) const {
  constexpr uint64_t kBytes = 4;  // of what permute() moves
  if (dl_.getTypeStoreSize(element) != kBytes || shape_of(pointer).kind != Shape::Varying) {
    return false;
  }
  CastInst *narrow = narrow_index(pointer, kBytes);
  Value *a = nullptr, *b = nullptr;
  if (narrow == nullptr || !match(narrow->getOperand(0), m_Xor(m_Value(a), m_Value(b)))) {
    return false;
  }
  auto counts = [&](Value *value) { return shape_of(value).kind == Shape::Affine && shape_of(value).stride == 1; };
  return (counts(a) && shape_of(b).is_uniform()) || (counts(b) && shape_of(a).is_uniform());
}

/// Whether the lanes that are here are partners is looked at here: where they count from is known only then.
Widener::Partners Widener::find_partners(Value *pointer, Type *element) {
  Type *i32 = builder_.getInt32Ty();
  CastInst *narrow = narrow_index(pointer, dl_.getTypeStoreSize(element));
  Value *lane = lane_numbers(i32, 1), *index = builder_.CreateFreeze(vector(narrow->getOperand(0)));
  auto all = [&](Value *value) { return builder_.CreateVectorSplat(kWarpSize, value); };
  Value *first = builder_.CreateExtractElement(index, uint64_t{0});
  Value *elsewhere = builder_.CreateAnd(builder_.CreateICmpNE(builder_.CreateXor(index, lane), all(first)), mask_);
  Partners found;
  found.hold = builder_.CreateICmpEQ(mask_bits(elsewhere), builder_.getInt32(0));
  found.lanes = builder_.CreateXor(lane, all(builder_.CreateAnd(first, kWarpSize - 1)));
  // A row that begins at a multiple of its length does not wrap around.
  Value *row = builder_.CreateIntCast(builder_.CreateAnd(first, ~uint64_t{kWarpSize - 1}), narrow->getDestTy(),
                                      extends_sign(*narrow, shape_of(narrow->getOperand(0))));
  auto *gep = cast<GetElementPtrInst>(pointer);
  found.place = builder_.CreateGEP(gep->getSourceElementType(), scalar(gep->getPointerOperand()), row);
  return found;
}

/// Which elements of the row the lanes that are here access.
Value *Widener::elements_of(const Partners &partners) {
  if (is_all_ones(mask_)) {
    return mask_;
  }
  Value *words = builder_.CreateSExt(mask_, wide_type(builder_.getInt32Ty()));
  return builder_.CreateIsNotNull(permute(words, partners.lanes));
}

Value *Widener::load_of_partners(LoadInst &load, const Partners &partners) {
  Type *type = wide_type(load.getType());
  Value *row = builder_.CreateMaskedLoad(type, partners.place, load.getAlign(), elements_of(partners),
                                         PoisonValue::get(type), load.getName());
  return permute(row, partners.lanes);
}

void Widener::store_to_partners(StoreInst &store, const Partners &partners) {
  Value *row = permute(vector(store.getValueOperand()), partners.lanes);
  builder_.CreateMaskedStore(row, partners.place, store.getAlign(), elements_of(partners));
}

void make_partners_where_used(Function &kernel) {
  const DominatorTree dominators(kernel);
  const LoopInfo loops(dominators);
  DenseMap<std::pair<const Instruction *, const BasicBlock *>, Instruction *> made;
  for (Instruction &inst : make_early_inc_range(instructions(kernel))) {
    BasicBlock *block = inst.getParent();
    auto *gep = dyn_cast_or_null<GetElementPtrInst>(getLoadStorePointerOperand(&inst));
    if (gep == nullptr || gep->getNumIndices() != 1 || gep->getParent() == block ||
        loops.getLoopFor(gep->getParent()) != loops.getLoopFor(block)) {
      continue;
    }
    auto *extension = dyn_cast<CastInst>(gep->getOperand(1));
    if (extension == nullptr || !isa<SExtInst, ZExtInst>(extension) ||
        !match(extension->getOperand(0), m_Xor(m_Value(), m_Value()))) {
      continue;
    }
    Instruction *&copy = made[{gep, block}];
    if (copy == nullptr) {
      Instruction *index = extension->clone();
      index->insertBefore(*block, block->getFirstInsertionPt());
      copy = gep->clone();
      copy->insertAfter(index->getIterator());
      copy->setOperand(1, index);
    }
    inst.setOperand(isa<StoreInst>(inst) ? 1 : 0, copy);
  }
}

}  // namespace hel::cc
