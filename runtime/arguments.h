// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arguments of a call as the trace shows them. Generated entry points fill it.
#pragma once

#include "helicon/gen/enumerators.h"

#include <string>
#include <type_traits>

namespace hel::entry {

/// "name=value, …". A result that the call has written is shown behind its pointer: "dptr=0x7ffc…->0x7f40…".
class Arguments {
public:
  explicit Arguments(int result) : show_results_(result == 0) {}

  Arguments &add(const char *name, const void *value);
  Arguments &add(const char *name, const char *value);
  /// A buffer: it may hold anything.
  Arguments &add(const char *name, char *value) { return add(name, static_cast<const void *>(value)); }
  Arguments &add(const char *name, dim3 value);
  Arguments &signed_number(const char *name, long long value);
  Arguments &unsigned_number(const char *name, unsigned long long value);
  Arguments &real_number(const char *name, double value);

  template <typename T>
    requires std::is_arithmetic_v<T>
  Arguments &add(const char *name, T value) {
    if constexpr (std::is_floating_point_v<T>) {
      return real_number(name, value);
    } else if constexpr (std::is_signed_v<T>) {
      return signed_number(name, value);
    } else {
      return unsigned_number(name, value);
    }
  }

  template <typename E>
    requires std::is_enum_v<E>
  Arguments &add(const char *name, E value) {
    const char *enumerator = enumerator_name(value);
    return enumerator ? word(name, enumerator) : signed_number(name, static_cast<long long>(value));
  }

  /// A pointer to a function.
  template <typename R, typename... A> Arguments &add(const char *name, R (*value)(A...)) {
    return add(name, reinterpret_cast<const void *>(value));
  }

  /// A structure that is passed by value.
  template <typename T>
    requires std::is_class_v<T>
  Arguments &add(const char *name, const T &) {
    return word(name, "{...}");
  }

  /// A pointer through which the call gives a result.
  template <typename T> Arguments &add_result(const char *name, T *value) {
    add(name, static_cast<const void *>(value));
    if (show_results_ && value) {
      text_ += "->";
      add(nullptr, *value);
    }
    return *this;
  }

  const std::string &text() const { return text_; }

private:
  /// Appends "name=value"; without a name, the value alone.
  Arguments &word(const char *name, const char *value);

  std::string text_;
  bool show_results_;
};

}  // namespace hel::entry
