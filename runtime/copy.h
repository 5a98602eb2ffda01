// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the files that copy share.
#pragma once

#include "base/result.h"

#include <driver_types.h>

namespace hel::rt {

/// Fails with cudaErrorInvalidMemcpyDirection unless `kind` is one of the five directions.
Result<void> check_direction(cudaMemcpyKind kind);

}  // namespace hel::rt
