// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/arguments.h"

#include "base/result.h"

namespace hel::entry {

Arguments &Arguments::word(const char *name, const char *value) {
  if (name) {
    text_ += text_.empty() ? "" : ", ";
    text_ += name;
    text_ += '=';
  }
  text_ += value;
  return *this;
}

Arguments &Arguments::add(const char *name, const void *value) {
  return value ? word(name, format("%p", value).c_str()) : word(name, "null");
}

Arguments &Arguments::add(const char *name, const char *value) {
  return value ? word(name, format("\"%.200s\"", value).c_str()) : word(name, "null");
}

Arguments &Arguments::add(const char *name, dim3 value) {
  return word(name, format("(%u,%u,%u)", value.x, value.y, value.z).c_str());
}

Arguments &Arguments::signed_number(const char *name, long long value) {
  return word(name, format("%lld", value).c_str());
}

Arguments &Arguments::unsigned_number(const char *name, unsigned long long value) {
  return word(name, format(value > 0xffffffff ? "0x%llx" : "%llu", value).c_str());
}

Arguments &Arguments::real_number(const char *name, double value) { return word(name, format("%g", value).c_str()); }

}  // namespace hel::entry
