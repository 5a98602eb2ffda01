// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waiting for and writing single values in stream order (cuStreamWaitValue, cuStreamWriteValue, cuStreamBatchMemOp).
#pragma once

#include "base/result.h"

#include <cuda.h>

namespace hel::cpu {

/// Checks kinds, flags and addresses.
Result<void> check_operations(const CUstreamBatchMemOpParams *operations, unsigned count, unsigned flags);
/// Does operations from `*next` on, and advances it. False when one waits for a value that is not there yet.
bool run_operations(const CUstreamBatchMemOpParams *operations, unsigned count, unsigned *next);

}  // namespace hel::cpu
