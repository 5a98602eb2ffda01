// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel launches: `<<<…>>>` and the launch functions.
#include "runtime/launch.h"
#include "base/thread_value.h"
#include "helicon/gen/runtime_impl.h"
#include "loader/spelling.h"
#include "runtime/core/context.h"
#include "runtime/core/modules.h"

#include <vector>

namespace hel::rt {
namespace {

Result<unsigned> shared_bytes(size_t bytes) {
  if (bytes > UINT32_MAX) {
    return HEL_FAIL(cudaErrorInvalidValue, "%zu bytes of shared memory", bytes);
  }
  return static_cast<unsigned>(bytes);
}

/// Launch configurations between the evaluation of `<<<…>>>` and the call of the kernel's stub. A stack: an argument of
/// a launch may itself launch.
struct CallConfiguration {
  dim3 grid;
  dim3 block;
  size_t shared;
  cudaStream_t stream;
};

std::vector<CallConfiguration> &call_configurations() {
  struct Pushed;
  return thread_value<std::vector<CallConfiguration>, Pushed>();
}

/// Launches. MUSA programs may name a stream of another device than the current one, and the kernel runs there; in CUDA
/// that is an error.
template <typename Launch> Result<void> launch_into(const DriverTable &cu, cudaStream_t stream, Launch launch) {
  CUresult code = launch();
  CUcontext here = nullptr, there = nullptr;
  if (code == CUDA_ERROR_INVALID_HANDLE && loader::speaks_musa() && cu.StreamGetCtx(stream, &there) == CUDA_SUCCESS &&
      cu.CtxGetCurrent(&here) == CUDA_SUCCESS && here != there && cu.CtxPushCurrent(there) == CUDA_SUCCESS) {
    code = launch();
    cu.CtxPopCurrent(&there);
  }
  return check(code);
}

}  // namespace

Result<void> launch_kernel(const void *func, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem,
                           cudaStream_t stream) {
  const DriverTable &cu = *HEL_TRY(bound_driver());
  CUfunction function = HEL_TRY(launchable(cu, func));
  unsigned shared = HEL_TRY(shared_bytes(sharedMem));
  return launch_into(cu, stream, [&] {
    return cu.LaunchKernel(function, gridDim.x, gridDim.y, gridDim.z, blockDim.x, blockDim.y, blockDim.z, shared,
                           stream, args, nullptr);
  });
}

Result<void> launch_cooperative_kernel(const void *func, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem,
                                       cudaStream_t stream) {
  const DriverTable &cu = *HEL_TRY(bound_driver());
  CUfunction function = HEL_TRY(launchable(cu, func));
  unsigned shared = HEL_TRY(shared_bytes(sharedMem));
  return launch_into(cu, stream, [&] {
    return cu.LaunchCooperativeKernel(function, gridDim.x, gridDim.y, gridDim.z, blockDim.x, blockDim.y, blockDim.z,
                                      shared, stream, args);
  });
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
  const DriverTable &cu = *HEL_TRY(bound_driver());
  CUfunction function = HEL_TRY(launchable(cu, func));
  return launch_into(cu, launch.hStream, [&] { return cu.LaunchKernelEx(&launch, function, args, nullptr); });
}

}  // namespace hel::rt

using hel::rt::call_configurations;

extern "C" {

__attribute__((visibility("default"))) unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared,
                                                                            CUstream_st *stream);
__attribute__((visibility("default"))) cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared,
                                                                              void *stream);

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, CUstream_st *stream) {
  call_configurations().push_back({grid, block, shared, stream});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream) {
  if (call_configurations().empty()) {
    return cudaErrorMissingConfiguration;
  }
  hel::rt::CallConfiguration top = call_configurations().back();
  call_configurations().pop_back();
  *grid = top.grid;
  *block = top.block;
  *shared = top.shared;
  *static_cast<cudaStream_t *>(stream) = top.stream;
  return cudaSuccess;
}

}  // extern "C"
