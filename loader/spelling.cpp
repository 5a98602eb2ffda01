// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/spelling.h"

#include <atomic>
#include <cctype>

namespace hel::loader {
namespace {

// Bit 0: a CUDA module was registered; bit 1: a MUSA one. Only ever set, in any order.
std::atomic<unsigned> languages{0};

struct Respelling {
  const char *from;
  const char *to;
  bool capital_follows;  ///< only where the next character is an upper-case letter
};

constexpr Respelling kRespellings[] = {
    {"cuda", "musa", true}, {"CUDA", "MUSA", false}, {"cu", "mu", true},
    {"CU_", "MU_", false},
};

bool starts_word(const std::string &text, size_t at) {
  return at == 0 || (!std::isalnum(static_cast<unsigned char>(text[at - 1])) && text[at - 1] != '_');
}

const Respelling *respelling_at(const std::string &text, size_t at) {
  if (!starts_word(text, at)) {
    return nullptr;
  }
  for (const Respelling &r : kRespellings) {
    std::string from = r.from;
    if (text.compare(at, from.size(), from) != 0) {
      continue;
    }
    unsigned char next = at + from.size() < text.size() ? static_cast<unsigned char>(text[at + from.size()]) : 0;
    if (r.capital_follows ? std::isupper(next) != 0 : true) {
      return &r;
    }
  }
  return nullptr;
}

}  // namespace

void note_module_language(bool musa) { languages.fetch_or(musa ? 2u : 1u, std::memory_order_relaxed); }

bool speaks_musa() { return languages.load(std::memory_order_relaxed) == 2u; }

std::string musa_spelling(const std::string &text) {
  std::string result;
  for (size_t at = 0; at < text.size();) {
    if (const Respelling *r = respelling_at(text, at)) {
      result += r->to;
      at += std::string(r->from).size();
    } else {
      result += text[at++];
    }
  }
  return result;
}

std::string spelt(const std::string &text) { return speaks_musa() ? musa_spelling(text) : text; }

}  // namespace hel::loader
