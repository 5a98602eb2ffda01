// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX as a tree: the statements of a body, as the parser makes them.
#pragma once

#include "compiler/ptx/type.h"

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace hel::cc::ptx {

struct Operand {
  enum class Kind : uint8_t {
    Name,     ///< a register, label, variable or special register (%tid.x: name %tid, selector x)
    Outer,    ///< $n, an operand of the assembly statement around the text
    Integer,
    Float32,
    Float64,
    Vector,   ///< {a, b}
    Address,  ///< [a], [a + 4], [a, {x, y}]: base and the rest as parts
    Pair,     ///< a|b
    Sink,     ///< _
  };
  Kind kind = Kind::Sink;
  std::string name;
  std::string selector;  ///< behind a dot: x of %tid.x, b0 of %r1.b0
  uint64_t value = 0;    ///< Outer: the number; Integer: two's complement; floats: the bits
  int64_t offset = 0;    ///< Address
  bool negated = false;  ///< !p
  std::vector<Operand> parts;

  /// [base]
  static Operand address_of(const Operand &base) {
    Operand address;
    address.kind = Kind::Address;
    address.parts.push_back(base);
    return address;
  }
};

struct Instruction {
  std::optional<Operand> guard;  ///< @p or @!p
  std::string opcode;
  std::vector<std::string> suffixes;  ///< without the dots
  std::vector<Operand> operands;

  /// As in the source: opcode and suffixes.
  std::string spelling() const;
};

struct Label {
  std::string name;
};

/// .reg .b32 a, b<4>; or .shared .align 8 .b8 buffer[64];
struct Declaration {
  std::string space;  ///< reg, shared, local …
  Type type;
  unsigned vector = 1;  ///< .v2, .v4
  uint64_t align = 0;
  struct Name {
    std::string text;
    uint64_t count = 0;     ///< b<4> declares b0 to b3
    uint64_t elements = 0;  ///< buffer[64]
  };
  std::vector<Name> names;
};

struct Block;
using Statement = std::variant<Instruction, Label, Declaration, std::unique_ptr<Block>>;

/// The statements between braces, or all of a body.
struct Block {
  std::vector<Statement> statements;
};

}  // namespace hel::cc::ptx
