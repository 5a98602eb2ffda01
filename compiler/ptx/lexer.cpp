// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ptx/lexer.h"

#include "compiler/ir/llvm_headers.h"

#include "llvm/ADT/StringExtras.h"

namespace hel::cc::ptx {
namespace {

using Kind = Token::Kind;

bool is_word_start(char c) { return llvm::isAlpha(c) || c == '_' || c == '$' || c == '%'; }
bool is_word_part(char c) { return llvm::isAlnum(c) || c == '_' || c == '$' || c == '%'; }

class Lexer {
public:
  explicit Lexer(llvm::StringRef text) : rest_(text) {}
  Token next();

private:
  bool skip_space();
  Token take(Kind kind, size_t length, uint64_t value = 0) {
    Token token{kind, rest_.take_front(length), value};
    rest_ = rest_.drop_front(length);
    return token;
  }
  Token number();
  Token word();
  Token suffix();
  llvm::StringRef rest_;
};

/// White space and comments. An unfinished comment ends the text.
bool Lexer::skip_space() {
  llvm::StringRef before = rest_;
  for (;;) {
    rest_ = rest_.ltrim(" \t\r\n\v\f");
    if (rest_.starts_with("//")) {
      rest_ = rest_.drop_front(std::min(rest_.find('\n'), rest_.size()));
    } else if (rest_.starts_with("/*")) {
      size_t end = rest_.find("*/", 2);
      rest_ = end == llvm::StringRef::npos ? "" : rest_.drop_front(end + 2);
    } else {
      return rest_.size() != before.size();
    }
  }
}

Token Lexer::number() {
  constexpr size_t kHex32 = 8, kHex64 = 16;
  for (auto [prefix, digits, kind] : {std::tuple("f", kHex32, Kind::Float32), std::tuple("d", kHex64, Kind::Float64)}) {
    uint64_t bits = 0;
    if (rest_[0] == '0' && rest_.drop_front().starts_with_insensitive(prefix) &&
        !rest_.substr(2, digits).getAsInteger(16, bits) && rest_.substr(2, digits).size() == digits) {
      return take(kind, 2 + digits, bits);
    }
  }
  size_t length = 0;
  while (length < rest_.size() && (llvm::isAlnum(rest_[length]) || rest_[length] == '.' ||
                                   ((rest_[length] == '+' || rest_[length] == '-') && length > 0 &&
                                    llvm::toLower(rest_[length - 1]) == 'e' && !rest_.starts_with_insensitive("0x")))) {
    ++length;
  }
  llvm::StringRef text = rest_.take_front(length);
  uint64_t value = 0;
  llvm::StringRef digits = text.ends_with_insensitive("u") ? text.drop_back() : text;
  if (!digits.getAsInteger(0, value)) {
    return take(Kind::Integer, length, value);
  }
  double number = 0;
  if (!text.getAsDouble(number)) {
    return take(Kind::Float64, length, llvm::bit_cast<uint64_t>(number));
  }
  return take(Kind::Bad, length);
}

Token Lexer::word() {
  size_t length = 1;
  while (length < rest_.size() && is_word_part(rest_[length])) {
    ++length;
  }
  unsigned number = 0;
  if (rest_[0] == '$' && !rest_.substr(1, length - 1).getAsInteger(10, number)) {
    return take(Kind::Operand, length, number);
  }
  return take(Kind::Word, length);
}

Token Lexer::suffix() {
  size_t length = 1;
  while (length < rest_.size() &&
         (is_word_part(rest_[length]) || (rest_[length] == ':' && rest_.substr(length).starts_with("::")))) {
    length += rest_[length] == ':' ? 2 : 1;
  }
  return length > 1 ? take(Kind::Suffix, length) : take(Kind::Bad, length);
}

Token Lexer::next() {
  bool spaced = skip_space();
  Token token{Kind::End, rest_};
  if (!rest_.empty()) {
    char c = rest_[0];
    if (llvm::isDigit(c)) {
      token = number();
    } else if (is_word_start(c)) {
      token = word();
    } else if (c == '.') {
      token = suffix();
    } else if (c == '"') {
      size_t end = rest_.find('"', 1);
      token = end == llvm::StringRef::npos ? take(Kind::Bad, 1) : take(Kind::String, end + 1);
    } else {
      token = take(llvm::StringRef(",;:{}[]()<>+-!|@=").contains(c) ? Kind::Mark : Kind::Bad, 1);
    }
  }
  token.spaced = spaced;
  return token;
}

}  // namespace

std::vector<Token> tokenise(llvm::StringRef text) {
  std::vector<Token> tokens;
  Lexer lexer(text);
  do {
    tokens.push_back(lexer.next());
  } while (tokens.back().kind != Kind::End && tokens.back().kind != Kind::Bad);
  return tokens;
}

}  // namespace hel::cc::ptx
