// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One wide access and shuffles for members of neighbouring records, where all lanes are there; else lane after lane.
#include "compiler/passes/vectorise/widener.h"

#include "llvm/IR/Instructions.h"

namespace hel::cc {

using namespace llvm;

bool Widener::emit_record_member(Instruction &inst) {
  auto found = records_.find(&inst);
  if (found == records_.end()) {
    return false;
  }
  const RecordAccess &access = *found->second;
  if (access.place() != &inst) {
    return true;
  }
  Value *first = getLoadStorePointerOperand(access.members.front());
  Value *straight = wide(first).holds;
  if (!is_all_ones(mask_)) {
    Value *full = builder_.CreateICmpEQ(mask_bits(mask_), builder_.getInt32(~0u));
    straight = straight == nullptr ? full : builder_.CreateAnd(straight, full);
  }
  if (access.stores) {
    for (Instruction *member : access.members) {
      vector(cast<StoreInst>(member)->getValueOperand());
    }
  }
  Values loaded = either_of(
      straight, [&] { return access.stores ? store_records(access) : load_records(access); },
      [&] { return records_lane_by_lane(access); });
  for (auto [member, value] : zip(access.members, loaded)) {
    define(*member, value);
  }
  return true;
}

/// Address of position 0 in the record of the first lane of a part of the warp.
Value *Widener::record_start(const RecordAccess &access, unsigned part) {
  Value *first = base(getLoadStorePointerOperand(access.members.front()), part);
  return builder_.CreateGEP(builder_.getInt8Ty(), first, builder_.getInt64(access.start));
}

Align Widener::record_alignment(const RecordAccess &access) {
  Align align(access.element_bytes);
  for (Instruction *member : access.members) {
    align = std::min(align, getLoadStoreAlignment(member));
  }
  return align;
}

Widener::Values Widener::load_records(const RecordAccess &access) {
  unsigned parts = base_count(shape_of(getLoadStorePointerOperand(access.members.front())));
  unsigned lanes = kWarpSize / parts, elements = lanes * access.period;
  Type *type = VectorType::get(builder_.getIntNTy(access.element_bytes * 8), elements, false);
  // What lies between members may be read with them; what lies behind the last one may not.
  SmallVector<Constant *, 0> is_inside;
  for (unsigned i = 0; i < elements; i++) {
    is_inside.push_back(builder_.getInt1(i <= elements - access.period + access.width() - 1));
  }
  Values wide;
  for (unsigned part = 0; part < parts; part++) {
    wide.push_back(builder_.CreateMaskedLoad(type, record_start(access, part), record_alignment(access),
                                             ConstantVector::get(is_inside), PoisonValue::get(type)));
  }
  Values loaded;
  for (auto [member, position] : zip(access.members, access.positions)) {
    SmallVector<int, kWarpSize> picked;
    for (unsigned lane = 0; lane < lanes; lane++) {
      picked.push_back(static_cast<int>(lane * access.period + position));
    }
    Values pieces;
    for (Value *all : wide) {
      pieces.push_back(builder_.CreateShuffleVector(all, picked));
    }
    loaded.push_back(builder_.CreateBitCast(concat(pieces), wide_type(member->getType())));
  }
  return loaded;
}

Widener::Values Widener::store_records(const RecordAccess &access) {
  unsigned parts = base_count(shape_of(getLoadStorePointerOperand(access.members.front())));
  unsigned lanes = kWarpSize / parts, elements = lanes * access.period;
  Type *element = builder_.getIntNTy(access.element_bytes * 8);
  SmallVector<int, 8> member_at(access.period, -1);
  for (auto [i, position] : enumerate(access.positions)) {
    member_at[position] = static_cast<int>(i);
  }
  SmallVector<Constant *, 0> is_written;
  SmallVector<int, 0> order;  // of the elements of all members, one member after the other
  for (unsigned i = 0; i < elements; i++) {
    int member = member_at[i % access.period];
    is_written.push_back(builder_.getInt1(member >= 0));
    order.push_back(member < 0 ? -1 : member * static_cast<int>(lanes) + static_cast<int>(i / access.period));
  }
  for (unsigned part = 0; part < parts; part++) {
    Values values;
    for (Instruction *member : access.members) {
      Value *value = piece(vector(cast<StoreInst>(member)->getValueOperand()), part, parts);
      values.push_back(builder_.CreateBitCast(value, VectorType::get(element, lanes, false)));
    }
    while (!isPowerOf2_64(values.size())) {
      values.push_back(PoisonValue::get(values[0]->getType()));
    }
    Value *members = concat(values);
    Value *records = builder_.CreateShuffleVector(members, order);
    if (access.members.size() == access.period) {
      bool may_stream = is_all_ones(mask_) && all_of(access.members, [&](auto *at) { return streamed_.contains(at); });
      store_side_by_side(records, record_start(access, part), record_alignment(access), may_stream);
      continue;
    }
    builder_.CreateMaskedStore(records, record_start(access, part), record_alignment(access),
                               ConstantVector::get(is_written));
  }
  return {};
}

Widener::Values Widener::records_lane_by_lane(const RecordAccess &access) {
  AllocaInst *addresses = lane_table(builder_.getPtrTy(), "lane.record");
  builder_.CreateStore(vector(getLoadStorePointerOperand(access.members.front())), addresses);
  SmallVector<AllocaInst *, 4> tables;
  for (Instruction *member : access.members) {
    tables.push_back(lane_table(getLoadStoreType(member), "lane.member"));
    if (access.stores) {
      builder_.CreateStore(vector(cast<StoreInst>(member)->getValueOperand()), tables.back());
    }
  }
  for_each_lane(mask_, [&](Value *lane) {
    Value *address = builder_.CreateLoad(builder_.getPtrTy(), builder_.CreateGEP(builder_.getPtrTy(), addresses, lane));
    for (auto [member, position, table] : zip(access.members, access.positions, tables)) {
      Type *type = getLoadStoreType(member);
      Value *place = builder_.CreateConstGEP1_64(builder_.getInt8Ty(), address,
                                                 access.start + int64_t{position} * access.element_bytes);
      Value *own = builder_.CreateGEP(type, table, lane);
      Align align = getLoadStoreAlignment(member);
      if (access.stores) {
        builder_.CreateAlignedStore(builder_.CreateLoad(type, own), place, align);
      } else {
        builder_.CreateStore(builder_.CreateAlignedLoad(type, place, align), own);
      }
    }
  });
  Values loaded;
  for (auto [member, table] : zip(access.members, tables)) {
    if (!access.stores) {
      loaded.push_back(builder_.CreateLoad(wide_type(member->getType()), table));
    }
  }
  return loaded;
}

}  // namespace hel::cc
