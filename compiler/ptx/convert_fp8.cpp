// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cvt between pairs of 8-bit floating-point numbers (e4m3x2, e5m2x2) and halves or floats.
#include "compiler/ir/llvm_headers.h"
#include "compiler/ptx/families.h"

namespace hel::cc::ptx {
namespace {

using llvm::Value;

constexpr Type kF16x2{Type::Kind::Float, 16, 2};

Value *is_e5m2(Lowering &l, Type type) { return l.b.getInt32(type.kind == Type::Kind::E5M2); }

/// .relu: not-a-number stays.
Value *not_negative(Lowering &l, Value *x) {
  Value *zero = llvm::Constant::getNullValue(x->getType());
  return l.b.CreateSelect(l.b.CreateFCmpOLE(x, zero), zero, x);
}

/// cvt.rn.satfinite{.relu}.e4m3x2.f32 d, a, b (a becomes the upper byte) and cvt.rn.satfinite{.relu}.e4m3x2.f16x2 d, a
bool narrow(Lowering &l, const Instruction &inst, Type to, Type from, bool relu) {
  const bool from_floats = from == kF32;
  if ((!from_floats && from != kF16x2) || inst.operands.size() != (from_floats ? 3u : 2u)) {
    return false;
  }
  Value *low, *high;
  if (from_floats) {
    high = l.read(inst.operands[1], kF32);
    low = l.read(inst.operands[2], kF32);
  } else {
    Value *both = l.b.CreateFPExt(l.read(inst.operands[1], kF16x2), llvm::FixedVectorType::get(l.b.getFloatTy(), 2));
    low = l.b.CreateExtractElement(both, uint64_t{0});
    high = l.b.CreateExtractElement(both, uint64_t{1});
  }
  auto byte = [&](Value *x) {
    return l.library("__hl_fp8_of_float", l.b.getInt32Ty(), {relu ? not_negative(l, x) : x, is_e5m2(l, to)});
  };
  Value *word = l.b.CreateOr(byte(low), l.b.CreateShl(byte(high), 8));
  l.write(inst.operands[0], l.b.CreateTrunc(word, l.b.getInt16Ty()), kB16);
  return true;
}

/// cvt.rn{.relu}.f16x2.e4m3x2 d, a
bool widen(Lowering &l, const Instruction &inst, Type to, Type from, bool relu) {
  if (to != kF16x2 || inst.operands.size() != 2) {
    return false;
  }
  Value *word = l.b.CreateZExt(l.read(inst.operands[1], kB16), l.b.getInt32Ty());
  auto half = [&](Value *byte) { return l.library("__hl_half_of_fp8", l.b.getInt32Ty(), {byte, is_e5m2(l, from)}); };
  Value *bits = l.b.CreateOr(half(l.b.CreateAnd(word, 0xff)), l.b.CreateShl(half(l.b.CreateLShr(word, 8)), 16));
  Value *both = l.b.CreateBitCast(bits, l.type(kF16x2));
  l.write(inst.operands[0], relu ? not_negative(l, both) : both, kF16x2);
  return true;
}

bool convert(Lowering &l, const Instruction &inst) {
  Suffixes suffixes(inst);
  const bool rounds = suffixes.take("rn"), saturates = suffixes.take("satfinite"), relu = suffixes.take("relu");
  std::optional<Type> to = suffixes.take_type(), from = suffixes.take_type();
  if (!rounds || !to || !from || !suffixes.empty() || to->lanes != 2) {
    return false;
  }
  if (to->is_fp8()) {
    return saturates && narrow(l, inst, *to, *from, relu);
  }
  return from->is_fp8() && from->lanes == 2 && !saturates && widen(l, inst, *to, *from, relu);
}

constexpr Opcode kOpcodes[] = {{"cvt", convert}};

}  // namespace

Opcodes fp8_opcodes() { return kOpcodes; }

}  // namespace hel::cc::ptx
