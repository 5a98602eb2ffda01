// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/exec/device_printf.h"

#include <cstdio>
#include <cstring>

namespace hel::cpu::exec {
namespace {

constexpr int32_t kMaxArguments = 32;

/// Reads the packed arguments one after the other.
class ArgumentReader {
public:
  explicit ArgumentReader(const void *arguments) : base_(static_cast<const uint8_t *>(arguments)) {}
  bool exhausted() const { return base_ == nullptr || count_ >= kMaxArguments; }
  int32_t count() const { return count_; }

  template <typename T> T take() {
    offset_ = (offset_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T value;
    memcpy(&value, base_ + offset_, sizeof(T));
    offset_ += sizeof(T);
    ++count_;
    return value;
  }

private:
  const uint8_t *base_;
  size_t offset_ = 0;
  int32_t count_ = 0;
};

enum class Length : uint8_t { None, Char, Short, Long };

struct Conversion {
  char flags[8] = {};
  int width = -1;
  int precision = -1;
  Length length = Length::None;
  char type = 0;
};

bool is_flag(char c) { return c == '#' || c == ' ' || c == '0' || c == '+' || c == '-'; }

/// A number or `*` at p. False if `*` has no argument left.
bool parse_number(const char *&p, ArgumentReader &arguments, int *value) {
  if (*p == '*') {
    ++p;
    if (arguments.exhausted()) {
      return false;
    }
    *value = arguments.take<int32_t>();
    return true;
  }
  int n = 0;
  while (*p >= '0' && *p <= '9') {
    n = n < (1 << 20) ? n * 10 + (*p - '0') : n;
    ++p;
  }
  *value = n;
  return true;
}

void parse_length(const char *&p, Conversion *c) {
  for (;; ++p) {
    if (*p == 'h') {
      c->length = c->length == Length::Short ? Length::Char : Length::Short;
    } else if (*p == 'l' || *p == 'z' || *p == 'j' || *p == 't' || *p == 'q') {
      c->length = Length::Long;
    } else if (*p != 'L') {
      return;
    }
  }
}

/// Parses what follows a '%'; leaves p behind it. False if it is no conversion that can be served.
bool parse_conversion(const char *&p, ArgumentReader &arguments, Conversion *c) {
  size_t flags = 0;
  for (; is_flag(*p); ++p) {
    if (flags < 5 && strchr(c->flags, *p) == nullptr) {
      c->flags[flags++] = *p;
    }
  }
  if (*p == '*' || (*p >= '1' && *p <= '9')) {
    if (!parse_number(p, arguments, &c->width)) {
      return false;
    }
    if (c->width < 0) {
      c->flags[flags++] = '-';
      c->width = -c->width;
    }
  }
  if (*p == '.') {
    ++p;
    if (!parse_number(p, arguments, &c->precision)) {
      return false;
    }
  }
  parse_length(p, c);
  if (*p == '\0' || strchr("cdiouxXpeEfFgGaAs", *p) == nullptr) {
    return false;
  }
  c->type = *p++;
  return !arguments.exhausted();
}

/// Formats one value with the conversion's flags, width and precision.
template <typename T> void append_value(std::string &out, const Conversion &c, const char *length, T value) {
  char spec[32];
  char *s = spec;
  *s++ = '%';
  for (const char *f = c.flags; *f != '\0'; ++f) {
    *s++ = *f;
  }
  snprintf(s, sizeof(spec) - 16, c.precision >= 0 ? "*.*%s%c" : "*%s%c", length, c.type);
  const int width = c.width < 0 ? 0 : c.width;
  char buffer[128];
  auto print = [&](char *to, size_t room) {
    return c.precision >= 0 ? snprintf(to, room, spec, width, c.precision, value)
                            : snprintf(to, room, spec, width, value);
  };
  const int needed = print(buffer, sizeof(buffer));
  if (needed < 0) {
    return;
  }
  if (static_cast<size_t>(needed) < sizeof(buffer)) {
    out.append(buffer, static_cast<size_t>(needed));
    return;
  }
  const size_t before = out.size();
  out.resize(before + static_cast<size_t>(needed) + 1);
  print(out.data() + before, static_cast<size_t>(needed) + 1);
  out.resize(before + static_cast<size_t>(needed));
}

/// The text is read before anything is written, so that a bad pointer faults with `out` whole.
void append_text(std::string &out, const Conversion &c, const char *text) {
  if (text == nullptr) {
    text = "(null)";
  }
  const size_t length = c.precision >= 0 ? strnlen(text, static_cast<size_t>(c.precision)) : strlen(text);
  const size_t width = c.width > 0 ? static_cast<size_t>(c.width) : 0;
  const size_t padding = width > length ? width - length : 0;
  const bool left = strchr(c.flags, '-') != nullptr;
  out.append(left ? 0 : padding, ' ');
  out.append(text, length);
  out.append(left ? padding : 0, ' ');
}

void append_integer(std::string &out, const Conversion &c, ArgumentReader &arguments) {
  if (c.length == Length::Long) {
    append_value(out, c, "ll", arguments.take<long long>());
    return;
  }
  const char *length = c.length == Length::Char ? "hh" : c.length == Length::Short ? "h" : "";
  append_value(out, c, length, arguments.take<int32_t>());
}

void append_conversion(std::string &out, const Conversion &c, ArgumentReader &arguments) {
  switch (c.type) {
    case 's':
      append_text(out, c, arguments.take<const char *>());
      break;
    case 'c':
      append_value(out, c, "", arguments.take<int32_t>());
      break;
    case 'p':
      append_value(out, c, "", arguments.take<void *>());
      break;
    case 'd':
    case 'i':
    case 'o':
    case 'u':
    case 'x':
    case 'X':
      append_integer(out, c, arguments);
      break;
    default:
      append_value(out, c, "", arguments.take<double>());
  }
}

}  // namespace

int32_t format_device_printf(std::string &out, const char *format, const void *packed) {
  if (format == nullptr) {
    return -1;
  }
  ArgumentReader arguments(packed);
  for (const char *p = format; *p != '\0';) {
    const size_t plain = strcspn(p, "%");
    out.append(p, plain);
    p += plain;
    if (*p == '\0') {
      break;
    }
    const char *const spec = p++;
    if (*p == '%') {
      out.push_back('%');
      ++p;
      continue;
    }
    Conversion c;
    if (parse_conversion(p, arguments, &c)) {
      append_conversion(out, c, arguments);
    } else {
      out.append(spec, static_cast<size_t>(p - spec));  // as it stands
    }
  }
  return arguments.count();
}

void PrintfOutput::append(const std::string &text, size_t limit) {
  used_.store(true, std::memory_order_release);
  Lock lock(mutex_);
  if (!pending_.empty() && pending_.size() + text.size() > limit) {
    fwrite(pending_.data(), 1, pending_.size(), stdout);
    pending_.clear();
  }
  pending_ += text;
}

void PrintfOutput::flush() {
  if (!used_.load(std::memory_order_acquire)) {
    return;
  }
  Lock lock(mutex_);
  if (!pending_.empty()) {
    fwrite(pending_.data(), 1, pending_.size(), stdout);
    fflush(stdout);
    pending_.clear();
  }
}

}  // namespace hel::cpu::exec
