// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/result.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

namespace hel {

std::string format(const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  va_list measure;
  va_copy(measure, args);
  int length = std::vsnprintf(nullptr, 0, fmt, measure);
  va_end(measure);
  std::string text(length > 0 ? static_cast<size_t>(length) : 0, '\0');
  std::vsnprintf(text.data(), text.size() + 1, fmt, args);
  va_end(args);
  return text;
}

void FailurePointer::end(Failure *failure) { delete failure; }

std::unique_ptr<Failure> make_failure(int code, FailureKind kind, const char *file, int line, std::string message) {
  return std::unique_ptr<Failure>(new Failure{code, kind, std::move(message), file, line});
}

std::unique_ptr<Failure> add_context(std::unique_ptr<Failure> failure, const std::string &context) {
  failure->message += "; while " + context;
  return failure;
}

void internal_error(const char *file, int line, const std::string &message) {
  std::fprintf(stderr, "helicon: internal error at %s:%d: %s\n", file, line, message.c_str());
  std::abort();
}

}  // namespace hel
