// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUjit_option lists of the load and link functions: of all options only the log buffers have an effect here.
#pragma once

#include "base/result.h"

#include <cuda.h>

namespace hel::cpu {

class JitLog {
public:
  static Result<JitLog> read(unsigned count, CUjit_option *options, void **values);
  JitLog() = default;
  /// Writes the failure's message to the program's error log, or empties the log; passes the result on.
  Result<void> close(Result<void> result);

private:
  void write(const char *text) const;
  char *buffer_ = nullptr;
  size_t bytes_ = 0;
  void **filled_ = nullptr;       ///< gets the number of bytes written
  void **info_filled_ = nullptr;  ///< the same for the other log, which stays empty
};

}  // namespace hel::cpu
