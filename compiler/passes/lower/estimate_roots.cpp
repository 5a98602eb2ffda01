// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/lower/estimate_roots.h"

#include "compiler/ir/llvm_headers.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

#include <bit>
#include <numeric>

namespace hel::cc {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

constexpr unsigned kMostLanes = 16;  ///< floats in the largest register

/// `x` of 1 / sqrt(x), where an approximation will do; else null.
Value *argument_of_root(const Instruction &inst) {
  Value *x = nullptr;
  if (inst.getOpcode() != Instruction::FDiv || !inst.getType()->getScalarType()->isFloatTy() || !inst.hasApproxFunc() ||
      isa<ScalableVectorType>(inst.getType()) || !match(inst.getOperand(0), m_FPOne()) ||
      !match(inst.getOperand(1), m_Intrinsic<Intrinsic::sqrt>(m_Value(x)))) {
    return nullptr;
  }
  return cast<Instruction>(inst.getOperand(1))->hasApproxFunc() ? x : nullptr;
}

/// NaN, or positive and no subnormal even when halved: a sum of squares and at least one constant that is so.
bool is_well_above_zero(const Value *value) {
  SmallSetVector<const Value *, 8> terms;
  terms.insert(value);
  bool is_above = false;
  for (size_t i = 0; i < terms.size(); i++) {
    const APFloat *constant;
    const Value *a, *b;
    if (match(terms[i], m_APFloat(constant))) {
      if (constant->isNaN() || *constant < APFloat(0x1p-125f)) {
        return false;
      }
      is_above = true;
    } else if (match(terms[i], m_Intrinsic<Intrinsic::fma>(m_Value(a), m_Deferred(a), m_Value(b)))) {
      terms.insert(b);
    } else if (match(terms[i], m_FAdd(m_Value(a), m_Value(b)))) {
      terms.insert(a);
      terms.insert(b);
    } else if (!match(terms[i], m_FMul(m_Value(a), m_Deferred(a)))) {
      return false;
    }
  }
  return is_above;
}

/// `count` lanes of `vector` from `first` on; what is missing is poison.
Value *piece(IRBuilder<> &builder, Value *vector, unsigned first, unsigned count) {
  const unsigned there = cast<FixedVectorType>(vector->getType())->getNumElements();
  SmallVector<int, kMostLanes> lanes(count, PoisonMaskElem);
  std::iota(lanes.begin(), lanes.begin() + std::min(count, there - first), first);
  return builder.CreateShuffleVector(vector, lanes);
}

/// The processor's estimate has 14 bits with AVX-512, before that 12.
Value *estimate_in_register(IRBuilder<> &builder, Value *x, bool has_14_bits) {
  const unsigned lanes = cast<FixedVectorType>(x->getType())->getNumElements();
  if (!has_14_bits) {
    return builder.CreateIntrinsic(lanes == 4 ? Intrinsic::x86_sse_rsqrt_ps : Intrinsic::x86_avx_rsqrt_ps_256, {}, {x});
  }
  const Intrinsic::ID id = lanes == 4   ? Intrinsic::x86_avx512_rsqrt14_ps_128
                           : lanes == 8 ? Intrinsic::x86_avx512_rsqrt14_ps_256
                                        : Intrinsic::x86_avx512_rsqrt14_ps_512;
  Value *all = Constant::getAllOnesValue(builder.getIntNTy(std::max(lanes, 8u)));
  return builder.CreateIntrinsic(id, {}, {x, PoisonValue::get(x->getType()), all});
}

Value *estimate(IRBuilder<> &builder, Value *x, bool has_14_bits) {
  auto *vector = dyn_cast<FixedVectorType>(x->getType());
  if (vector == nullptr) {
    Value *four = builder.CreateInsertElement(PoisonValue::get(FixedVectorType::get(x->getType(), 4)), x, uint64_t{0});
    return builder.CreateExtractElement(estimate_in_register(builder, four, has_14_bits), uint64_t{0});
  }
  const unsigned lanes = vector->getNumElements();
  const unsigned width = std::clamp(std::bit_ceil(lanes), 4u, has_14_bits ? kMostLanes : kMostLanes / 2);
  Value *made = PoisonValue::get(vector);
  for (unsigned first = 0; first < lanes; first += width) {
    Value *some = estimate_in_register(builder, piece(builder, x, first, width), has_14_bits);
    Value *part = piece(builder, some, 0, lanes);
    SmallVector<int, 2 * kMostLanes> order(lanes);
    std::iota(order.begin(), order.end(), 0);
    for (unsigned lane = first; lane < std::min(first + width, lanes); lane++) {
      order[lane] = static_cast<int>(lanes + lane - first);
    }
    made = builder.CreateShuffleVector(made, part, order);
  }
  return made;
}

/// Half of what is well above zero, by taking one from the exponent: units that have no products to do subtract
/// integers. Half of infinity is so a finite number, whose product with the estimate, 0, is 0; half of NaN may be any
/// number.
Value *half_of(IRBuilder<> &builder, Value *x) {
  Type *bits = x->getType()->getWithNewType(builder.getInt32Ty());
  Value *half = builder.CreateSub(builder.CreateBitCast(x, bits), ConstantInt::get(bits, 1u << 23));
  return builder.CreateBitCast(half, x->getType());
}

Value *fused(IRBuilder<> &builder, Value *a, Value *b, Value *c) {
  return builder.CreateIntrinsic(Intrinsic::fma, {a->getType()}, {a, b, c});
}

/// Half of 1 - x * y * y, the error of `y`, for an `x` that is well above zero.
Value *half_of_error(IRBuilder<> &builder, Value *x, Value *y) {
  Value *product = builder.CreateFNeg(builder.CreateFMul(half_of(builder, x), y));
  return fused(builder, product, y, ConstantFP::get(x->getType(), 0.5));
}

/// From 12 bits, of what is well above zero: the error's first two powers.
Value *reciprocal_root_from_12_bits(IRBuilder<> &builder, Value *x) {
  Type *type = x->getType();
  Value *y = estimate(builder, x, false), *error = half_of_error(builder, x, y);
  Value *powers = fused(builder, error, ConstantFP::get(type, 1.5), ConstantFP::get(type, 1));
  return fused(builder, builder.CreateFMul(y, error), powers, y);
}

Value *reciprocal_root_from_14_bits(IRBuilder<> &builder, Value *x) {
  Type *type = x->getType();
  Value *y = estimate(builder, x, true), *half = ConstantFP::get(type, 0.5), *one = ConstantFP::get(type, 1);
  if (is_well_above_zero(x)) {
    return fused(builder, y, half_of_error(builder, x, y), y);
  }
  Value *product = builder.CreateFNeg(builder.CreateFMul(x, y)), *error = fused(builder, product, y, one);
  // 0 times infinity makes the error NaN where the estimate, infinity or 0, is right already: no positive error changes
  // it. This choice is one instruction, minps.
  Value *known = builder.CreateSelect(builder.CreateFCmpOLT(error, one), error, one);
  return fused(builder, builder.CreateFMul(y, half), known, y);
}

}  // namespace

Result<void> estimate_roots(Module &module, Compilation &) {
  for (Function &function : module) {
    const StringRef level = function.getFnAttribute("target-cpu").getValueAsString();
    if (level != "x86-64-v3" && level != "x86-64-v4") {
      continue;
    }
    for (Instruction &inst : make_early_inc_range(instructions(function))) {
      Value *x = argument_of_root(inst);
      if (x != nullptr && (level == "x86-64-v4" || is_well_above_zero(x))) {
        IRBuilder<> builder(&inst);
        inst.replaceAllUsesWith(level == "x86-64-v4" ? reciprocal_root_from_14_bits(builder, x)
                                                     : reciprocal_root_from_12_bits(builder, x));
        RecursivelyDeleteTriviallyDeadInstructions(&inst);
      }
    }
  }
  return {};
}

}  // namespace hel::cc
