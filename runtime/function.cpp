// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels: attributes, names, parameters, occupancy.
#include "helicon/gen/runtime_impl.h"
#include "runtime/core/context.h"
#include "runtime/launch.h"
#include "runtime/core/modules.h"

namespace hel::rt {
namespace {

Result<int> attribute(CUfunction function, CUfunction_attribute which) {
  const DriverTable *cu = HEL_TRY(driver());
  int value = 0;
  const CUresult code = cu->FuncGetAttribute(&value, which, function);
  if (code == CUDA_ERROR_INVALID_HANDLE) {
    HEL_TRY(check_alive(*cu));  // NVIDIA's driver has no functions any more after a fault
  }
  HEL_TRY(check(code));
  return value;
}

Result<void> need(const void *out) {
  if (out == nullptr) {
    return HEL_FAIL(cudaErrorInvalidValue, "the place for the result is null");
  }
  return {};
}

}  // namespace

Result<void> func_get_attributes(cudaFuncAttributes *attr, const void *func) {
  HEL_TRY(need(attr));
  CUfunction f = HEL_TRY(function_of(func));
  auto bytes = [&](CUfunction_attribute which) -> Result<size_t> {
    return static_cast<size_t>(HEL_TRY(attribute(f, which)));
  };
  *attr = {};
  attr->sharedSizeBytes = HEL_TRY(bytes(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES));
  attr->constSizeBytes = HEL_TRY(bytes(CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES));
  attr->localSizeBytes = HEL_TRY(bytes(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES));
  attr->maxThreadsPerBlock = HEL_TRY(attribute(f, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK));
  attr->numRegs = HEL_TRY(attribute(f, CU_FUNC_ATTRIBUTE_NUM_REGS));
  attr->ptxVersion = HEL_TRY(attribute(f, CU_FUNC_ATTRIBUTE_PTX_VERSION));
  attr->binaryVersion = HEL_TRY(attribute(f, CU_FUNC_ATTRIBUTE_BINARY_VERSION));
  attr->cacheModeCA = HEL_TRY(attribute(f, CU_FUNC_ATTRIBUTE_CACHE_MODE_CA));
  attr->maxDynamicSharedSizeBytes = HEL_TRY(attribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES));
  attr->preferredShmemCarveout = HEL_TRY(attribute(f, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT));
  attr->clusterDimMustBeSet = HEL_TRY(attribute(f, CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET));
  attr->requiredClusterWidth = HEL_TRY(attribute(f, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH));
  attr->requiredClusterHeight = HEL_TRY(attribute(f, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT));
  attr->requiredClusterDepth = HEL_TRY(attribute(f, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH));
  attr->clusterSchedulingPolicyPreference =
      HEL_TRY(attribute(f, CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE));
  attr->nonPortableClusterSizeAllowed = HEL_TRY(attribute(f, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED));
  return {};
}

Result<void> func_set_attribute(const void *func, cudaFuncAttribute attr, int value) {
  CUfunction function = HEL_TRY(function_of(func));
  return check(HEL_TRY(driver())->FuncSetAttribute(function, static_cast<CUfunction_attribute>(attr), value));
}

Result<void> func_set_cache_config(const void *func, cudaFuncCache cacheConfig) {
  CUfunction function = HEL_TRY(function_of(func));
  return check(HEL_TRY(driver())->FuncSetCacheConfig(function, static_cast<CUfunc_cache>(cacheConfig)));
}

Result<void> func_set_shared_mem_config(const void *func, cudaSharedMemConfig config) {
  CUfunction function = HEL_TRY(function_of(func));
  return check(HEL_TRY(driver())->FuncSetSharedMemConfig(function, static_cast<CUsharedconfig>(config)));
}

Result<void> func_get_name(const char **name, const void *func) {
  HEL_TRY(need(name));
  CUfunction function = HEL_TRY(function_of(func));
  return check(HEL_TRY(driver())->FuncGetName(name, function));
}

Result<void> func_get_param_info(const void *func, size_t paramIndex, size_t *paramOffset, size_t *paramSize) {
  CUfunction function = HEL_TRY(function_of(func));
  return check(HEL_TRY(driver())->FuncGetParamInfo(function, paramIndex, paramOffset, paramSize));
}

Result<void> get_func_by_symbol(cudaFunction_t *functionPtr, const void *symbolPtr) {
  HEL_TRY(need(functionPtr));
  *functionPtr = HEL_TRY(function_of(symbolPtr));
  return {};
}

Result<void> get_kernel(cudaKernel_t *kernelPtr, const void *entryFuncAddr) {
  HEL_TRY(need(kernelPtr));
  *kernelPtr = reinterpret_cast<cudaKernel_t>(HEL_TRY(launchable(entryFuncAddr)));
  return {};
}

Result<void> occupancy_max_active_blocks_per_multiprocessor(int *numBlocks, const void *func, int blockSize,
                                                            size_t dynamicSMemSize) {
  return occupancy_max_active_blocks_per_multiprocessor_with_flags(numBlocks, func, blockSize, dynamicSMemSize, 0);
}

Result<void> occupancy_max_active_blocks_per_multiprocessor_with_flags(int *numBlocks, const void *func, int blockSize,
                                                                       size_t dynamicSMemSize, unsigned int flags) {
  HEL_TRY(need(numBlocks));
  CUfunction function = HEL_TRY(function_of(func));
  return check(HEL_TRY(driver())->OccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, function, blockSize,
                                                                                     dynamicSMemSize, flags));
}

Result<void> occupancy_available_dynamic_s_mem_per_block(size_t *dynamicSmemSize, const void *func, int numBlocks,
                                                        int blockSize) {
  HEL_TRY(need(dynamicSmemSize));
  CUfunction function = HEL_TRY(function_of(func));
  return check(
      HEL_TRY(driver())->OccupancyAvailableDynamicSMemPerBlock(dynamicSmemSize, function, numBlocks, blockSize));
}

Result<void> occupancy_max_potential_cluster_size(int *clusterSize, const void *func,
                                                  const cudaLaunchConfig_t *launchConfig) {
  HEL_TRY(need(clusterSize));
  CUlaunchConfig config = HEL_TRY(driver_config(launchConfig));
  CUfunction function = HEL_TRY(function_of(func));
  return check(HEL_TRY(driver())->OccupancyMaxPotentialClusterSize(clusterSize, function, &config));
}

Result<void> occupancy_max_active_clusters(int *numClusters, const void *func, const cudaLaunchConfig_t *launchConfig) {
  HEL_TRY(need(numClusters));
  CUlaunchConfig config = HEL_TRY(driver_config(launchConfig));
  CUfunction function = HEL_TRY(function_of(func));
  return check(HEL_TRY(driver())->OccupancyMaxActiveClusters(numClusters, function, &config));
}

}  // namespace hel::rt
