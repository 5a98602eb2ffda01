// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// printf of device code: formatting, and the output that a grid has not written yet.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/mutex.h"

namespace hel::cpu::exec {

/// Formats into `out` (appending). `arguments` is what clang packs for vprintf: each argument after the usual
/// promotions at its natural alignment. Returns the number of arguments used, or -1 if `format` is null.
int32_t format_device_printf(std::string &out, const char *format, const void *arguments);

class PrintfOutput {
public:
  /// Adds the text of one call; writes everything to stdout first when more than `limit` bytes would wait.
  void append(const std::string &text, size_t limit);
  /// For the end of the grid: nobody appends any more.
  void flush();

private:
  std::atomic<bool> used_{false};  ///< something was appended
  Mutex mutex_;
  std::string pending_ HEL_GUARDED_BY(mutex_);
};

}  // namespace hel::cpu::exec
