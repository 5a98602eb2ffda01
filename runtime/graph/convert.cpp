// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/graph/convert.h"

#include "runtime/core/context.h"
#include "runtime/core/convert.h"
#include "runtime/core/modules.h"
#include "runtime/memory/copy.h"

#include <cstring>

namespace hel::rt {
namespace {

Result<CUDA_KERNEL_NODE_PARAMS> kernel_params(void *func, dim3 grid, dim3 block, unsigned shared, void **params,
                                              void **extra) {
  CUDA_KERNEL_NODE_PARAMS result{};
  // A launch may name a kernel in the place of its function; a node has a member for each.
  CUfunction function = HEL_TRY(launchable(func));
  CUlibrary library = nullptr;
  auto kernel = reinterpret_cast<CUkernel>(function);
  bool is_kernel = HEL_TRY(driver())->KernelGetLibrary(&library, kernel) == CUDA_SUCCESS;
  result.func = is_kernel ? nullptr : function;
  result.kern = is_kernel ? kernel : nullptr;
  result.gridDimX = grid.x;
  result.gridDimY = grid.y;
  result.gridDimZ = grid.z;
  result.blockDimX = block.x;
  result.blockDimY = block.y;
  result.blockDimZ = block.z;
  result.sharedMemBytes = shared;
  result.kernelParams = params;
  result.extra = extra;
  return result;
}

cudaPitchedPtr pitched(const void *host, CUdeviceptr device, CUmemorytype type, size_t pitch, size_t height) {
  void *pointer = type == CU_MEMORYTYPE_HOST ? const_cast<void *>(host) : reinterpret_cast<void *>(device);
  return type == CU_MEMORYTYPE_ARRAY ? cudaPitchedPtr{} : cudaPitchedPtr{pointer, pitch, pitch, height};
}

cudaMemcpyKind kind_of(CUmemorytype source, CUmemorytype target) {
  if (source == CU_MEMORYTYPE_UNIFIED || target == CU_MEMORYTYPE_UNIFIED) {
    return cudaMemcpyDefault;
  }
  const bool from_host = source == CU_MEMORYTYPE_HOST, to_host = target == CU_MEMORYTYPE_HOST;
  return from_host ? (to_host ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice)
                   : (to_host ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice);
}

}  // namespace

Result<CUDA_KERNEL_NODE_PARAMS> driver_kernel(const cudaKernelNodeParams *params) {
  if (params == nullptr) {
    return HEL_FAIL(cudaErrorInvalidValue, "the node's parameters are null");
  }
  return kernel_params(params->func, params->gridDim, params->blockDim, params->sharedMemBytes, params->kernelParams,
                       params->extra);
}

cudaKernelNodeParams runtime_kernel(const CUDA_KERNEL_NODE_PARAMS &params) {
  cudaKernelNodeParams result{};
  result.func =
      const_cast<void *>(stub_of(params.kern != nullptr ? reinterpret_cast<CUfunction>(params.kern) : params.func));
  result.gridDim = {params.gridDimX, params.gridDimY, params.gridDimZ};
  result.blockDim = {params.blockDimX, params.blockDimY, params.blockDimZ};
  result.sharedMemBytes = params.sharedMemBytes;
  result.kernelParams = params.kernelParams;
  return result;
}

Result<CUDA_MEMCPY3D> driver_copy_1d(void *dst, const void *src, size_t count, cudaMemcpyKind kind) {
  cudaMemcpy3DParms params{};
  params.srcPtr = {const_cast<void *>(src), count, count, 1};
  params.dstPtr = {dst, count, count, 1};
  params.extent = {count, 1, 1};
  params.kind = kind;
  return driver_copy(*HEL_TRY(bound_driver()), &params);
}

Result<CUDA_MEMCPY3D> driver_copy_to_symbol(const void *symbol, const void *src, size_t count, size_t offset,
                                            cudaMemcpyKind kind) {
  return driver_copy_1d(HEL_TRY(symbol_target(symbol, count, offset, kind)), src, count, kind);
}

Result<CUDA_MEMCPY3D> driver_copy_from_symbol(void *dst, const void *symbol, size_t count, size_t offset,
                                              cudaMemcpyKind kind) {
  return driver_copy_1d(dst, HEL_TRY(symbol_source(symbol, count, offset, kind)), count, kind);
}

Result<cudaMemcpy3DParms> runtime_copy(const CUDA_MEMCPY3D &copy) {
  const DriverTable *cu = HEL_TRY(bound_driver());
  cudaMemcpy3DParms result{};
  result.srcArray = copy.srcMemoryType == CU_MEMORYTYPE_ARRAY ? reinterpret_cast<cudaArray_t>(copy.srcArray) : nullptr;
  result.dstArray = copy.dstMemoryType == CU_MEMORYTYPE_ARRAY ? reinterpret_cast<cudaArray_t>(copy.dstArray) : nullptr;
  const size_t from = HEL_TRY(array_element_bytes(*cu, result.srcArray));
  const size_t to = HEL_TRY(array_element_bytes(*cu, result.dstArray));
  const size_t element = result.srcArray != nullptr ? from : to;
  result.srcPos = {copy.srcXInBytes / from, copy.srcY, copy.srcZ};
  result.dstPos = {copy.dstXInBytes / to, copy.dstY, copy.dstZ};
  result.srcPtr = pitched(copy.srcHost, copy.srcDevice, copy.srcMemoryType, copy.srcPitch, copy.srcHeight);
  result.dstPtr = pitched(copy.dstHost, copy.dstDevice, copy.dstMemoryType, copy.dstPitch, copy.dstHeight);
  result.extent = {copy.WidthInBytes / element, copy.Height, copy.Depth};
  result.kind = kind_of(copy.srcMemoryType, copy.dstMemoryType);
  return result;
}

Result<CUgraphNodeParams> driver_node(const cudaGraphNodeParams &params) {
  CUgraphNodeParams result{};
  result.type = static_cast<CUgraphNodeType>(params.type);
  if (params.type == cudaGraphNodeTypeKernel) {
    const cudaKernelNodeParamsV2 &k = params.kernel;
    const CUDA_KERNEL_NODE_PARAMS kernel =
        HEL_TRY(kernel_params(k.func, k.gridDim, k.blockDim, k.sharedMemBytes, k.kernelParams, k.extra));
    static_assert(sizeof(kernel) == sizeof(result.kernel));
    std::memcpy(&result.kernel, &kernel, sizeof(kernel));
  } else if (params.type == cudaGraphNodeTypeMemcpy) {
    result.memcpy.copyParams = HEL_TRY(driver_copy(*HEL_TRY(bound_driver()), &params.memcpy.copyParams));
  } else {
    static_assert(sizeof(result) == sizeof(params));
    static_assert(sizeof(result.alloc) == sizeof(params.alloc));
    std::memcpy(&result, &params, sizeof(params));
    if (params.type == cudaGraphNodeTypeMemset) {
      result.memset.ctx = nullptr;  // the runtime's struct has none
    }
  }
  return result;
}

}  // namespace hel::rt
