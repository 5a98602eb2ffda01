// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX text as tokens.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <vector>

namespace hel::cc::ptx {

struct Token {
  enum class Kind : uint8_t {
    Word,     ///< an opcode, register, label or variable: add, %r1, $L_1
    Suffix,   ///< a word behind a dot, also with scopes: .global, .shared::cta
    Operand,  ///< $n, an operand of the assembly statement that the text belongs to
    Integer,
    Float32,  ///< 0f and the bits
    Float64,  ///< 0d and the bits, or a decimal fraction
    Mark,     ///< one character: , ; : { } [ ] ( ) < > + - ! | @ =
    String,
    End,
    Bad,
  };
  Kind kind;
  llvm::StringRef text;
  uint64_t value = 0;       ///< integers: the value; floats: the bits; operands: the number
  bool spaced = false;      ///< white space stands before it
};

/// `text` must outlive the tokens. The last token is End, or Bad at what is no token.
std::vector<Token> tokenise(llvm::StringRef text);

}  // namespace hel::cc::ptx
