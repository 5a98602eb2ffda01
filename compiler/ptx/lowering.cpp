// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ptx/lowering.h"

#include "compiler/ir/compilation.h"
#include "compiler/ir/llvm_headers.h"
#include "compiler/passes/lower/flush_denormals.h"
#include "compiler/ptx/families.h"

#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace hel::cc::ptx {
namespace {

constexpr char kCarryMetadata[] = "hl.carry";

}  // namespace

bool Suffixes::take(llvm::StringRef name) {
  auto found = llvm::find(left_, name);
  if (found == left_.end()) {
    return false;
  }
  left_.erase(found);
  return true;
}

llvm::StringRef Suffixes::take_one_of(llvm::ArrayRef<llvm::StringRef> names) {
  for (llvm::StringRef name : names) {
    if (take(name)) {
      return name;
    }
  }
  return "";
}

std::optional<Type> Suffixes::take_type() {
  for (auto *at = left_.begin(); at != left_.end(); ++at) {
    if (std::optional<Type> type = parse_type(*at)) {
      left_.erase(at);
      return type;
    }
  }
  return std::nullopt;
}

std::optional<Rounding> Suffixes::take_rounding() {
  static constexpr std::pair<llvm::StringLiteral, Rounding> kModes[] = {
      {"rn", Rounding::Nearest}, {"rz", Rounding::Zero}, {"rm", Rounding::Down}, {"rp", Rounding::Up}};
  for (const auto &[name, mode] : kModes) {
    if (take(name)) {
      return mode;
    }
  }
  return std::nullopt;
}

void Suffixes::drop(llvm::StringRef start) {
  llvm::erase_if(left_, [&](llvm::StringRef suffix) { return suffix.starts_with(start); });
}

Lowering::Lowering(llvm::CallInst &call) : b(&call), call_(&call) {
  llvm::LLVMContext &context = call.getContext();
  call.setMetadata(kKeepsDenormalsMetadata, llvm::MDNode::get(context, {}));
  b.CollectMetadataToCopy(&call, {context.getMDKindID(kPlaceMetadata), context.getMDKindID(kKeepsDenormalsMetadata)});
  bind_outer_operands();
}

llvm::AllocaInst *Lowering::new_cell(llvm::Type *type, const llvm::Twine &name) {
  llvm::BasicBlock &entry = call_->getFunction()->getEntryBlock();
  llvm::IRBuilder<> at(&entry, entry.begin());
  return at.CreateAlloca(type, nullptr, name);
}

llvm::AllocaInst *find_carry(llvm::Function &function) {
  for (llvm::Instruction &inst : function.getEntryBlock()) {
    if (inst.hasMetadata(kCarryMetadata)) {
      return llvm::cast<llvm::AllocaInst>(&inst);
    }
  }
  return nullptr;
}

llvm::AllocaInst *Lowering::carry() {
  llvm::AllocaInst *cell = find_carry(*call_->getFunction());
  if (!cell) {
    cell = new_cell(b.getInt1Ty(), "ptx.carry");
    cell->setMetadata(kCarryMetadata, llvm::MDNode::get(b.getContext(), {}));
  }
  return cell;
}

bool Lowering::is_volatile() const {
  return llvm::cast<llvm::InlineAsm>(call_->getCalledOperand())->hasSideEffects();
}

/// A value of the outside as an integer of its size; pointers stay what they are.
llvm::Value *Lowering::input_bits(llvm::Value *value) {
  llvm::Type *type = value->getType();
  if (type->isPointerTy() || type->isIntegerTy()) {
    return value;
  }
  return b.CreateBitCast(value, b.getIntNTy(type->getPrimitiveSizeInBits()));
}

/// $n counts outputs first, then inputs. An output that is also read ("+r") has a tied input with its first value.
void Lowering::bind_outer_operands() {
  auto *text = llvm::cast<llvm::InlineAsm>(call_->getCalledOperand());
  unsigned argument = 0;
  for (const llvm::InlineAsm::ConstraintInfo &info : text->ParseConstraints()) {
    if (info.Type == llvm::InlineAsm::isClobber) {
      continue;
    }
    Outer &outer = outer_.emplace_back();
    if (info.isIndirect || (info.Type != llvm::InlineAsm::isInput && info.Type != llvm::InlineAsm::isOutput)) {
      ++argument;
      fail("memory operands are not supported");
      continue;
    }
    if (info.Type == llvm::InlineAsm::isOutput) {
      llvm::Type *whole = call_->getType();
      auto *many = llvm::dyn_cast<llvm::StructType>(whole);
      llvm::Type *one = many ? many->getElementType(results_.size()) : whole;
      unsigned bits = call_->getDataLayout().getTypeSizeInBits(one);
      outer.cell = new_cell(b.getIntNTy(bits), "ptx.out");
      results_.push_back(outer.cell);
      continue;
    }
    llvm::Value *value = input_bits(call_->getArgOperand(argument++));
    unsigned tied = 0;
    if (!info.Codes.empty() && !llvm::StringRef(info.Codes[0]).getAsInteger(10, tied) && tied < outer_.size()) {
      outer.cell = outer_[tied].cell;
      if (value->getType()->isPointerTy()) {
        value = b.CreatePtrToInt(value, b.getInt64Ty());
      }
      b.CreateStore(b.CreateZExtOrTrunc(value, outer.cell->getAllocatedType()), outer.cell);
    } else {
      outer.value = value;
    }
  }
}

llvm::Value *Lowering::result() {
  llvm::Type *whole = call_->getType();
  if (whole->isVoidTy()) {
    return nullptr;
  }
  auto element = [&](llvm::AllocaInst *cell, llvm::Type *type) -> llvm::Value * {
    llvm::Value *bits = b.CreateLoad(cell->getAllocatedType(), cell);
    return type->isPointerTy() ? b.CreateIntToPtr(bits, type) : b.CreateBitCast(bits, type);
  };
  auto *many = llvm::dyn_cast<llvm::StructType>(whole);
  if (!many) {
    return element(results_[0], whole);
  }
  llvm::Value *value = llvm::PoisonValue::get(whole);
  for (unsigned i = 0; i < results_.size(); ++i) {
    value = b.CreateInsertValue(value, element(results_[i], many->getElementType(i)), i);
  }
  return value;
}

bool Lowering::fail(const llvm::Twine &text) {
  if (error_.empty()) {
    error_ = text.str();
  }
  return false;
}

bool Lowering::run(const Block &body) {
  bool good = error_.empty() && lower(body);
  for (const auto &[name, block] : labels_) {
    if (good && !placed_labels_[name]) {
      good = fail("no label '" + name + "'");
    }
    if (!placed_labels_[name]) {
      llvm::IRBuilder<>(block).CreateUnreachable();
    }
  }
  return good && error_.empty();
}

bool Lowering::lower(const Block &block) {
  scopes_.emplace_back();
  bool good = true;
  for (const Statement &statement : block.statements) {
    if (const auto *inst = std::get_if<Instruction>(&statement)) {
      good = lower(*inst);
    } else if (const auto *label = std::get_if<Label>(&statement)) {
      place_label(label->name);
    } else if (const auto *declaration = std::get_if<Declaration>(&statement)) {
      good = declare(*declaration);
    } else {
      good = lower(*std::get<std::unique_ptr<Block>>(statement));
    }
    if (!good) {
      break;
    }
  }
  scopes_.pop_back();
  return good && error_.empty();
}

bool Lowering::lower(const Instruction &inst) {
  if (!inst.guard) {
    return dispatch(inst);
  }
  llvm::Value *condition = read(*inst.guard, kPredicate);
  llvm::Instruction *inside = llvm::SplitBlockAndInsertIfThen(condition, call_->getIterator(), /*Unreachable=*/false);
  llvm::CallInst *after = call_;
  b.SetInsertPoint(inside);
  b.SetCurrentDebugLocation(after->getDebugLoc());
  bool good = dispatch(inst);
  b.SetInsertPoint(after);
  return good;
}

bool Lowering::dispatch(const Instruction &inst) {
  bool known = false;
  for (auto family : kFamilies) {
    for (const Opcode &opcode : family()) {
      if (inst.opcode != opcode.name) {
        continue;
      }
      known = true;
      if (opcode.handler(*this, inst)) {
        return error_.empty();
      }
      if (!error_.empty()) {
        return false;
      }
    }
  }
  return known ? fail("the PTX instruction '" + inst.spelling() + "' is not supported in this form")
               : fail("unknown PTX instruction '" + inst.spelling() + "'");
}

bool Lowering::declare(const Declaration &declaration) {
  if (declaration.space != "reg" || declaration.vector != 1) {
    return fail("PTX declarations of ." + declaration.space + " variables are not supported inside assembly");
  }
  llvm::Type *type = b.getIntNTy(declaration.type.bits());
  for (const Declaration::Name &name : declaration.names) {
    if (name.count == 0) {
      scopes_.back()[name.text] = {declaration.type, new_cell(type, name.text)};
    }
    for (uint64_t i = 0; i < name.count; ++i) {
      std::string numbered = name.text + std::to_string(i);
      scopes_.back()[numbered] = {declaration.type, new_cell(type, numbered)};
    }
  }
  return true;
}

llvm::BasicBlock *Lowering::label_block(const std::string &name) {
  llvm::BasicBlock *&block = labels_[name];
  if (!block) {
    block = llvm::BasicBlock::Create(b.getContext(), name, call_->getFunction());
  }
  return block;
}

void Lowering::place_label(const std::string &name) {
  if (placed_labels_[name]) {
    fail("label '" + name + "' stands twice");
    return;
  }
  placed_labels_[name] = true;
  llvm::BasicBlock *label = label_block(name);
  llvm::BasicBlock *before = call_->getParent();
  llvm::BasicBlock *rest = before->splitBasicBlock(call_->getIterator());
  before->getTerminator()->setSuccessor(0, label);
  llvm::IRBuilder<>(label).CreateBr(rest);
  label->moveAfter(before);
  b.SetInsertPoint(call_);
}

/// What follows an unconditional jump is reached by labels only.
void Lowering::jump(const Operand &label) {
  llvm::BasicBlock *target = label_block(label.name);
  llvm::Instruction *here = &*b.GetInsertPoint();
  if (here == call_) {
    llvm::BasicBlock *before = call_->getParent();
    before->splitBasicBlock(call_->getIterator());
    before->getTerminator()->setSuccessor(0, target);
    b.SetInsertPoint(call_);
  } else {
    llvm::cast<llvm::BranchInst>(here)->setSuccessor(0, target);  // the end of a guarded instruction's block
  }
}

const Lowering::Register *Lowering::find_register(llvm::StringRef name) const {
  for (const Scope &scope : llvm::reverse(scopes_)) {
    auto found = scope.find(name);
    if (found != scope.end()) {
      return &found->second;
    }
  }
  return nullptr;
}

llvm::AllocaInst *Lowering::cell_of(const Operand &operand) {
  if (operand.kind == Operand::Kind::Outer) {
    return operand.value < outer_.size() ? outer_[operand.value].cell : nullptr;
  }
  const Register *found = operand.kind == Operand::Kind::Name ? find_register(operand.name) : nullptr;
  return found ? found->cell : nullptr;
}

llvm::Value *Lowering::integer(Type type, uint64_t value) {
  return llvm::ConstantInt::get(b.getIntNTy(type.bits()), value, /*IsSigned=*/false, /*ImplicitTrunc=*/true);
}

llvm::Value *Lowering::special_register(const Operand &operand) {
  llvm::StringRef name = operand.name;
  if (name == "WARP_SZ") {
    return nvvm("read.ptx.sreg.warpsize");
  }
  if (!name.consume_front("%")) {
    fail("no register '" + operand.name + "'");
    return llvm::PoisonValue::get(b.getInt32Ty());
  }
  if (name == "clock_hi" || name == "globaltimer_hi") {
    llvm::Value *whole = nvvm(name == "clock_hi" ? "read.ptx.sreg.clock64" : "read.ptx.sreg.globaltimer");
    return b.CreateTrunc(b.CreateLShr(whole, 32), b.getInt32Ty());
  }
  if (name == "reserved_smem_offset_0" || name == "reserved_smem_offset_1" || name == "reserved_smem_offset_begin" ||
      name == "reserved_smem_offset_end" || name == "reserved_smem_offset_cap") {
    return b.getInt32(0);  // no shared memory is kept for a system
  }
  std::string dotted = name.str();
  if (name.starts_with("lanemask_") || name.starts_with("cluster_")) {
    dotted[name.find('_')] = '.';
  }
  if (name == "globaltimer_lo") {
    dotted = "globaltimer.lo";
  }
  std::string intrinsic = "llvm.nvvm.read.ptx.sreg." + dotted + (operand.selector.empty() ? "" : "." + operand.selector);
  if (name == "is_explicit_cluster") {
    intrinsic = "llvm.nvvm.is_explicit_cluster";
  }
  llvm::Intrinsic::ID id = llvm::Intrinsic::lookupIntrinsicID(intrinsic);
  if (id == llvm::Intrinsic::not_intrinsic || llvm::Intrinsic::getBaseName(id) != intrinsic) {
    fail("no register '" + operand.name + (operand.selector.empty() ? "" : "." + operand.selector) + "'");
    return llvm::PoisonValue::get(b.getInt32Ty());
  }
  return call(id, {});
}

/// An operand's bits (pointers of the outside as they are).
llvm::Value *Lowering::raw(const Operand &operand, Type type) {
  if (llvm::AllocaInst *cell = cell_of(operand)) {
    return b.CreateLoad(cell->getAllocatedType(), cell);
  }
  switch (operand.kind) {
  case Operand::Kind::Outer:
    if (operand.value < outer_.size()) {
      return outer_[operand.value].value;
    }
    break;
  case Operand::Kind::Name:
    return special_register(operand);
  case Operand::Kind::Integer:
    return integer(type, operand.value);
  case Operand::Kind::Float32:
  case Operand::Kind::Float64: {
    if (!type.is_float() || operand.kind == (type.lane_bits == 64 ? Operand::Kind::Float64 : Operand::Kind::Float32)) {
      return integer(type, operand.value);
    }
    llvm::APFloat value = operand.kind == Operand::Kind::Float32
                              ? llvm::APFloat(llvm::bit_cast<float>(static_cast<uint32_t>(operand.value)))
                              : llvm::APFloat(llvm::bit_cast<double>(operand.value));
    bool loses = false;
    value.convert(this->type(type.lane())->getFltSemantics(), llvm::APFloat::rmNearestTiesToEven, &loses);
    return b.getInt(value.bitcastToAPInt());
  }
  default:
    break;
  }
  fail("the PTX operand is not a value");
  return llvm::PoisonValue::get(b.getIntNTy(type.bits()));
}

llvm::Value *Lowering::read(const Operand &operand, Type type) {
  llvm::Value *value = raw(operand, type);
  if (value->getType()->isPointerTy()) {
    value = b.CreatePtrToInt(value, b.getInt64Ty());
  }
  if (type.is_predicate()) {
    value = value->getType()->isIntegerTy(1) ? value : b.CreateIsNotNull(value);
    return operand.negated ? b.CreateNot(value) : value;
  }
  bool is_special = operand.kind == Operand::Kind::Name && !find_register(operand.name);
  if (operand.negated || (!operand.selector.empty() && !is_special)) {
    fail("the PTX operand has a form that is not supported here");
  }
  return b.CreateBitCast(b.CreateZExtOrTrunc(value, b.getIntNTy(type.bits())), this->type(type));
}

void Lowering::write(const Operand &operand, llvm::Value *value, Type type) {
  if (operand.kind == Operand::Kind::Sink) {
    return;
  }
  llvm::AllocaInst *cell = cell_of(operand);
  if (!cell || operand.negated || !operand.selector.empty()) {
    fail("the PTX instruction's result is no register that can be written");
    return;
  }
  llvm::Value *bits = b.CreateBitCast(value, b.getIntNTy(type.bits()));
  llvm::Type *wanted = cell->getAllocatedType();
  b.CreateStore(type.is_signed() ? b.CreateSExtOrTrunc(bits, wanted) : b.CreateZExtOrTrunc(bits, wanted), cell);
}

bool Lowering::is_predicate(const Operand &operand) {
  llvm::AllocaInst *cell = cell_of(operand);
  return operand.negated || (cell && cell->getAllocatedType()->isIntegerTy(1));
}

llvm::Value *Lowering::pointer(const Operand &operand, unsigned space) {
  llvm::PointerType *wanted = b.getPtrTy(space);
  if (operand.kind != Operand::Kind::Address || operand.parts.size() != 1) {
    fail("the PTX instruction needs an address in brackets");
    return llvm::PoisonValue::get(wanted);
  }
  const Operand &base = operand.parts[0];
  llvm::Value *value = raw(base, kB64);
  if (value->getType()->isPointerTy()) {
    // A 64-bit operand of the shared space is the number of a shared address, not a generic address of it.
    bool is_number = space == 3 && value->getType()->getPointerAddressSpace() == 0;
    value = is_number ? b.CreateIntToPtr(b.CreatePtrToInt(value, b.getInt64Ty()), wanted)
                      : b.CreatePointerBitCastOrAddrSpaceCast(value, wanted);
  } else {
    value = b.CreateIntToPtr(b.CreateZExtOrTrunc(value, b.getInt64Ty()), wanted);
  }
  return operand.offset ? b.CreateGEP(b.getInt8Ty(), value, b.getInt64(static_cast<uint64_t>(operand.offset))) : value;
}

llvm::Value *Lowering::call(llvm::Intrinsic::ID id, llvm::ArrayRef<llvm::Value *> arguments,
                            llvm::ArrayRef<llvm::Type *> overloads) {
  return b.CreateIntrinsic(id, overloads, arguments);
}

llvm::Value *Lowering::nvvm(const llvm::Twine &name, llvm::ArrayRef<llvm::Value *> arguments) {
  std::string full = ("llvm.nvvm." + name).str();
  llvm::Intrinsic::ID id = llvm::Intrinsic::lookupIntrinsicID(full);
  HEL_ENSURE(id != llvm::Intrinsic::not_intrinsic && llvm::Intrinsic::getBaseName(id) == full, "no intrinsic %s", full.c_str());
  return llvm::Intrinsic::isOverloaded(id) ? b.CreateIntrinsic(id, {arguments[0]->getType()}, arguments)
                                           : b.CreateIntrinsic(id, {}, arguments);
}

llvm::Value *Lowering::library(llvm::StringRef name, llvm::Type *result, llvm::ArrayRef<llvm::Value *> arguments) {
  llvm::SmallVector<llvm::Type *, 4> types;
  for (llvm::Value *argument : arguments) {
    types.push_back(argument->getType());
  }
  llvm::FunctionCallee function =
      call_->getModule()->getOrInsertFunction(name, llvm::FunctionType::get(result, types, false));
  return b.CreateCall(function, arguments);
}

}  // namespace hel::cc::ptx
