// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ptx/type.h"

#include "compiler/ir/llvm_headers.h"

namespace hel::cc::ptx {

llvm::Type *Type::llvm_type(llvm::LLVMContext &context) const {
  llvm::Type *scalar = nullptr;
  if (is_float()) {
    scalar = kind == Kind::BFloat  ? llvm::Type::getBFloatTy(context)
             : lane_bits == 16     ? llvm::Type::getHalfTy(context)
             : lane_bits == 32     ? llvm::Type::getFloatTy(context)
                                   : llvm::Type::getDoubleTy(context);
  } else {
    scalar = llvm::Type::getIntNTy(context, lane_bits);
  }
  return lanes == 1 ? scalar : llvm::FixedVectorType::get(scalar, lanes);
}

std::optional<Type> parse_type(llvm::StringRef name) {
  using Kind = Type::Kind;
  if (name == "pred") {
    return kPredicate;
  }
  Type type;
  auto [scalar, count] = name.split('x');
  if (!count.empty() && count.getAsInteger(10, type.lanes)) {
    return std::nullopt;
  }
  static constexpr std::pair<llvm::StringLiteral, Type> kNamed[] = {
      {"bf16", kBF16},           {"tf32", {Kind::TF32, 32}}, {"e4m3", {Kind::E4M3, 8}}, {"e5m2", {Kind::E5M2, 8}},
      {"e3m2", {Kind::E3M2, 8}}, {"e2m3", {Kind::E2M3, 8}},  {"e2m1", {Kind::E2M1, 4}}, {"ue8m0", {Kind::UE8M0, 8}}};
  for (const auto &[known, named] : kNamed) {
    if (scalar == known) {
      return Type{named.kind, named.lane_bits, type.lanes};
    }
  }
  unsigned bits = 0;
  bool legal = scalar.size() > 1 && !scalar.drop_front().getAsInteger(10, bits) &&
               (bits == 2 || bits == 4 || bits == 8 || bits == 16 || bits == 32 || bits == 64 ||
                (bits == 128 && scalar[0] == 'b'));
  if (!legal) {
    return std::nullopt;
  }
  type.lane_bits = static_cast<uint8_t>(bits);
  switch (scalar[0]) {
  case 'b':
    type.kind = Kind::Bits;
    return type;
  case 'u':
    type.kind = Kind::Unsigned;
    return type;
  case 's':
    type.kind = Kind::Signed;
    return type;
  case 'f':
    type.kind = Kind::Float;
    return bits >= 16 ? std::optional(type) : std::nullopt;
  default:
    return std::nullopt;
  }
}

}  // namespace hel::cc::ptx
