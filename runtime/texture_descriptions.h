// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Descriptions of textures, from the runtime's types to the driver's. Texture objects and references share them.
#pragma once

#include "base/result.h"
#include "helicon/gen/driver_table.h"

#include <cuda.h>
#include <driver_types.h>
#include <texture_types.h>

namespace hel::rt {

Result<CUDA_RESOURCE_DESC> driver_resource(const cudaResourceDesc &from);
CUDA_TEXTURE_DESC driver_sampler(const cudaTextureDesc &from);
/// cudaErrorInvalidFilterSetting: the linear filter with integer results.
Result<void> check_filter(const DriverTable &cu, const CUDA_RESOURCE_DESC &resource, const cudaTextureDesc &sampler);

}  // namespace hel::rt
