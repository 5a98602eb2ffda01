// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the generated entry points call: the one place where a Result becomes a code, where the last error of a thread
// is set, and where calls are traced.
#pragma once

#include "base/result.h"

#include <cuda.h>
#include <driver_types.h>

namespace hel::entry {

/// The end of a runtime entry point: turns a failure into its code, logs it, and makes it the thread's last error
/// (cudaErrorNotReady is an answer, not an error: it is not recorded).
cudaError_t finish_runtime(const char *name, Result<void> result);

/// The whole body of a runtime entry point that nobody has implemented.
cudaError_t not_implemented_runtime(const char *name);

/// The end of a driver entry point.
CUresult finish_driver(const char *name, CUresult code);

/// The whole body of a driver entry point that nobody has implemented.
CUresult not_implemented_driver(const char *name);

/// HELICON_LOG=api is on.
bool tracing();

/// Writes one line for a call: its name, the arguments as printed by the generated code, and its result.
void trace(const char *name, const std::string &args, int result);

/// The thread's last error, and the same with a reset to success.
cudaError_t peek_last_error();
cudaError_t take_last_error();

}  // namespace hel::entry
