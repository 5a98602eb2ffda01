// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the runtime's node parameters to the driver's and back.
#pragma once

#include "base/result.h"

#include <cuda.h>
#include <driver_types.h>

namespace hel::rt {

Result<CUDA_KERNEL_NODE_PARAMS> driver_kernel(const cudaKernelNodeParams *params);
cudaKernelNodeParams runtime_kernel(const CUDA_KERNEL_NODE_PARAMS &params);
Result<CUDA_MEMCPY3D> driver_copy_1d(void *dst, const void *src, size_t count, cudaMemcpyKind kind);
Result<CUDA_MEMCPY3D> driver_copy_to_symbol(const void *symbol, const void *src, size_t count, size_t offset,
                                            cudaMemcpyKind kind);
Result<CUDA_MEMCPY3D> driver_copy_from_symbol(void *dst, const void *symbol, size_t count, size_t offset,
                                              cudaMemcpyKind kind);
Result<cudaMemcpy3DParms> runtime_copy(const CUDA_MEMCPY3D &copy);
Result<CUgraphNodeParams> driver_node(const cudaGraphNodeParams &params);

}  // namespace hel::rt
