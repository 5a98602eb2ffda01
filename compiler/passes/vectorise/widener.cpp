// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values: how a scalar of the kernel is found in the warp function, and the cells through which it crosses blocks.
#include "compiler/passes/vectorise/widener.h"

#include "abi/block.h"

#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

#include <cstddef>

namespace hel::cc {

using namespace llvm;

constexpr uint64_t kParamsAlign = 16;  ///< bytes, of the parameter buffer

Widener::Widener(Function &kernel, Function &body, LaneLayout layout, bool full)
    : kernel_(kernel),
      body_(body),
      layout_(layout),
      full_(full),
      context_(kernel.getContext()),
      dl_(kernel.getDataLayout()),
      shapes_(kernel, layout, full && layout == LaneLayout::RowsOf32),
      dominators_(kernel),
      loops_(dominators_),
      streamed_(kernel, loops_),
      builder_(kernel.getContext()) {
  order_ = std::make_unique<LinearOrder>(kernel, loops_, shapes_);
  meetings_ = std::make_unique<Meetings>(kernel, *order_, loops_, shapes_);
}

void Widener::refuse(const Twine &why) {
  if (!refusal_.empty()) {
    return;
  }
  refusal_ = why.str();
  auto add = [&](const char *how, const DILocation *where) {
    refusal_ += (Twine(how) + sys::path::filename(where->getFilename()) + ":" + Twine(where->getLine())).str();
  };
  if (const DILocation *where = builder_.getCurrentDebugLocation()) {
    add(" at ", where);
    const DILocation *outer = where;
    while (outer->getInlinedAt() != nullptr) {
      outer = outer->getInlinedAt();
    }
    if (outer != where) {
      add(", inlined at ", outer);
    }
  }
}

bool Widener::run() {
  prologue_ = BasicBlock::Create(context_, "prologue", &body_);
  find_whole_masks();
  find_forms();
  emit_prologue();
  for (unsigned i = 0; i < order_->blocks().size(); i++) {
    for (Form form : {Together, Apart}) {
      if (body_block_[form][i] != nullptr && refusal_.empty()) {
        form_ = form;
        emit_block(i);
      }
    }
    if (entry_[i] != nullptr && entry_[i] != body_block_[Apart][i] && refusal_.empty()) {
      emit_entry(i);
    }
  }
  if (!refusal_.empty()) {
    return false;
  }
  make_shared_atomics_plain();
  std::vector<AllocaInst *> cells;
  for (Instruction &inst : *prologue_) {
    if (auto *alloca = dyn_cast<AllocaInst>(&inst); alloca != nullptr && isAllocaPromotable(alloca)) {
      cells.push_back(alloca);
    }
  }
  DominatorTree dominators(body_);
  PromoteMemToReg(cells, dominators);
  return true;
}

Type *Widener::wide_type(Type *type) const {
  if (auto *record = dyn_cast<StructType>(type)) {
    SmallVector<Type *, 4> elements;
    for (Type *element : record->elements()) {
      elements.push_back(wide_type(element));
    }
    return StructType::get(context_, elements);
  }
  return VectorType::get(type, kWarpSize, false);
}

/// `yes` in the lanes of the condition, `no` in the others; member by member where lanes hold structs.
Value *Widener::blend(Value *condition, Value *yes, Value *no) {
  auto *record = dyn_cast<StructType>(yes->getType());
  if (record == nullptr) {
    return builder_.CreateSelect(condition, yes, no);
  }
  Value *made = PoisonValue::get(record);
  for (unsigned i = 0; i < record->getNumElements(); i++) {
    Value *member = blend(condition, builder_.CreateExtractValue(yes, i), builder_.CreateExtractValue(no, i));
    made = builder_.CreateInsertValue(made, member, i);
  }
  return made;
}

AllocaInst *Widener::cell(Type *type, const Twine &name) {
  IRBuilder<> at(prologue_, prologue_->begin());
  return at.CreateAlloca(type, nullptr, name);
}

/// <0, stride, 2 stride, …> of integers.
Value *Widener::lane_numbers(Type *element, int64_t stride) const {
  SmallVector<Constant *, kWarpSize> lanes;
  for (unsigned lane = 0; lane < kWarpSize; lane++) {
    lanes.push_back(ConstantInt::getSigned(element, static_cast<int64_t>(lane) * stride, /*ImplicitTrunc=*/true));
  }
  return ConstantVector::get(lanes);
}

/// Loads what does not change while the block runs.
Value *Widener::constant_field(Type *type, Value *base, uint64_t offset) {
  Value *place = builder_.CreateConstGEP1_64(builder_.getInt8Ty(), base, offset);
  LoadInst *load = builder_.CreateAlignedLoad(type, place, dl_.getABITypeAlign(type));
  load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context_, {}));
  return load;
}

/// Parameters, thread indices, and the cells of masks, phis and values that cross blocks.
void Widener::emit_prologue() {
  builder_.SetInsertPoint(prologue_);
  launch_ = body_.getArg(0);
  block_ = body_.getArg(1);
  warp_ = body_.getArg(2);
  create_cells();
  Type *i32 = builder_.getInt32Ty();
  auto *params = cast<LoadInst>(constant_field(builder_.getPtrTy(), launch_, offsetof(abi::LaunchState, params)));
  uint64_t offset = 0;
  for (Argument &argument : kernel_.args()) {
    bool by_value = argument.hasByValAttr();
    Type *type = by_value ? argument.getParamByValType() : argument.getType();
    Align align = std::max(by_value ? argument.getParamAlign().valueOrOne() : Align(1), dl_.getABITypeAlign(type));
    offset = alignTo(offset, align);
    Value *place = builder_.CreateConstGEP1_64(builder_.getInt8Ty(), params, offset);
    Value *value;
    if (by_value) {
      value = argument.getType()->getPointerAddressSpace() == 0
                  ? place
                  : builder_.CreateAddrSpaceCast(place, argument.getType());
      offset += dl_.getTypeAllocSize(type);
    } else if (type->isIntegerTy(1)) {
      value = builder_.CreateTrunc(constant_field(builder_.getInt8Ty(), params, offset), type, argument.getName());
      offset += 1;
    } else {
      value = constant_field(type, params, offset);
      offset += dl_.getTypeAllocSize(type);
    }
    arguments_[&argument] = Wide{Shape::uniform(), {value}};
  }
  if (offset != 0) {
    auto *bytes = ConstantAsMetadata::get(builder_.getInt64(offset));
    params->setMetadata(LLVMContext::MD_dereferenceable, MDNode::get(context_, bytes));
    auto *align = ConstantAsMetadata::get(builder_.getInt64(kParamsAlign));
    params->setMetadata(LLVMContext::MD_align, MDNode::get(context_, align));
  }
  // floor(n / d) for n, d <= 1024 as a multiplication: n * ceil(2^20 / d) >> 20 is exact there.
  auto divide = [&](Value *n, Value *d) {
    Value *magic = builder_.CreateUDiv(
        builder_.CreateAdd(builder_.getInt32(1u << 20), builder_.CreateSub(d, builder_.getInt32(1))), d);
    if (n->getType()->isVectorTy()) {
      magic = builder_.CreateVectorSplat(kWarpSize, magic);
    }
    return builder_.CreateLShr(builder_.CreateMul(n, magic), 20);
  };
  auto remainder = [&](Value *n, Value *quotient, Value *d, const char *name) {
    return builder_.CreateSub(n, builder_.CreateMul(quotient, d), name);
  };
  // Visibly defined and not 0, so that divisions by them may be done early, once for all warps.
  auto dimension = [&](uint64_t field) {
    auto *size = cast<LoadInst>(constant_field(i32, launch_, offsetof(abi::LaunchState, block) + field));
    size->setMetadata(LLVMContext::MD_noundef, MDNode::get(context_, {}));
    return builder_.CreateBinaryIntrinsic(Intrinsic::umax, size, builder_.getInt32(1));
  };
  prepare_rounds();
  Value *nx = dimension(offsetof(abi::Dim3, x)), *ny = dimension(offsetof(abi::Dim3, y));
  Value *first = builder_.CreateShl(warp_, 5);
  if (one_row_) {
    tid_[0] = {builder_.CreateShl(warp_, 5, "tid.x", true, true)};
    tid_[1] = tid_[2] = {builder_.getInt32(0)};
  } else if (layout_ == LaneLayout::RowsOf32) {
    Value *row = divide(first, nx), *z = divide(row, ny);
    tid_[0] = {remainder(first, row, nx, "tid.x")};
    tid_[1] = {remainder(row, z, ny, "tid.y")};
    tid_[2] = {z};
  } else if (layout_ != LaneLayout::General) {
    Value *row = builder_.CreateMul(warp_, builder_.getInt32(row_count()));
    Value *z = divide(row, ny), *y = remainder(row, z, ny, "tid.y");
    for (unsigned r = 0; r < row_count(); r++) {
      tid_[0].push_back(builder_.getInt32(0));
      tid_[1].push_back(y);
      tid_[2].push_back(z);
      y = builder_.CreateAdd(y, builder_.getInt32(1));
      Value *last = builder_.CreateICmpEQ(y, ny);
      y = builder_.CreateSelect(last, builder_.getInt32(0), y, "tid.y");
      z = builder_.CreateAdd(z, builder_.CreateZExt(last, i32), "tid.z");
    }
  } else {
    Value *linear = builder_.CreateAdd(builder_.CreateVectorSplat(kWarpSize, first), lane_numbers(i32, 1));
    Value *row = divide(linear, nx), *z = divide(row, ny);
    tid_[0] = {remainder(linear, row, builder_.CreateVectorSplat(kWarpSize, nx), "tid.x")};
    tid_[1] = {remainder(row, z, builder_.CreateVectorSplat(kWarpSize, ny), "tid.y")};
    tid_[2] = {z};
  }
  Type *mask_type = VectorType::get(builder_.getInt1Ty(), kWarpSize, false);
  Value *lanes = full_ ? static_cast<Value *>(Constant::getAllOnesValue(mask_type))
                       : builder_.CreateBitCast(body_.getArg(3), mask_type);
  for (AllocaInst *mask : mask_cells_) {
    builder_.CreateStore(Constant::getNullValue(mask_type), mask);
  }
  builder_.CreateStore(lanes, mask_cells_[0]);
  builder_.CreateBr(body_block_[full_ ? Together : Apart][0]);
}

void Widener::create_cells() {
  Type *mask_type = VectorType::get(builder_.getInt1Ty(), kWarpSize, false);
  for (BasicBlock *block : order_->blocks()) {
    mask_cells_.push_back(cell(mask_type, "waits." + block->getName()));
  }
  SmallSetVector<Value *, 8> read_next;
  for (Value *place : places_read_in_rounds()) {
    add_what_makes(*place, read_next);
  }
  for (Instruction &inst : instructions(kernel_)) {
    Shape shape = shape_of(&inst);
    if (inst.getType()->isVoidTy() || isa<AllocaInst>(inst) || shape.guarded) {
      continue;
    }
    Type *type = shape.kind == Shape::Varying ? wide_type(inst.getType()) : inst.getType();
    Loop *loop = loops_.getLoopFor(inst.getParent());
    bool header = loop != nullptr && loop->getHeader() == inst.getParent();
    auto add = [&](Cells &cells, const Twine &name) {
      for (unsigned i = 0; i < base_count(shape); i++) {
        cells.push_back(cell(type, name));
        if (loop != nullptr && !header) {
          loop_cells_[loop].push_back(cells.back());
        }
      }
    };
    if (auto *phi = dyn_cast<PHINode>(&inst)) {
      add(phi_cells_[phi], inst.getName() + ".phi");
    }
    SmallPtrSet<BasicBlock *, 8> used_in;
    find_blocks_of_use(inst, used_in);
    if (used_in.size() > used_in.count(inst.getParent()) || read_next.contains(&inst)) {
      add(cells_[&inst], inst.getName() + ".cell");
    }
  }
}

/// What is guarded is made anew in each block that uses it, and its operands are used there.
void Widener::find_blocks_of_use(Instruction &inst, SmallPtrSetImpl<BasicBlock *> &blocks) const {
  for (const Use &use : inst.uses()) {
    auto *user = cast<Instruction>(use.getUser());
    auto *phi = dyn_cast<PHINode>(user);
    blocks.insert(phi != nullptr ? phi->getIncomingBlock(use) : user->getParent());
    if (shape_of(user).guarded) {
      find_blocks_of_use(*user, blocks);
    }
  }
}

const Widener::Wide &Widener::wide(Value *value) {
  if (const Wide *found = local_.find(value)) {
    return *found;
  }
  auto argument = arguments_.find(value);
  if (argument != arguments_.end()) {
    return local_.entry(value) = argument->second;
  }
  Wide made;
  made.shape = shape_of(value);
  auto crossing = cells_.find(value);
  if (auto *constant = dyn_cast<Constant>(value)) {
    made.bases = {constant};
  } else if (made.shape.guarded) {
    made = remake(*cast<Instruction>(value));
  } else if (crossing != cells_.end()) {
    for (AllocaInst *cell : crossing->second) {
      made.bases.push_back(builder_.CreateLoad(cell->getAllocatedType(), cell, value->getName()));
    }
    if (made.shape.kind == Shape::Varying) {
      made.vector = made.bases.pop_back_val();
    }
  } else {
    refuse("internal: a value has no definition");
    made.bases.assign(base_count(made.shape), PoisonValue::get(value->getType()));
  }
  return local_.entry(value) = made;
}

Value *Widener::scalar(Value *value) {
  const Wide &w = wide(value);
  if (w.bases.size() != 1) {
    refuse("internal: a varying value is used as a scalar");
    return PoisonValue::get(value->getType());
  }
  return w.bases[0];
}

Value *Widener::vector(Value *value) {
  const Wide &w = wide(value);
  if (w.vector != nullptr) {
    return w.vector;
  }
  Value *made;
  if (isa<UndefValue>(value)) {
    made = isa<PoisonValue>(value) ? PoisonValue::get(wide_type(value->getType()))
                                   : UndefValue::get(wide_type(value->getType()));
  } else if (value->getType()->isStructTy()) {
    made = PoisonValue::get(wide_type(value->getType()));
    for (unsigned i = 0; i < value->getType()->getStructNumElements(); i++) {
      Value *element = builder_.CreateExtractValue(w.bases[0], i);
      made = builder_.CreateInsertValue(made, builder_.CreateVectorSplat(kWarpSize, element), i);
    }
  } else if (w.shape.guarded) {
    made = elementwise(*cast<Instruction>(value));
  } else if (w.shape.is_linear()) {
    made = spread(w, value->getType());
  } else {
    made = builder_.CreateVectorSplat(kWarpSize, w.bases[0]);
  }
  local_.entry(value).vector = made;
  return made;
}

/// Records the result of `inst` and stores it where other blocks will look for it.
void Widener::define(Instruction &inst, ArrayRef<Value *> result) {
  Wide made;
  made.shape = shape_of(&inst);
  if (made.shape.kind == Shape::Varying) {
    made.vector = result[0];
  } else {
    made.bases.assign(result.begin(), result.end());
  }
  local_.entry(&inst) = made;
  if (auto crossing = cells_.find(&inst); crossing != cells_.end()) {
    for (auto [cell, value] : zip(crossing->second, result)) {
      builder_.CreateStore(value, cell);
    }
  }
}

}  // namespace hel::cc
