// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the generated entry points call: the one place where a Result becomes a code, where the last error of a thread
// is set, and where calls are traced.
#pragma once

#include "base/log.h"
#include "base/result.h"

#include <cuda.h>
#include <driver_types.h>

namespace hel::entry {

/// The end of a runtime entry point: turns a failure into its code, logs it, and makes it the thread's last error
/// (cudaErrorNotReady is an answer, not an error: it is not recorded).
[[gnu::cold]] cudaError_t fail_runtime(const char *name, Failure &failure);
inline cudaError_t finish_runtime(const char *name, Result<void> result) {
  return result ? cudaSuccess : fail_runtime(name, result.failure());
}

/// The whole body of a runtime entry point that nobody has implemented.
cudaError_t not_implemented_runtime(const char *name);

/// The end of a driver entry point.
CUresult finish_driver(const char *name, CUresult code);

/// The whole body of a driver entry point that nobody has implemented.
CUresult not_implemented_driver(const char *name);

/// HELICON_LOG=api is on.
inline bool tracing() { return log_level(LogChannel::api) >= 1; }

/// Writes one line for a call: its name, the arguments as printed by the generated code, and its result.
[[gnu::cold]] void trace(const char *name, const std::string &args, int result);

/// The thread's last error, and the same with a reset to success.
cudaError_t peek_last_error();
cudaError_t take_last_error();

}  // namespace hel::entry
