// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Versions.
#include "helicon/gen/runtime_impl.h"
#include "loader/loader.h"
#include "runtime/core/context.h"

#include <cuda_runtime_api.h>

namespace hel::rt {

Result<void> driver_get_version(int *driverVersion) {
  if (driverVersion == nullptr) {
    return HEL_FAIL(cudaErrorInvalidValue, "driverVersion is null");
  }
  return check(loader::table().DriverGetVersion(driverVersion));
}

Result<void> runtime_get_version(int *runtimeVersion) {
  if (runtimeVersion == nullptr) {
    return HEL_FAIL(cudaErrorInvalidValue, "runtimeVersion is null");
  }
  *runtimeVersion = CUDART_VERSION;
  return {};
}

}  // namespace hel::rt
