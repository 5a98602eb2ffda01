// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/llvm_headers.h"
#include "compiler/passes/lower/math_emitters.h"

namespace hel::cc {
namespace {

using llvm::CallInst;
using llvm::Value;
using Builder = llvm::IRBuilder<>;

constexpr unsigned kByte = 8;
constexpr unsigned kBytes = 4;

/// Which of the eight bytes goes to place `i` in a permute with a named mode; `control` is the mode's operand.
Value *permute_index(llvm::StringRef mode, Value *control, unsigned i, Builder &b) {
  Value *place = b.getInt32(i);
  Value *low = b.CreateAnd(control, b.getInt32(3));
  if (mode == "f4e") {
    return b.CreateAdd(low, place);
  }
  if (mode == "b4e") {
    return b.CreateAnd(b.CreateSub(low, place), b.getInt32(7));
  }
  if (mode == "rc8") {
    return low;
  }
  if (mode == "ecl") {
    return b.CreateBinaryIntrinsic(llvm::Intrinsic::umax, low, place);
  }
  if (mode == "ecr") {
    return b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, low, place);
  }
  Value *pair = b.CreateShl(b.CreateAnd(control, b.getInt32(1)), 1);  // rc16
  return b.CreateAdd(pair, b.getInt32(i & 1));
}

Value *permute(const MathName &name, CallInst &call, Builder &b) {
  bool two_words = call.arg_size() == 3;
  Value *control = call.getArgOperand(call.arg_size() - 1);
  Value *bytes = b.CreateZExt(call.getArgOperand(0), b.getInt64Ty());
  if (two_words) {
    bytes = b.CreateOr(bytes, b.CreateShl(b.CreateZExt(call.getArgOperand(1), b.getInt64Ty()), 32));
  }
  Value *result = b.getInt32(0);
  for (unsigned i = 0; i < kBytes; ++i) {
    Value *selector = name.rest.empty() ? b.CreateLShr(control, 4 * i) : permute_index(name.rest[0], control, i, b);
    Value *shift = b.CreateZExt(b.CreateShl(b.CreateAnd(selector, b.getInt32(7)), 3), b.getInt64Ty());
    Value *byte = b.CreateTrunc(b.CreateLShr(bytes, shift), b.getInt8Ty());
    if (name.rest.empty()) {
      Value *wants_sign = b.CreateIsNotNull(b.CreateAnd(selector, b.getInt32(8)));
      byte = b.CreateSelect(wants_sign, b.CreateAShr(byte, kByte - 1), byte);
    }
    result = b.CreateOr(result, b.CreateShl(b.CreateZExt(byte, b.getInt32Ty()), kByte * i));
  }
  return result;
}

/// Bits [first, first + width) of a word, extended to 32 bits.
Value *part(Builder &b, Value *word, unsigned first, unsigned width, bool is_signed) {
  Value *up = b.CreateShl(word, 32 - first - width);
  return is_signed ? b.CreateAShr(up, 32 - width) : b.CreateLShr(up, 32 - width);
}

bool is_signed(const MathName &name, size_t operand) { return name.rest[operand] == "s"; }

Value *dot4(const MathName &name, CallInst &call, Builder &b) {
  Value *sum = call.getArgOperand(2);
  for (unsigned i = 0; i < kBytes; ++i) {
    Value *x = part(b, call.getArgOperand(0), kByte * i, kByte, is_signed(name, 0));
    Value *y = part(b, call.getArgOperand(1), kByte * i, kByte, is_signed(name, 1));
    sum = b.CreateAdd(sum, b.CreateMul(x, y));
  }
  return sum;
}

/// Two 16-bit values times two of the four bytes: the upper ones when the third operand says so.
Value *dot2(const MathName &name, CallInst &call, Builder &b) {
  Value *sum = call.getArgOperand(3);
  Value *bytes = b.CreateSelect(call.getArgOperand(2), b.CreateLShr(call.getArgOperand(1), 16), call.getArgOperand(1));
  for (unsigned i = 0; i < 2; ++i) {
    Value *x = part(b, call.getArgOperand(0), 16 * i, 16, is_signed(name, 0));
    Value *y = part(b, bytes, kByte * i, kByte, is_signed(name, 1));
    sum = b.CreateAdd(sum, b.CreateMul(x, y));
  }
  return sum;
}

}  // namespace

Value *emit_packed_math(const MathName &name, CallInst &call, Builder &b) {
  if (name.op == "prmt") {
    return permute(name, call, b);
  }
  if (name.rest.size() < 2) {
    return nullptr;
  }
  return name.op == "idp4a" ? dot4(name, call, b) : name.op == "idp2a" ? dot2(name, call, b) : nullptr;
}

}  // namespace hel::cc
