// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/llvm_headers.h"
#include "compiler/passes/lower/math_emitters.h"

namespace hel::cc {
namespace {

using llvm::CallInst;
using llvm::Value;
using Builder = llvm::IRBuilder<>;

constexpr unsigned kWord = 32;

bool is_unsigned(const MathName &name) { return !name.rest.empty() && name.rest.back().starts_with("u"); }

Value *mulhi(const MathName &name, CallInst &call, Builder &b) {
  unsigned bits = call.getType()->getIntegerBitWidth();
  llvm::Type *wide = b.getIntNTy(2 * bits);
  auto extend = [&](Value *x) { return is_unsigned(name) ? b.CreateZExt(x, wide) : b.CreateSExt(x, wide); };
  Value *product = b.CreateMul(extend(call.getArgOperand(0)), extend(call.getArgOperand(1)));
  return b.CreateTrunc(b.CreateLShr(product, bits), call.getType());
}

Value *mul24(const MathName &name, CallInst &call, Builder &b) {
  auto low24 = [&](Value *x) {
    Value *up = b.CreateShl(x, 8);
    return is_unsigned(name) ? b.CreateLShr(up, 8) : b.CreateAShr(up, 8);
  };
  return b.CreateMul(low24(call.getArgOperand(0)), low24(call.getArgOperand(1)));
}

Value *sad(const MathName &name, CallInst &call, Builder &b) {
  Value *x = call.getArgOperand(0), *y = call.getArgOperand(1);
  Value *less = is_unsigned(name) ? b.CreateICmpULT(x, y) : b.CreateICmpSLT(x, y);
  Value *distance = b.CreateSelect(less, b.CreateSub(y, x), b.CreateSub(x, y));
  return b.CreateAdd(distance, call.getArgOperand(2));
}

/// A bit count as 64 bits: limited to 32, or taken modulo 32.
Value *bit_count(const MathName &name, Value *x, Builder &b) {
  Value *limit = b.getInt32(kWord);
  Value *count = name.rest.back() == "clamp" ? b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, x, limit)
                                             : b.CreateAnd(x, b.getInt32(kWord - 1));
  return b.CreateZExt(count, b.getInt64Ty());
}

Value *bit_mask(const MathName &name, CallInst &call, Builder &b) {
  Value *start = bit_count(name, call.getArgOperand(0), b);
  Value *length = bit_count(name, call.getArgOperand(1), b);
  Value *ones = b.CreateSub(b.CreateShl(b.getInt64(1), length), b.getInt64(1));
  return b.CreateTrunc(b.CreateShl(ones, start), b.getInt32Ty());
}

/// sext.clamp and zext.clamp: the lowest bits of a word, extended.
Value *extend_bits(const MathName &name, CallInst &call, Builder &b) {
  Value *shift = b.CreateSub(b.getInt64(64), bit_count(name, call.getArgOperand(1), b));
  Value *none = b.CreateICmpEQ(shift, b.getInt64(64));
  Value *safe = b.CreateAnd(shift, b.getInt64(63));
  Value *up = b.CreateShl(b.CreateZExt(call.getArgOperand(0), b.getInt64Ty()), safe);
  Value *down = name.op == "sext" ? b.CreateAShr(up, safe) : b.CreateLShr(up, safe);
  return b.CreateTrunc(b.CreateSelect(none, b.getInt64(0), down), b.getInt32Ty());
}

/// Position of the highest bit that differs from the sign, or how far it is from the top; all ones when there is none.
Value *find_leading_one(const MathName &name, CallInst &call, Builder &b) {
  Value *x = call.getArgOperand(0);
  llvm::Type *type = x->getType();
  unsigned bits = type->getIntegerBitWidth();
  if (!is_unsigned(name)) {
    x = b.CreateXor(x, b.CreateAShr(x, bits - 1));
  }
  Value *zeros = b.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, x, b.getFalse());
  Value *position = b.CreateSub(llvm::ConstantInt::get(type, bits - 1), zeros);
  Value *found = b.CreateSelect(call.getArgOperand(1), zeros, position);
  Value *result = b.CreateSelect(b.CreateIsNull(x), llvm::Constant::getAllOnesValue(type), found);
  return b.CreateSExtOrTrunc(result, call.getType());
}

/// fshl.clamp and fshr.clamp: shift a pair of words by at most 32.
Value *funnel(const MathName &name, CallInst &call, Builder &b) {
  Value *high = b.CreateShl(b.CreateZExt(call.getArgOperand(0), b.getInt64Ty()), kWord);
  Value *pair = b.CreateOr(high, b.CreateZExt(call.getArgOperand(1), b.getInt64Ty()));
  Value *count = bit_count(name, call.getArgOperand(2), b);
  Value *shifted = name.op == "fshl" ? b.CreateLShr(b.CreateShl(pair, count), kWord) : b.CreateLShr(pair, count);
  return b.CreateTrunc(shifted, b.getInt32Ty());
}

}  // namespace

Value *emit_integer_math(const MathName &name, CallInst &call, Builder &b) {
  using Emit = Value *(*)(const MathName &, CallInst &, Builder &);
  auto emit = llvm::StringSwitch<Emit>(name.op)
                  .Case("mulhi", mulhi)
                  .Case("mul24", mul24)
                  .Case("sad", sad)
                  .Case("bmsk", bit_mask)
                  .Cases({"sext", "zext"}, extend_bits)
                  .Case("flo", find_leading_one)
                  .Cases({"fshl", "fshr"}, funnel)
                  .Default(nullptr);
  if (emit && !name.rest.empty()) {
    return emit(name, call, b);
  }
  return name.op == "move" ? call.getArgOperand(0) : nullptr;
}

}  // namespace hel::cc
