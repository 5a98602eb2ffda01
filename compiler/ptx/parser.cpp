// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ptx/parser.h"

#include "compiler/ir/llvm_headers.h"
#include "compiler/ptx/lexer.h"

namespace hel::cc::ptx {
namespace {

using Kind = Token::Kind;

class Parser {
public:
  explicit Parser(llvm::StringRef text) : tokens_(tokenise(text)) {}
  Parsed run();

private:
  const Token &peek(size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
  bool is_mark(char mark, size_t ahead = 0) const {
    return peek(ahead).kind == Kind::Mark && peek(ahead).text[0] == mark;
  }
  bool take(char mark);
  bool expect(char mark);
  /// Remembers the first error; false for the caller to return.
  bool fail(const llvm::Twine &text);

  bool statements(Block &block, bool nested);
  bool statement(Block &block);
  bool declaration(Block &block);
  bool declared_name(Declaration &declaration);
  bool instruction(Block &block);
  bool operands(Instruction &instruction);
  bool operand(Operand &out);
  bool primary(Operand &out);
  bool number(Operand &out);
  bool vector(Operand &out);
  bool address(Operand &out);

  std::vector<Token> tokens_;
  size_t at_ = 0;
  std::string error_;
};

bool Parser::take(char mark) {
  bool found = is_mark(mark);
  at_ += found ? 1 : 0;
  return found;
}

bool Parser::expect(char mark) { return take(mark) || fail(llvm::Twine("expected '") + llvm::Twine(mark) + "'"); }

bool Parser::fail(const llvm::Twine &text) {
  if (error_.empty()) {
    llvm::StringRef found = peek().text;
    error_ = (text + (peek().kind == Kind::End ? " at the end" : " at '" + found.take_until([](char c) { return c == '\n'; }) + "'")).str();
  }
  return false;
}

bool Parser::statements(Block &block, bool nested) {
  for (;;) {
    if (take(';')) {
      continue;
    }
    if (nested && take('}')) {
      return true;
    }
    if (peek().kind == Kind::End) {
      return !nested || fail("expected '}'");
    }
    if (!statement(block)) {
      return false;
    }
  }
}

bool Parser::statement(Block &block) {
  if (take('{')) {
    auto inner = std::make_unique<Block>();
    bool good = statements(*inner, true);
    block.statements.push_back(std::move(inner));
    return good;
  }
  if (peek().kind == Kind::Suffix) {
    return declaration(block);
  }
  if (peek().kind == Kind::Word && is_mark(':', 1)) {
    block.statements.push_back(Label{peek().text.str()});
    at_ += 2;
    return true;
  }
  return instruction(block);
}

bool Parser::declaration(Block &block) {
  Declaration result;
  bool typed = false;
  llvm::StringRef first = peek().text.drop_front();
  if (first == "pragma" || first == "loc" || first == "file") {  // notes for tools
    while (peek().kind != Kind::End && !is_mark(';') && first == "pragma") {
      ++at_;
    }
    return first == "pragma" ? expect(';') : fail("unsupported directive");
  }
  while (peek().kind == Kind::Suffix) {
    llvm::StringRef word = peek().text.drop_front();
    unsigned lanes = 0;
    if (word == "align") {
      ++at_;
      result.align = peek().value;
    } else if (word.size() == 2 && word[0] == 'v' && !word.drop_front().getAsInteger(10, lanes)) {
      result.vector = lanes;
    } else if (std::optional<Type> type = parse_type(word)) {
      result.type = *type;
      typed = true;
    } else if (word == "reg" || word == "shared" || word == "local" || word == "const" || word == "global" || word == "param") {
      result.space = word.str();
    } else {
      return fail("unsupported directive");
    }
    ++at_;
  }
  if (!typed || result.space.empty()) {
    return fail("a declaration needs a state space and a type");
  }
  do {
    if (!declared_name(result)) {
      return false;
    }
  } while (take(','));
  block.statements.push_back(std::move(result));
  return expect(';');
}

bool Parser::declared_name(Declaration &declaration) {
  if (peek().kind != Kind::Word) {
    return fail("expected a name");
  }
  Declaration::Name name{peek().text.str()};
  ++at_;
  for (auto [open, close, count] : {std::tuple('<', '>', &name.count), std::tuple('[', ']', &name.elements)}) {
    if (take(open)) {
      *count = peek().value;
      if (peek().kind != Kind::Integer) {
        return fail("expected a number");
      }
      ++at_;
      if (!expect(close)) {
        return false;
      }
    }
  }
  declaration.names.push_back(std::move(name));
  return true;
}

bool Parser::instruction(Block &block) {
  Instruction result;
  if (take('@')) {
    bool negated = take('!');
    Operand guard;
    if (!primary(guard)) {
      return false;
    }
    guard.negated = negated;
    result.guard = std::move(guard);
  }
  if (peek().kind != Kind::Word) {
    return fail("expected an instruction");
  }
  result.opcode = peek().text.str();
  ++at_;
  while (peek().kind == Kind::Suffix) {
    result.suffixes.push_back(peek().text.drop_front().str());
    ++at_;
  }
  bool good = operands(result);
  block.statements.push_back(std::move(result));
  return good;
}

/// The last semicolon of a text may be missing.
bool Parser::operands(Instruction &instruction) {
  auto at_end = [&] { return is_mark(';') || peek().kind == Kind::End; };
  if (at_end()) {
    return peek().kind == Kind::End || take(';');
  }
  do {
    if (!operand(instruction.operands.emplace_back())) {
      return false;
    }
  } while (take(','));
  return peek().kind == Kind::End || expect(';');
}

bool Parser::operand(Operand &out) {
  bool negated = take('!');
  if (!primary(out)) {
    return false;
  }
  out.negated = negated;
  if (take('|')) {
    Operand second;
    if (!primary(second)) {
      return false;
    }
    Operand pair;
    pair.kind = Operand::Kind::Pair;
    pair.parts.push_back(std::move(out));
    pair.parts.push_back(std::move(second));
    out = std::move(pair);
  }
  return true;
}

bool Parser::primary(Operand &out) {
  const Token &token = peek();
  switch (token.kind) {
  case Kind::Word:
    out.kind = token.text == "_" ? Operand::Kind::Sink : Operand::Kind::Name;
    out.name = token.text.str();
    break;
  case Kind::Operand:
    out.kind = Operand::Kind::Outer;
    out.value = token.value;
    break;
  case Kind::Integer:
  case Kind::Float32:
  case Kind::Float64:
    return number(out);
  case Kind::Mark:
    return take('{')   ? vector(out)
           : take('[') ? address(out)
           : take('(') ? operand(out) && expect(')')
                       : number(out);
  default:
    return fail("expected an operand");
  }
  ++at_;
  if (peek().kind == Kind::Suffix && !peek().spaced) {
    out.selector = peek().text.drop_front().str();
    ++at_;
  }
  return true;
}

bool Parser::number(Operand &out) {
  bool negative = false;
  while (is_mark('-') || is_mark('+')) {
    negative ^= is_mark('-');
    ++at_;
  }
  const Token &token = peek();
  constexpr uint64_t kSign32 = uint64_t{1} << 31, kSign64 = uint64_t{1} << 63;
  out.value = token.value;
  switch (token.kind) {
  case Kind::Integer:
    out.kind = Operand::Kind::Integer;
    out.value = negative ? -token.value : token.value;
    break;
  case Kind::Float32:
    out.kind = Operand::Kind::Float32;
    out.value ^= negative ? kSign32 : 0;
    break;
  case Kind::Float64:
    out.kind = Operand::Kind::Float64;
    out.value ^= negative ? kSign64 : 0;
    break;
  default:
    return fail("expected an operand");
  }
  ++at_;
  return true;
}

bool Parser::vector(Operand &out) {
  out.kind = Operand::Kind::Vector;
  do {
    if (!operand(out.parts.emplace_back())) {
      return false;
    }
  } while (take(','));
  return expect('}');
}

bool Parser::address(Operand &out) {
  out.kind = Operand::Kind::Address;
  if (!primary(out.parts.emplace_back())) {
    return false;
  }
  while (is_mark('+') || is_mark('-')) {
    Operand offset;
    if (!number(offset) || offset.kind != Operand::Kind::Integer) {
      return fail("expected an offset");
    }
    out.offset += static_cast<int64_t>(offset.value);
  }
  while (take(',')) {
    if (!operand(out.parts.emplace_back())) {
      return false;
    }
  }
  return expect(']');
}

Parsed Parser::run() {
  Parsed parsed;
  if (tokens_.back().kind == Kind::Bad) {
    parsed.error = ("'" + tokens_.back().text + "' is not PTX").str();
    return parsed;
  }
  statements(parsed.body, false);
  parsed.error = std::move(error_);
  return parsed;
}

}  // namespace

std::string Instruction::spelling() const {
  std::string text = opcode;
  for (const std::string &suffix : suffixes) {
    text += "." + suffix;
  }
  return text;
}

Parsed parse_body(llvm::StringRef text) { return Parser(text).run(); }

}  // namespace hel::cc::ptx
