// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/lower/math_name.h"

namespace hel::cc {
namespace {

bool take_modifier(llvm::StringRef word, MathName &name) {
  static constexpr std::pair<llvm::StringLiteral, Rounding> kRoundings[] = {
      {"rn", Rounding::Nearest}, {"rz", Rounding::Zero}, {"rm", Rounding::Down}, {"rp", Rounding::Up}};
  for (const auto &[text, mode] : kRoundings) {
    if (word == text) {
      name.rounding = mode;
      name.has_rounding = true;
      return true;
    }
  }
  static constexpr std::pair<llvm::StringLiteral, bool MathName::*> kFlags[] = {
      {"ftz", &MathName::ftz}, {"sat", &MathName::sat},         {"relu", &MathName::relu},
      {"nan", &MathName::nan}, {"xorsign", &MathName::xorsign}, {"abs", &MathName::xorsign},
      {"approx", &MathName::approx}, {"full", &MathName::approx}, {"satfinite", &MathName::satfinite}};
  for (const auto &[text, flag] : kFlags) {
    if (word == text) {
      name.*flag = true;
      return true;
    }
  }
  return false;
}

}  // namespace

MathName parse_math_name(llvm::StringRef text) {
  MathName name;
  llvm::SmallVector<llvm::StringRef> words;
  text.split(words, '.');
  name.op = words[0];
  for (llvm::StringRef word : llvm::ArrayRef(words).drop_front()) {
    if (!take_modifier(word, name)) {
      name.rest.push_back(word);
    }
  }
  return name;
}

}  // namespace hel::cc
