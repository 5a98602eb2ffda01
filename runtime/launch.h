// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the files that deal with launches share.
#pragma once

#include "base/result.h"

#include <cuda.h>
#include <driver_types.h>

namespace hel::rt {

/// The driver's form of a launch configuration. The attributes are shared, not copied.
Result<CUlaunchConfig> driver_config(const cudaLaunchConfig_t *config);

}  // namespace hel::rt
