// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX's types: what .u32, .f16x2 or .pred say.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace llvm {
class LLVMContext;
class Type;
}  // namespace llvm

namespace hel::cc::ptx {

struct Type {
  enum class Kind : uint8_t {
    Bits,
    Unsigned,
    Signed,
    Float,
    BFloat,
    TF32,
    E4M3,
    E5M2,
    E3M2,
    E2M3,
    E2M1,
    UE8M0,
    Predicate
  };
  Kind kind = Kind::Bits;
  uint8_t lane_bits = 0;
  uint8_t lanes = 1;

  unsigned bits() const { return unsigned{lane_bits} * lanes; }
  bool is_integer() const { return kind == Kind::Unsigned || kind == Kind::Signed || kind == Kind::Bits; }
  bool is_signed() const { return kind == Kind::Signed; }
  bool is_float() const { return kind == Kind::Float || kind == Kind::BFloat; }
  /// Of 8, 6 or 4 bits with a sign; those of 6 have a byte each.
  bool is_narrow_float() const { return kind >= Kind::E4M3 && kind <= Kind::E2M1; }
  bool is_predicate() const { return kind == Kind::Predicate; }
  /// Half or bfloat.
  bool is_small_float() const { return is_float() && lane_bits == 16; }
  bool operator==(const Type &) const = default;

  Type lane() const { return {kind, lane_bits, 1}; }
  /// LLVM's type for arithmetic: iN, half, bfloat, float, double, i1, or a vector of these.
  llvm::Type *llvm_type(llvm::LLVMContext &context) const;
};

/// `name` without the dot: u32, f16x2, pred, e4m3x2 …
std::optional<Type> parse_type(llvm::StringRef name);

inline constexpr Type kB8{Type::Kind::Bits, 8}, kB16{Type::Kind::Bits, 16}, kB32{Type::Kind::Bits, 32},
    kB64{Type::Kind::Bits, 64}, kU32{Type::Kind::Unsigned, 32}, kU64{Type::Kind::Unsigned, 64},
    kS32{Type::Kind::Signed, 32}, kF16{Type::Kind::Float, 16}, kF32{Type::Kind::Float, 32},
    kF64{Type::Kind::Float, 64}, kBF16{Type::Kind::BFloat, 16}, kPredicate{Type::Kind::Predicate, 1};

}  // namespace hel::cc::ptx
