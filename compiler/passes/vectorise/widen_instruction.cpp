// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One instruction of the kernel: done once (uniform), for the bases (linear), element by element, or lane after lane.
#include "compiler/passes/vectorise/phase_values.h"
#include "compiler/passes/vectorise/widener.h"

#include "abi/block.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

#include <cstddef>

namespace hel::cc {

using namespace llvm;

Type *memory_type(Type *type) {
  return type->isIntegerTy()
             ? Type::getIntNTy(type->getContext(), std::max<unsigned>(8, PowerOf2Ceil(type->getIntegerBitWidth())))
             : type;
}

void Widener::emit_instruction(Instruction &inst) {
  if (auto *call = dyn_cast<CallBase>(&inst)) {
    return emit_call(*call);
  }
  if (auto *alloca = dyn_cast<AllocaInst>(&inst)) {
    return emit_alloca(*alloca);
  }
  if (auto *store = dyn_cast<StoreInst>(&inst)) {
    return emit_store(*store);
  }
  Shape shape = shape_of(&inst);
  if (isa<AtomicRMWInst>(inst) || isa<AtomicCmpXchgInst>(inst)) {
    return emit_atomic(inst);
  }
  if (isa<FenceInst>(inst)) {
    builder_.Insert(inst.clone());
    return;
  }
  if (shape.is_uniform()) {
    return emit_uniform(inst);
  }
  if (shape.guarded) {
    return;  // made where it is used
  }
  if (auto *load = dyn_cast<LoadInst>(&inst)) {
    return emit_load(*load);
  }
  if (shape.is_linear()) {
    return define(inst, linear_bases(inst));
  }
  if (Value *result = elementwise(inst)) {
    define(inst, result);
  }
}

void Widener::emit_uniform(Instruction &inst) {
  Instruction *copy = inst.clone();
  for (Use &operand : copy->operands()) {
    operand.set(scalar(operand.get()));
  }
  define(inst, builder_.Insert(copy, inst.getName()));
}

/// The vector of all lanes' results; null if refused.
Value *Widener::elementwise(Instruction &inst) {
  auto refused = [&](const Twine &why) -> Value * {
    refuse(why);
    return nullptr;
  };
  if (inst.getType()->isVectorTy() || (inst.getNumOperands() > 0 && inst.getOperand(0)->getType()->isVectorTy())) {
    return refused("a vector value that differs between lanes");
  }
  if (auto *gep = dyn_cast<GetElementPtrInst>(&inst)) {
    return address_vector(*gep);
  }
  Value *result = nullptr;
  if (auto *binary = dyn_cast<BinaryOperator>(&inst); binary != nullptr && binary->isIntDivRem()) {
    result = builder_.CreateBinOp(binary->getOpcode(), vector(binary->getOperand(0)), divisors(*binary));
  } else if (binary != nullptr) {
    result = builder_.CreateBinOp(binary->getOpcode(), vector(binary->getOperand(0)), vector(binary->getOperand(1)));
  } else if (auto *unary = dyn_cast<UnaryOperator>(&inst)) {
    result = builder_.CreateUnOp(unary->getOpcode(), vector(unary->getOperand(0)));
  } else if (auto *cast = dyn_cast<CastInst>(&inst)) {
    // The machine gathers by indices that it extends by their sign.
    auto opcode = extends_sign(*cast, shape_of(cast->getOperand(0))) ? Instruction::SExt : cast->getOpcode();
    result = builder_.CreateCast(opcode, vector(cast->getOperand(0)), wide_type(cast->getType()));
  } else if (auto *compare = dyn_cast<CmpInst>(&inst)) {
    result =
        builder_.CreateCmp(compare->getPredicate(), vector(compare->getOperand(0)), vector(compare->getOperand(1)));
  } else if (auto *select = dyn_cast<SelectInst>(&inst)) {
    Value *condition =
        shape_of(select->getCondition()).is_uniform() ? scalar(select->getCondition()) : vector(select->getCondition());
    result = blend(condition, vector(select->getTrueValue()), vector(select->getFalseValue()));
  } else if (isa<FreezeInst>(inst)) {
    result = builder_.CreateFreeze(vector(inst.getOperand(0)));
  } else if (auto *extract = dyn_cast<ExtractValueInst>(&inst)) {
    result = builder_.CreateExtractValue(vector(extract->getAggregateOperand()), extract->getIndices());
  } else if (auto *insert = dyn_cast<InsertValueInst>(&inst)) {
    result = builder_.CreateInsertValue(vector(insert->getAggregateOperand()),
                                        vector(insert->getInsertedValueOperand()), insert->getIndices());
  } else {
    return refused(Twine("instruction ") + inst.getOpcodeName());
  }
  if (auto *made = dyn_cast<Instruction>(result)) {
    made->copyIRFlags(&inst);
  }
  return result;
}

/// A lane that is not here must not divide by what happens to stand in it.
Value *Widener::divisors(BinaryOperator &division) {
  Value *divisor = division.getOperand(1);
  if (shape_of(divisor).is_uniform() && divisor->getType()->getScalarSizeInBits() <= 32) {
    // A division in floats, by any number: once for all lanes.
    return builder_.CreateVectorSplat(kWarpSize, builder_.CreateFreeze(scalar(divisor)));
  }
  return builder_.CreateSelect(mask_, vector(divisor), ConstantInt::get(wide_type(divisor->getType()), 1));
}

Value *Widener::address_vector(GetElementPtrInst &gep) {
  Value *pointer = gep.getPointerOperand();
  if (!shape_of(pointer).is_uniform() && is_in_small_memory(&gep, dl_)) {
    auto [start, offsets] = shared_place(&gep);
    return builder_.CreateGEP(builder_.getInt8Ty(), start, offsets);
  }
  Value *base = shape_of(pointer).is_uniform() ? scalar(pointer) : vector(pointer);
  SmallVector<Value *, 4> indices;
  for (Value *index : gep.indices()) {
    indices.push_back(shape_of(index).is_uniform() ? scalar(index) : vector(index));
  }
  return builder_.CreateGEP(gep.getSourceElementType(), base, indices, gep.getName(), gep.getNoWrapFlags());
}

void set_loop_hint(BranchInst &latch, ArrayRef<Metadata *> hint) {
  MDNode *self = MDNode::getDistinct(latch.getContext(), {nullptr, MDNode::get(latch.getContext(), hint)});
  self->replaceOperandWith(0, self);
  latch.setMetadata(LLVMContext::MD_loop, self);
}

/// The lanes run one after the other; `emit` writes the code for the lane whose number it gets. Such code runs seldom,
/// or what it does takes long: it is there once, also where the mask is known.
void Widener::for_each_lane(Value *mask, function_ref<void(Value *)> emit) {
  Type *i32 = builder_.getInt32Ty();
  BasicBlock *before = builder_.GetInsertBlock(), *loop = BasicBlock::Create(context_, "lane", &body_),
             *done = BasicBlock::Create(context_, "lanes.done", &body_);
  Value *bits = mask_bits(mask);
  builder_.CreateCondBr(builder_.CreateICmpNE(bits, builder_.getInt32(0)), loop, done);
  builder_.SetInsertPoint(loop);
  PHINode *left = builder_.CreatePHI(i32, 2, "lanes.left");
  left->addIncoming(bits, before);
  Value *lane = builder_.CreateIntrinsic(Intrinsic::cttz, {i32}, {left, builder_.getTrue()}, {}, "lane");
  emit(lane);
  Value *rest = builder_.CreateAnd(left, builder_.CreateSub(left, builder_.getInt32(1)));
  left->addIncoming(rest, builder_.GetInsertBlock());
  auto *latch = builder_.CreateCondBr(builder_.CreateICmpNE(rest, builder_.getInt32(0)), loop, done);
  set_loop_hint(*latch, {MDString::get(context_, "llvm.loop.unroll.disable")});
  builder_.SetInsertPoint(done);
}

/// All of them do; their numbers are known ahead.
void Widener::for_all_lanes(function_ref<void(Value *)> emit) {
  Type *i32 = builder_.getInt32Ty();
  BasicBlock *before = builder_.GetInsertBlock(), *loop = BasicBlock::Create(context_, "each", &body_),
             *done = BasicBlock::Create(context_, "each.done", &body_);
  builder_.CreateBr(loop);
  builder_.SetInsertPoint(loop);
  PHINode *lane = builder_.CreatePHI(i32, 2, "lane");
  lane->addIncoming(builder_.getInt32(0), before);
  emit(lane);
  Value *next = builder_.CreateNUWAdd(lane, builder_.getInt32(1));
  lane->addIncoming(next, builder_.GetInsertBlock());
  auto *latch = builder_.CreateCondBr(builder_.CreateICmpNE(next, builder_.getInt32(kWarpSize)), loop, done);
  set_loop_hint(*latch,
                {MDString::get(context_, "llvm.loop.unroll.count"), ConstantAsMetadata::get(builder_.getInt32(8))});
  builder_.SetInsertPoint(done);
}

/// Mostly all lanes of the mask are there: then none has to be looked for.
void Widener::for_many_lanes(Value *mask, function_ref<void(Value *)> emit) {
  if (little_code_) {
    return for_each_lane(mask, emit);
  }
  if (is_all_ones(mask)) {
    return for_all_lanes(emit);
  }
  Value *all = builder_.CreateICmpEQ(mask_bits(mask), builder_.getInt32(~0u));
  one_of_two_ways(all, [&] { for_all_lanes(emit); }, [&] { for_each_lane(mask, emit); });
}

void Widener::emit_lane_by_lane(Instruction &inst, Lane lane) {
  Value *result = lane_by_lane(inst, lane);
  if (result != nullptr) {
    define(inst, result);
  }
}

/// Memory where the value of one lane can be picked. It holds nothing from one instruction of the kernel to the next.
AllocaInst *Widener::lane_table(Type *element, const Twine &name) {
  IRBuilder<> at(prologue_, prologue_->begin());
  AllocaInst *place = at.CreateAlloca(ArrayType::get(element, kWarpSize), nullptr, name);
  place->setAlignment(Align(64));
  place->setMetadata(kScratch, MDNode::get(context_, {}));
  return place;
}

/// A scalar copy of `inst` runs for each active lane; null if it gives nothing.
Value *Widener::lane_by_lane(Instruction &inst, Lane manner, SetAddress address) {
  // Varying operands go through memory, where a lane can be picked.
  SmallVector<std::pair<unsigned, AllocaInst *>, 4> picked;
  auto *call = dyn_cast<CallBase>(&inst);
  for (Use &operand : inst.operands()) {
    if (isa<Constant>(operand.get()) || isa<BasicBlock>(operand.get()) || isa<MetadataAsValue>(operand.get()) ||
        (call != nullptr && call->isCallee(&operand) && isa<Function>(operand.get())) ||
        (address && operand.getOperandNo() == 0)) {
      continue;
    }
    Shape shape = shape_of(operand.get());
    if (shape.is_uniform()) {
      scalar(operand.get());
      continue;
    }
    Type *type = operand->getType();
    if (type->isAggregateType() || type->isVectorTy()) {
      refuse("an aggregate operand that differs between lanes");
      return nullptr;
    }
    AllocaInst *place = lane_table(memory_type(type), "lane.operand");
    Value *lanes = vector(operand.get());
    builder_.CreateStore(memory_type(type) == type ? lanes : builder_.CreateZExt(lanes, wide_type(memory_type(type))),
                         place);
    picked.push_back({operand.getOperandNo(), place});
  }
  Type *result_type = inst.getType();
  auto *record = dyn_cast<StructType>(result_type);
  SmallVector<AllocaInst *, 2> results;
  if (record != nullptr) {
    for (Type *element : record->elements()) {
      results.push_back(lane_table(memory_type(element), "lane.result"));
    }
  } else if (!result_type->isVoidTy()) {
    results.push_back(lane_table(memory_type(result_type), "lane.result"));
  }
  if (!refusal_.empty()) {
    return nullptr;
  }
  auto emit = [&](Value *lane) {
    if (manner == Lane::AsThread) {
      emit_lane_state(lane);
    }
    Instruction *copy = inst.clone();
    for (Use &operand : copy->operands()) {
      if (!isa<Constant>(operand.get()) && !isa<MetadataAsValue>(operand.get()) &&
          shape_of(operand.get()).is_uniform()) {
        operand.set(scalar(operand.get()));
      }
    }
    for (auto [number, place] : picked) {
      Type *type = inst.getOperand(number)->getType();
      Value *slot = builder_.CreateGEP(memory_type(type), place, lane);
      Value *value = builder_.CreateLoad(memory_type(type), slot);
      copy->setOperand(number, type->isIntegerTy() ? builder_.CreateTrunc(value, type) : value);
    }
    if (address) {
      address(*copy, lane);
    }
    scalar_copies_.push_back(builder_.Insert(copy));
    for (unsigned i = 0; i < results.size(); i++) {
      Value *value = record != nullptr ? builder_.CreateExtractValue(copy, i) : copy;
      if (value->getType()->isIntegerTy()) {
        value = builder_.CreateZExt(value, memory_type(value->getType()));
      }
      builder_.CreateStore(value, builder_.CreateGEP(value->getType(), results[i], lane));
    }
  };
  if (manner == Lane::Fast) {
    for_many_lanes(mask_, emit);
  } else {
    for_each_lane(mask_, emit);
  }
  auto read_back = [&](AllocaInst *place, Type *type) {
    Value *all = builder_.CreateLoad(VectorType::get(memory_type(type), kWarpSize, false), place);
    return type->isIntegerTy() ? builder_.CreateTrunc(all, wide_type(type)) : all;
  };
  if (record != nullptr) {
    Value *whole = PoisonValue::get(wide_type(record));
    for (unsigned i = 0; i < results.size(); i++) {
      whole = builder_.CreateInsertValue(whole, read_back(results[i], record->getElementType(i)), i);
    }
    return whole;
  }
  return results.empty() ? nullptr : read_back(results[0], result_type);
}

/// tid and lane of BlockState::lane_state, for functions that ask `__hl_thread` who runs.
void Widener::emit_lane_state(Value *lane) {
  Type *i32 = builder_.getInt32Ty(), *i8 = builder_.getInt8Ty();
  auto field = [&](Value *base, size_t offset) { return builder_.CreateConstGEP1_64(i8, base, offset); };
  Value *state = builder_.CreateLoad(builder_.getPtrTy(), field(block_, offsetof(abi::BlockState, lane_state)));
  Value *nx = builder_.CreateLoad(i32, field(launch_, offsetof(abi::LaunchState, block)));
  Value *ny = builder_.CreateLoad(i32, field(launch_, offsetof(abi::LaunchState, block) + 4));
  Value *linear = builder_.CreateAdd(builder_.CreateShl(warp_, 5), lane);
  Value *row = builder_.CreateUDiv(linear, nx);
  builder_.CreateStore(builder_.CreateURem(linear, nx), field(state, offsetof(abi::ThreadState, tid)));
  builder_.CreateStore(builder_.CreateURem(row, ny), field(state, offsetof(abi::ThreadState, tid) + 4));
  builder_.CreateStore(builder_.CreateUDiv(row, ny), field(state, offsetof(abi::ThreadState, tid) + 8));
  builder_.CreateStore(lane, field(state, offsetof(abi::ThreadState, lane)));
  builder_.CreateStore(warp_, field(state, offsetof(abi::ThreadState, warp)));
}

}  // namespace hel::cc
