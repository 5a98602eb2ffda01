// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores by the shape of the address: the same in all lanes or in each row, contiguous, or anything.
#include "compiler/passes/vectorise/interleave_locals.h"
#include "compiler/passes/vectorise/widener.h"

#include "abi/block.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <cstddef>

namespace hel::cc {

using namespace llvm;

namespace {

bool can_be_element(Type *type) { return type->isIntegerTy() || type->isFloatingPointTy() || type->isPointerTy(); }

}  // namespace

/// Each lane has a copy, and copies stand one after the other; or there is one for the warp.
void Widener::emit_alloca(AllocaInst &alloca) {
  if (arguments_.contains(&alloca)) {
    return;  // the other form of its block has made it
  }
  if (!isa<ConstantInt>(alloca.getArraySize())) {
    return refuse("alloca of a size that is known only at run time");
  }
  IRBuilder<> at(prologue_, prologue_->begin());
  uint64_t bytes = lane_bytes(alloca) * (is_of_whole_warp(alloca) ? 1 : kWarpSize);
  AllocaInst *copies = at.CreateAlloca(at.getInt8Ty(), at.getInt64(bytes), alloca.getName());
  copies->setAlignment(std::max(alloca.getAlign(), Align(64)));
  Value *base = copies;
  if (alloca.getAddressSpace() != copies->getAddressSpace()) {
    base = builder_.CreateAddrSpaceCast(copies, alloca.getType());
  }
  arguments_[&alloca] = Wide{shape_of(&alloca), {base}};
}

void Widener::emit_load(LoadInst &load) {
  Type *type = load.getType();
  Shape address = shape_of(load.getPointerOperand());
  if (!can_be_element(type)) {
    return refuse("load of an aggregate that differs between lanes");
  }
  if (load.isAtomic() || memory_type(type) != type) {
    return emit_lane_by_lane(load, Lane::Small);
  }
  Value *pointer = load.getPointerOperand();
  if (address.is_uniform()) {
    Value *loaded = builder_.CreateAlignedLoad(type, scalar(pointer), load.getAlign());
    define(load, builder_.CreateVectorSplat(kWarpSize, loaded));
    return;
  }
  if (address.is_same_in_row()) {
    Values loaded = load_once_a_row(load);
    if (shape_of(&load).kind != Shape::Rows) {
      for (Value *&row : loaded) {
        row = builder_.CreateVectorSplat(short_row(layout_), row);
      }
      loaded = {concat(loaded)};
    }
    define(load, loaded);
    return;
  }
  bool contiguous = address.is_linear() && address.stride == static_cast<int64_t>(dl_.getTypeStoreSize(type));
  if (contiguous) {
    define(load, either(
                     wide(pointer).holds, [&] { return load_in_pieces(load, bases(pointer)); },
                     [&] { return access_seldom(load); }));
  } else if (may_be_partners(pointer, type)) {
    const Partners partners = find_partners(pointer, type);
    define(load, either(
                     partners.hold, [&] { return load_of_partners(load, partners); },
                     [&] { return load_from_anywhere(load); }));
  } else if (may_be_neighbours(pointer, type)) {
    Neighbours neighbours = find_neighbours(pointer, type);
    define(load, either(
                     neighbours.holds, [&] { return load_in_pieces(load, neighbours.places); },
                     [&] { return load_from_anywhere(load); }));
  } else {
    define(load, load_from_anywhere(load));
  }
}

Value *Widener::load_from_anywhere(LoadInst &load) {
  Type *type = load.getType();
  Value *pointer = load.getPointerOperand();
  // The machine gathers words of 32 and 64 bits.
  if (dl_.getTypeStoreSize(type) < 4) {
    return lane_by_lane(load, Lane::Fast);
  }
  Shape address = shape_of(pointer);
  if (address.kind == Shape::Rows && !address.guarded) {
    return gather_by_rows(load);
  }
  return builder_.CreateMaskedGather(wide_type(type), vector(pointer), load.getAlign(), mask_,
                                     PoisonValue::get(wide_type(type)), load.getName());
}

/// The places of the first lane of the warp, or of each row.
Widener::Values Widener::bases(Value *pointer) {
  Values places;
  for (unsigned part = 0; part < base_count(shape_of(pointer)); part++) {
    places.push_back(base(pointer, part));
  }
  return places;
}

/// Neighbours stand side by side, in the warp or in each row, from one of `places` on.
Value *Widener::load_in_pieces(LoadInst &load, const Values &places) {
  unsigned parts = places.size();
  Values loaded;
  for (unsigned part = 0; part < parts; part++) {
    Value *mask = fill_register(piece(mask_, part, parts), load.getType());
    unsigned width = cast<FixedVectorType>(mask->getType())->getNumElements();
    Type *type = VectorType::get(load.getType(), width, false);
    Value *all =
        builder_.CreateMaskedLoad(type, places[part], load.getAlign(), mask, PoisonValue::get(type), load.getName());
    loaded.push_back(piece(all, 0, width * parts / kWarpSize));
  }
  return concat(loaded);
}

/// Lanes without a value behind those of a short piece: of `mask` (then false), or of what is accessed under it. LLVM
/// makes a masked access of less than a register one of a register, and takes whatever stands in the mask's other
/// lanes.
Value *Widener::fill_register(Value *vector, Type *element) {
  constexpr uint64_t kRegisterBytes = 16;
  while (cast<FixedVectorType>(vector->getType())->getNumElements() * dl_.getTypeStoreSize(element) < kRegisterBytes) {
    vector = concat({vector, Constant::getNullValue(vector->getType())});
  }
  return vector;
}

/// The places of a row: one start and distances that are known, which need few bits.
Value *Widener::places_in_row(Value *pointer, unsigned row) {
  SmallVector<Constant *, kWarpSize> distances;
  for (unsigned lane = 0; lane < short_row(layout_); lane++) {
    distances.push_back(ConstantInt::getSigned(builder_.getInt64Ty(), lane * shape_of(pointer).stride));
  }
  return builder_.CreateGEP(builder_.getInt8Ty(), base(pointer, row), ConstantVector::get(distances));
}

Value *Widener::gather_by_rows(LoadInst &load) {
  Type *type = VectorType::get(load.getType(), short_row(layout_), false);
  Values loaded;
  for (unsigned row = 0; row < row_count(); row++) {
    loaded.push_back(builder_.CreateMaskedGather(type, places_in_row(load.getPointerOperand(), row), load.getAlign(),
                                                 piece(mask_, row, row_count()), PoisonValue::get(type)));
  }
  return concat(loaded);
}

void Widener::scatter_by_rows(StoreInst &store) {
  Value *values = vector(store.getValueOperand());
  for (unsigned row = 0; row < row_count(); row++) {
    builder_.CreateMaskedScatter(piece(values, row, row_count()), places_in_row(store.getPointerOperand(), row),
                                 store.getAlign(), piece(mask_, row, row_count()));
  }
}

/// A row of which no lane is here has no address of its own: it reads where another one does.
Widener::Values Widener::load_once_a_row(LoadInst &load) {
  Values places, here;
  for (unsigned row = 0; row < row_count(); row++) {
    places.push_back(base(load.getPointerOperand(), row));
  }
  if (!is_all_ones(mask_)) {
    unsigned width = short_row(layout_);
    Value *bits = mask_bits(mask_);
    for (unsigned row = 0; row < row_count(); row++) {
      Value *of_row = builder_.CreateAnd(bits, builder_.getInt32(((1u << width) - 1) << (row * width)));
      here.push_back(builder_.CreateICmpNE(of_row, builder_.getInt32(0)));
    }
    Value *valid = places.back();
    for (unsigned row = row_count() - 1; row-- > 0;) {
      valid = builder_.CreateSelect(here[row], places[row], valid);
    }
    for (unsigned row = 0; row < row_count(); row++) {
      places[row] = builder_.CreateSelect(here[row], places[row], valid);
    }
  }
  Values loaded;
  for (Value *place : places) {
    loaded.push_back(builder_.CreateAlignedLoad(load.getType(), place, load.getAlign(), load.getName()));
  }
  return loaded;
}

void Widener::emit_store(StoreInst &store) {
  Value *value = store.getValueOperand(), *pointer = store.getPointerOperand();
  Shape address = shape_of(pointer);
  if (!can_be_element(value->getType())) {
    return refuse("store of an aggregate that differs between lanes");
  }
  if ((store.isAtomic() && !address.is_uniform()) || memory_type(value->getType()) != value->getType()) {
    return emit_lane_by_lane(store, Lane::Small);
  }
  if (address.is_uniform()) {
    return store_to_one_place(store);
  }
  bool contiguous =
      address.is_linear() && address.stride == static_cast<int64_t>(dl_.getTypeStoreSize(value->getType()));
  auto in_pieces = [&](const Values &places) -> Value * {
    store_in_pieces(store, places);
    return nullptr;
  };
  vector(value);
  if (contiguous) {
    either(wide(pointer).holds, [&] { return in_pieces(bases(pointer)); }, [&] { return access_seldom(store); });
  } else if (may_be_partners(pointer, value->getType())) {
    const Partners partners = find_partners(pointer, value->getType());
    one_of_two_ways(partners.hold, [&] { store_to_partners(store, partners); }, [&] { store_anywhere(store); });
  } else if (may_be_neighbours(pointer, value->getType())) {
    Neighbours neighbours = find_neighbours(pointer, value->getType());
    either(
        neighbours.holds, [&] { return in_pieces(neighbours.places); },
        [&]() -> Value * {
          store_anywhere(store);
          return nullptr;
        });
  } else {
    store_anywhere(store);
  }
}

void Widener::store_anywhere(StoreInst &store) {
  Value *value = store.getValueOperand(), *pointer = store.getPointerOperand();
  Shape address = shape_of(pointer);
  if (dl_.getTypeStoreSize(value->getType()) < 4) {
    emit_lane_by_lane(store, Lane::Fast);
  } else if (address.kind == Shape::Rows && !address.guarded) {
    scatter_by_rows(store);
  } else {
    builder_.CreateMaskedScatter(vector(value), vector(pointer), store.getAlign(), mask_);
  }
}

/// One of the active lanes wins; the highest does here.
void Widener::store_to_one_place(StoreInst &store) {
  Value *value = store.getValueOperand(), *stored;
  if (shape_of(value).is_uniform()) {
    stored = scalar(value);
  } else {
    Value *bits = mask_bits(mask_);
    Value *zeros = builder_.CreateIntrinsic(Intrinsic::ctlz, {bits->getType()}, {bits, builder_.getTrue()});
    stored = builder_.CreateExtractElement(vector(value), builder_.CreateSub(builder_.getInt32(31), zeros));
  }
  auto *copy =
      builder_.CreateAlignedStore(stored, scalar(store.getPointerOperand()), store.getAlign(), store.isVolatile());
  copy->setAtomic(store.getOrdering(), store.getSyncScopeID());
}

void Widener::store_in_pieces(StoreInst &store, const Values &places) {
  Value *values = vector(store.getValueOperand());
  unsigned parts = places.size();
  for (unsigned part = 0; part < parts; part++) {
    Value *piece_of_values = piece(values, part, parts), *place = places[part];
    if (is_all_ones(mask_)) {
      store_side_by_side(piece_of_values, place, store.getAlign(), streamed_.contains(&store));
    } else {
      Type *element = store.getValueOperand()->getType();
      builder_.CreateMaskedStore(fill_register(piece_of_values, element), place, store.getAlign(),
                                 fill_register(piece(mask_, part, parts), element));
    }
  }
}

/// Stores past the caches what makes whole lines of them, where the launch writes much.
void Widener::store_side_by_side(Value *values, Value *place, Align align, bool may_stream) {
  constexpr uint64_t kLine = 64;
  uint64_t bytes = dl_.getTypeStoreSize(values->getType());
  auto store = [&](Align known) { return builder_.CreateAlignedStore(values, place, known); };
  if (!may_stream || writes_much_ == nullptr || bytes % kLine != 0) {
    store(align);
    return;
  }
  Value *in_line =
      builder_.CreateAnd(builder_.CreatePtrToInt(place, builder_.getInt64Ty()), builder_.getInt64(kLine - 1));
  Value *much = builder_.CreateLoad(builder_.getInt1Ty(), writes_much_);
  Value *lines = builder_.CreateAnd(much, builder_.CreateICmpEQ(in_line, builder_.getInt64(0)));
  BasicBlock *past = BasicBlock::Create(context_, "past.caches", &body_),
             *into = BasicBlock::Create(context_, "into.caches", &body_),
             *done = BasicBlock::Create(context_, "stored", &body_);
  builder_.CreateCondBr(lines, past, into);
  builder_.SetInsertPoint(past);
  auto *one = ConstantAsMetadata::get(builder_.getInt32(1));
  store(Align(kLine))->setMetadata(LLVMContext::MD_nontemporal, MDNode::get(context_, one));
  builder_.CreateBr(done);
  builder_.SetInsertPoint(into);
  store(align);
  builder_.CreateBr(done);
  builder_.SetInsertPoint(done);
}

}  // namespace hel::cc
