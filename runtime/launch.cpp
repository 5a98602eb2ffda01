// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel launches: `<<<…>>>` and the launch functions.
#include "base/thread_value.h"
#include "helicon/gen/runtime_impl.h"
#include "runtime/context.h"
#include "runtime/launch.h"
#include "runtime/modules.h"

#include <vector>

namespace hel::rt {
namespace {

struct Shape {
  dim3 grid;
  dim3 block;
};

Result<int> attribute(const DriverTable &cu, CUdevice device, CUdevice_attribute which) {
  int value = 0;
  HEL_TRY(check(cu.DeviceGetAttribute(&value, which, device)));
  return value;
}

/// cudaErrorInvalidConfiguration if no kernel can have this shape on the current device.
Result<void> check_shape(const DriverTable &cu, const Shape &shape) {
  CUdevice device = 0;
  HEL_TRY(check(cu.CtxGetDevice(&device)));
  struct Limit {
    const char *what;
    unsigned size;
    CUdevice_attribute most;
  };
  const Limit limits[] = {
      {"gridDim.x", shape.grid.x, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X},
      {"gridDim.y", shape.grid.y, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y},
      {"gridDim.z", shape.grid.z, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z},
      {"blockDim.x", shape.block.x, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X},
      {"blockDim.y", shape.block.y, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y},
      {"blockDim.z", shape.block.z, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z},
  };
  for (const Limit &limit : limits) {
    int most = HEL_TRY(attribute(cu, device, limit.most));
    if (limit.size == 0 || limit.size > static_cast<unsigned>(most)) {
      return HEL_FAIL(cudaErrorInvalidConfiguration, "%s is %u, it must be 1 to %d", limit.what, limit.size, most);
    }
  }
  unsigned long long threads = 1ull * shape.block.x * shape.block.y * shape.block.z;
  int most = HEL_TRY(attribute(cu, device, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK));
  if (threads > static_cast<unsigned>(most)) {
    return HEL_FAIL(cudaErrorInvalidConfiguration, "a block of %llu threads, the device takes %d", threads, most);
  }
  return {};
}

/// Gives the driver's answer to a launch; where the runtime has a more special code, that one.
Result<void> launched(const DriverTable &cu, CUresult code, const Shape &shape) {
  if (code == CUDA_SUCCESS) [[likely]] {
    return {};
  }
  Result<void> from_driver = check(code);
  if (code == CUDA_ERROR_INVALID_VALUE) {
    HEL_TRY(check_shape(cu, shape));
  }
  return from_driver;
}

Result<unsigned> shared_bytes(size_t bytes) {
  if (bytes > UINT32_MAX) {
    return HEL_FAIL(cudaErrorInvalidValue, "%zu bytes of shared memory", bytes);
  }
  return static_cast<unsigned>(bytes);
}

/// Launch configurations between the evaluation of `<<<…>>>` and the call of the kernel's stub. A stack: an argument of
/// a launch may itself launch.
struct CallConfiguration {
  Shape shape;
  size_t shared;
  cudaStream_t stream;
};

std::vector<CallConfiguration> &call_configurations() {
  struct Pushed;
  return thread_value<std::vector<CallConfiguration>, Pushed>();
}

}  // namespace

Result<void> launch_kernel(const void *func, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem,
                           cudaStream_t stream) {
  CUfunction function = HEL_TRY(launchable(func));
  const DriverTable &cu = *HEL_TRY(driver());
  unsigned shared = HEL_TRY(shared_bytes(sharedMem));
  CUresult code = cu.LaunchKernel(function, gridDim.x, gridDim.y, gridDim.z, blockDim.x, blockDim.y, blockDim.z, shared,
                                  stream, args, nullptr);
  return launched(cu, code, {gridDim, blockDim});
}

Result<void> launch_cooperative_kernel(const void *func, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem,
                                       cudaStream_t stream) {
  CUfunction function = HEL_TRY(launchable(func));
  const DriverTable &cu = *HEL_TRY(driver());
  unsigned shared = HEL_TRY(shared_bytes(sharedMem));
  CUresult code = cu.LaunchCooperativeKernel(function, gridDim.x, gridDim.y, gridDim.z, blockDim.x, blockDim.y,
                                             blockDim.z, shared, stream, args);
  return launched(cu, code, {gridDim, blockDim});
}

static_assert(sizeof(cudaLaunchAttribute) == sizeof(CUlaunchAttribute));

Result<CUlaunchConfig> driver_config(const cudaLaunchConfig_t *config) {
  if (config == nullptr) {
    return HEL_FAIL(cudaErrorInvalidValue, "the launch configuration is null");
  }
  if (config->numAttrs != 0 && config->attrs == nullptr) {
    return HEL_FAIL(cudaErrorInvalidValue, "%u launch attributes at null", config->numAttrs);
  }
  CUlaunchConfig result{};
  result.gridDimX = config->gridDim.x;
  result.gridDimY = config->gridDim.y;
  result.gridDimZ = config->gridDim.z;
  result.blockDimX = config->blockDim.x;
  result.blockDimY = config->blockDim.y;
  result.blockDimZ = config->blockDim.z;
  result.sharedMemBytes = HEL_TRY(shared_bytes(config->dynamicSmemBytes));
  result.hStream = config->stream;
  result.attrs = reinterpret_cast<CUlaunchAttribute *>(config->attrs);
  result.numAttrs = config->numAttrs;
  return result;
}

Result<void> launch_kernel_ex_c(const cudaLaunchConfig_t *config, const void *func, void **args) {
  CUlaunchConfig launch = HEL_TRY(driver_config(config));
  CUfunction function = HEL_TRY(launchable(func));
  const DriverTable &cu = *HEL_TRY(driver());
  return launched(cu, cu.LaunchKernelEx(&launch, function, args, nullptr), {config->gridDim, config->blockDim});
}

}  // namespace hel::rt

using hel::rt::call_configurations;

extern "C" {

__attribute__((visibility("default"))) unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared,
                                                                            CUstream_st *stream);
__attribute__((visibility("default"))) cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared,
                                                                              void *stream);

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, CUstream_st *stream) {
  call_configurations().push_back({{grid, block}, shared, stream});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream) {
  if (call_configurations().empty()) {
    return cudaErrorMissingConfiguration;
  }
  hel::rt::CallConfiguration top = call_configurations().back();
  call_configurations().pop_back();
  *grid = top.shape.grid;
  *block = top.shape.block;
  *shared = top.shared;
  *static_cast<cudaStream_t *>(stream) = top.stream;
  return cudaSuccess;
}

}  // extern "C"
