// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cvt between pairs of floating-point numbers of 8, 6 or 4 bits (e4m3x2, e5m2x2, e3m2x2, e2m3x2, e2m1x2), or of
// exponents alone (ue8m0x2), and halves, bfloats or floats.
#include "compiler/ir/llvm_headers.h"
#include "compiler/ptx/families.h"

namespace hel::cc::ptx {
namespace {

using llvm::Value;

constexpr Type kF16x2{Type::Kind::Float, 16, 2}, kBF16x2{Type::Kind::BFloat, 16, 2};

/// The device library's number of a format (device/lib/narrow.cu).
Value *format(Lowering &l, Type type) {
  return l.b.getInt32(static_cast<uint32_t>(type.kind) - static_cast<uint32_t>(Type::Kind::E4M3));
}

struct Form {
  Type to, from;
  llvm::StringRef rounding;
  bool saturates = false, relu = false;
  /// Of one number in a pair's register.
  unsigned bits() const { return to.is_float() ? from.lane_bits : to.lane_bits; }
  /// The register of a pair.
  Type pair() const { return bits() == 4 ? kB8 : kB16; }
};

std::optional<Form> parse_form(const Instruction &inst) {
  Suffixes suffixes(inst);
  Form form;
  form.rounding = suffixes.take_one_of({"rn", "rz", "rp"});
  form.saturates = suffixes.take("satfinite");
  form.relu = suffixes.take("relu");
  std::optional<Type> to = suffixes.take_type(), from = suffixes.take_type();
  if (!to || !from || !suffixes.empty() || to->lanes != 2) {
    return std::nullopt;
  }
  form.to = *to;
  form.from = *from;
  return form;
}

/// .relu: not-a-number stays.
Value *not_negative(Lowering &l, Value *x) {
  Value *zero = llvm::Constant::getNullValue(x->getType());
  return l.b.CreateSelect(l.b.CreateFCmpOLE(x, zero), zero, x);
}

/// `one` of both numbers that are converted: d, a, b of floats (a becomes the upper number) or d, a of a pair.
template <typename One>
bool narrow_both(Lowering &l, const Instruction &inst, const Form &form, Type pairs, One &&one) {
  const bool from_floats = form.from == kF32;
  if ((!from_floats && form.from != pairs) || inst.operands.size() != (from_floats ? 3u : 2u)) {
    return false;
  }
  Value *low, *high;
  if (from_floats) {
    high = l.read(inst.operands[1], kF32);
    low = l.read(inst.operands[2], kF32);
  } else {
    Value *both = l.b.CreateFPExt(l.read(inst.operands[1], pairs), llvm::FixedVectorType::get(l.b.getFloatTy(), 2));
    low = l.b.CreateExtractElement(both, uint64_t{0});
    high = l.b.CreateExtractElement(both, uint64_t{1});
  }
  Value *word = l.b.CreateOr(one(low), l.b.CreateShl(one(high), form.bits()));
  l.write(inst.operands[0], l.b.CreateTrunc(word, l.type(form.pair())), form.pair());
  return true;
}

/// d = `one` of both numbers of the pair a, each the 16 bits of a half or bfloat.
template <typename One> bool widen_both(Lowering &l, const Instruction &inst, const Form &form, One &&one) {
  if (inst.operands.size() != 2) {
    return false;
  }
  Value *word = l.b.CreateZExt(l.read(inst.operands[1], form.pair()), l.b.getInt32Ty());
  Value *low = l.b.CreateAnd(word, (1u << form.bits()) - 1), *high = l.b.CreateLShr(word, form.bits());
  Value *both = l.b.CreateBitCast(l.b.CreateOr(one(low), l.b.CreateShl(one(high), 16)), l.type(form.to));
  l.write(inst.operands[0], form.relu ? not_negative(l, both) : both, form.to);
  return true;
}

/// cvt.rn.satfinite{.relu}.e4m3x2.f32 d, a, b; .e4m3x2.f16x2 d, a; cvt.rn{.relu}.f16x2.e4m3x2 d, a; and the other
/// formats
bool convert(Lowering &l, const Instruction &inst) {
  std::optional<Form> form = parse_form(inst);
  if (!form || form->rounding != "rn") {
    return false;
  }
  if (form->to.is_narrow_float()) {
    const bool is_fp8 = form->to.kind == Type::Kind::E4M3 || form->to.kind == Type::Kind::E5M2;
    return form->saturates && (is_fp8 || form->from == kF32) && narrow_both(l, inst, *form, kF16x2, [&](Value *x) {
             x = form->relu ? not_negative(l, x) : x;
             return l.library("__hl_narrow_of_float", l.b.getInt32Ty(), {x, format(l, form->to)});
           });
  }
  return form->from.is_narrow_float() && form->from.lanes == 2 && form->to == kF16x2 && !form->saturates &&
         widen_both(l, inst, *form, [&](Value *bits) {
           return l.library("__hl_half_of_narrow", l.b.getInt32Ty(), {bits, format(l, form->from)});
         });
}

/// cvt.rz{.satfinite}.ue8m0x2.f32 d, a, b (or .rp, or .bf16x2 d, a) and cvt.rn.bf16x2.ue8m0x2 d, a
bool convert_exponents(Lowering &l, const Instruction &inst) {
  std::optional<Form> form = parse_form(inst);
  if (!form || form->relu) {
    return false;
  }
  if (form->to.kind == Type::Kind::UE8M0) {
    return form->rounding != "rn" && !form->rounding.empty() && narrow_both(l, inst, *form, kBF16x2, [&](Value *x) {
             Value *upwards = l.b.getInt32(form->rounding == "rp"), *saturates = l.b.getInt32(form->saturates);
             return l.library("__hl_e8m0_of_float", l.b.getInt32Ty(), {x, upwards, saturates});
           });
  }
  return form->from == Type{Type::Kind::UE8M0, 8, 2} && form->to == kBF16x2 && form->rounding == "rn" &&
         !form->saturates && widen_both(l, inst, *form, [&](Value *bits) {
           return l.library("__hl_bfloat_of_e8m0", l.b.getInt32Ty(), {bits});
         });
}

constexpr Opcode kOpcodes[] = {{"cvt", convert}, {"cvt", convert_exponents}};

}  // namespace

Opcodes narrow_opcodes() { return kOpcodes; }

}  // namespace hel::cc::ptx
