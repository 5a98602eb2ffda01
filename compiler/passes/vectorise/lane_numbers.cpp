// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/vectorise/lane_numbers.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"

namespace hel::cc {

using namespace llvm;

namespace {

bool is_register(const Value *value, Intrinsic::ID id) {
  const auto *call = dyn_cast<CallBase>(value);
  return call != nullptr && call->getIntrinsicID() == id;
}

/// Zero bits at the bottom of lane 0's value. In rows of 32 the first lane of a warp has a multiple of 32 in
/// threadIdx.x, and (threadIdx.y or .z) * blockDim.x is one too (or 0); in whole rows blockDim.x is one itself.
unsigned base_zero_bits(const Value *value, bool whole_rows, unsigned depth = 0) {
  if (const auto *constant = dyn_cast<ConstantInt>(value)) {
    return constant->isZero() ? 32 : std::min(constant->getValue().countr_zero(), 32u);
  }
  if (is_register(value, Intrinsic::nvvm_read_ptx_sreg_tid_x) ||
      is_register(value, Intrinsic::nvvm_read_ptx_sreg_laneid) ||
      (whole_rows && is_register(value, Intrinsic::nvvm_read_ptx_sreg_ntid_x))) {
    return 5;
  }
  const auto *op = dyn_cast<Operator>(value);
  if (op == nullptr || depth > 6) {
    return 0;
  }
  auto bits = [&](unsigned operand) { return base_zero_bits(op->getOperand(operand), whole_rows, depth + 1); };
  switch (op->getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Or:
      return std::min(bits(0), bits(1));
    case Instruction::Mul: {
      for (unsigned i = 0; i < 2; i++) {
        const Value *a = op->getOperand(i), *b = op->getOperand(1 - i);
        if (is_register(b, Intrinsic::nvvm_read_ptx_sreg_ntid_x) &&
            (is_register(a, Intrinsic::nvvm_read_ptx_sreg_tid_y) ||
             is_register(a, Intrinsic::nvvm_read_ptx_sreg_tid_z))) {
          return 5;
        }
      }
      return std::min(bits(0) + bits(1), 32u);
    }
    case Instruction::Shl:
      return isa<ConstantInt>(op->getOperand(1))
                 ? std::min<uint64_t>(bits(0) + cast<ConstantInt>(op->getOperand(1))->getLimitedValue(32), 32)
                 : 0;
    case Instruction::ZExt:
    case Instruction::SExt:
    case Instruction::Trunc:
      return bits(0);
    case Instruction::PHI: {
      unsigned least = 32;
      for (const Value *incoming : op->operand_values()) {  // a counter has the bits of its start and of its step
        const auto *step = dyn_cast<BinaryOperator>(incoming);
        bool counts = step != nullptr && step->getOpcode() == Instruction::Add && step->getOperand(0) == op;
        least = std::min(least, base_zero_bits(counts ? step->getOperand(1) : incoming, whole_rows, depth + 1));
      }
      return least;
    }
    default:
      return 0;
  }
}

}  // namespace

bool is_global_index(const Value *value, unsigned row) {
  const auto *add = dyn_cast<BinaryOperator>(value);
  if (add == nullptr || add->getOpcode() != Instruction::Add) {
    return false;
  }
  for (int swap = 0; swap < 2; swap++) {
    const auto *product = dyn_cast<BinaryOperator>(add->getOperand(swap));
    if (product == nullptr || product->getOpcode() != Instruction::Mul ||
        !is_register(add->getOperand(1 - swap), Intrinsic::nvvm_read_ptx_sreg_tid_x)) {
      continue;
    }
    const Value *a = product->getOperand(0), *b = product->getOperand(1);
    if (is_register(b, Intrinsic::nvvm_read_ptx_sreg_ctaid_x)) {
      std::swap(a, b);
    }
    const auto *number = row != 0 ? dyn_cast<ConstantInt>(b) : nullptr;
    if (is_register(a, Intrinsic::nvvm_read_ptx_sreg_ctaid_x) &&
        (is_register(b, Intrinsic::nvvm_read_ptx_sreg_ntid_x) ||
         (number != nullptr && number->getValue().urem(row) == 0))) {
      return true;
    }
  }
  return false;
}

bool is_row(const Value *value, const Shape &shape, bool whole_rows) {
  return shape.kind == Shape::Affine && !shape.guarded && shape.stride == 1 && value->getType()->isIntegerTy() &&
         base_zero_bits(value, whole_rows) >= 5;
}

bool relies_on_whole_rows(const Function &kernel) {
  return any_of(instructions(kernel), [](const Instruction &inst) {
    switch (inst.getOpcode()) {
      case Instruction::LShr:
      case Instruction::AShr:
      case Instruction::SDiv:
      case Instruction::UDiv:
      case Instruction::SRem:
      case Instruction::URem:
      case Instruction::And:
      case Instruction::ICmp:
        return isa<ConstantInt>(inst.getOperand(1)) && base_zero_bits(inst.getOperand(0), true) >= 5 &&
               base_zero_bits(inst.getOperand(0), false) < 5;
      default:
        return false;
    }
  });
}

bool drops_lane(const Instruction &inst, const Shape &left, bool whole_rows) {
  const auto *constant = inst.getNumOperands() == 2 ? dyn_cast<ConstantInt>(inst.getOperand(1)) : nullptr;
  if (constant == nullptr || !is_row(inst.getOperand(0), left, whole_rows)) {
    return false;
  }
  const APInt &c = constant->getValue();
  auto multiple_of_32 = [](const APInt &n) { return n.countr_zero() >= 5; };
  switch (inst.getOpcode()) {
    case Instruction::LShr:
    case Instruction::AShr:
      return c.uge(5);
    case Instruction::SDiv:
      return c.isStrictlyPositive() && multiple_of_32(c) && is_global_index(inst.getOperand(0), 0);
    case Instruction::UDiv:
      return !c.isZero() && multiple_of_32(c);
    case Instruction::And:
      return multiple_of_32(c);
    case Instruction::ICmp:
      switch (cast<ICmpInst>(inst).getPredicate()) {
        case CmpInst::ICMP_ULT:
        case CmpInst::ICMP_UGE:
          return multiple_of_32(c) && left.exact_unsigned;
        case CmpInst::ICMP_ULE:
        case CmpInst::ICMP_UGT:
          return multiple_of_32(c + 1) && left.exact_unsigned;
        case CmpInst::ICMP_SLT:
        case CmpInst::ICMP_SGE:
          return multiple_of_32(c) && left.exact_signed;
        case CmpInst::ICMP_SLE:
        case CmpInst::ICMP_SGT:
          return multiple_of_32(c + 1) && left.exact_signed;
        default:
          return false;
      }
    default:
      return false;
  }
}

}  // namespace hel::cc
