// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/settings.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace hel {
namespace {

bool parse(const char *text, long &out) {
  char *end = nullptr;
  out = std::strtol(text, &end, 0);
  return end != text && *end == '\0';
}

bool parse(const char *text, bool &out) {
  for (const char *yes : {"1", "true", "on", "yes"}) {
    if (std::strcmp(text, yes) == 0) {
      out = true;
      return true;
    }
  }
  for (const char *no : {"0", "false", "off", "no"}) {
    if (std::strcmp(text, no) == 0) {
      out = false;
      return true;
    }
  }
  return false;
}

bool parse(const char *text, std::string &out) {
  out = text;
  return true;
}

template <typename T> void read(const char *name, T &field) {
  const char *text = std::getenv(name);
  if (text == nullptr || *text == '\0') {
    return;
  }
  T value{};
  if (parse(text, value)) {
    field = value;
  } else {
    std::fprintf(stderr, "helicon: %s=%s cannot be read; the default is used\n", name, text);
  }
}

std::string show(long value) { return std::to_string(value); }
std::string show(bool value) { return value ? "1" : "0"; }
std::string show(const std::string &value) { return value; }

}  // namespace

const Settings &settings() {
  static const Settings *const read_once = [] {
    auto *s = new Settings;
#define HEL_SETTING(field, type, name, initial, doc) read(name, s->field);
#include "base/settings.def"
#undef HEL_SETTING
    return s;
  }();
  return *read_once;
}

void print_settings() {
  const Settings defaults;
  const Settings &now = settings();
#define HEL_SETTING(field, type, name, initial, doc)                                                           \
  std::printf("%-26s %s (default \"%s\", now \"%s\")\n", name, doc, show(defaults.field).c_str(),             \
              show(now.field).c_str());
#include "base/settings.def"
#undef HEL_SETTING
}

}  // namespace hel
