// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The edge between a driver's functions, which return Result, and its DriverTable, whose members return codes. The
// message of a failure is kept for the thread, so that whoever reports the code can also say why.
#pragma once

#include "base/result.h"

namespace hel {

/// A code without a type of its own (base/ knows no API header): it becomes whatever enum it is returned as.
struct DriverCode {
  int value;
  template <typename Enum> operator Enum() const { return static_cast<Enum>(value); }
};

/// Keeps a failure's message for last_driver_message and the log.
[[gnu::cold]] DriverCode fail_driver(const char *name, Failure &failure);
/// The code of `result` (0: success).
inline DriverCode driver_result(const char *name, Result<void> result) {
  return result ? DriverCode{0} : fail_driver(name, result.failure());
}

/// Why the last driver call that failed on this thread did so.
const std::string &last_driver_message();

/// Replaces the message, for failures that are made outside a driver.
void set_last_driver_message(std::string message);

}  // namespace hel
