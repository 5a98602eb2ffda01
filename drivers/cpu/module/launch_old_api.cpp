// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points: launches as they were before cuLaunchKernel. A function gathers its block and parameters, and keeps
// them from launch to launch.
#include "drivers/cpu/core/checks.h"
#include "drivers/cpu/core/device.h"
#include "drivers/cpu/module/function.h"
#include "helicon/gen/cpu_impl.h"

#include <cstring>

namespace hel::cpu {
namespace {

Result<Ref<Function>> find_next(CUfunction handle) {
  HEL_TRY(current_context());
  return find_function(handle);
}

Result<void> set_param(CUfunction handle, int offset, const void *value, size_t bytes) {
  Ref<Function> function = HEL_TRY(find_next(handle));
  HEL_TRY(check_out(value, "ptr"));
  if (offset < 0 || bytes > kMaxParamBytes || static_cast<size_t>(offset) > kMaxParamBytes - bytes) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%zu bytes at offset %d are outside of a kernel's parameters", bytes,
                    offset);
  }
  Lock lock(function->next_mutex);
  std::vector<uint8_t> &params = function->next.params;
  const size_t end = static_cast<size_t>(offset) + bytes;
  if (params.size() < end) {
    params.resize(end);
  }
  std::memcpy(params.data() + offset, value, bytes);
  return {};
}

}  // namespace

Result<void> func_set_block_shape(CUfunction hfunc, int x, int y, int z) {
  Ref<Function> function = HEL_TRY(find_next(hfunc));
  if (x < 1 || y < 1 || z < 1) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "a block of %d x %d x %d threads is not possible", x, y, z);
  }
  Lock lock(function->next_mutex);
  function->next.block[0] = static_cast<unsigned>(x);
  function->next.block[1] = static_cast<unsigned>(y);
  function->next.block[2] = static_cast<unsigned>(z);
  return {};
}

Result<void> func_set_shared_size(CUfunction hfunc, unsigned int bytes) {
  Ref<Function> function = HEL_TRY(find_next(hfunc));
  Lock lock(function->next_mutex);
  function->next.shared = bytes;
  return {};
}

Result<void> param_set_size(CUfunction hfunc, unsigned int numbytes) {
  Ref<Function> function = HEL_TRY(find_next(hfunc));
  if (numbytes > kMaxParamBytes) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%u bytes of parameters are more than %u", numbytes, kMaxParamBytes);
  }
  Lock lock(function->next_mutex);
  function->next.params.resize(numbytes);
  return {};
}

Result<void> param_seti(CUfunction hfunc, int offset, unsigned int value) {
  return set_param(hfunc, offset, &value, sizeof(value));
}

Result<void> param_setf(CUfunction hfunc, int offset, float value) {
  return set_param(hfunc, offset, &value, sizeof(value));
}

Result<void> param_setv(CUfunction hfunc, int offset, void *ptr, unsigned int numbytes) {
  return set_param(hfunc, offset, ptr, numbytes);
}

Result<void> launch_grid_async(CUfunction f, int grid_width, int grid_height, CUstream hStream) {
  Ref<Function> function = HEL_TRY(find_next(f));
  if (grid_width < 1 || grid_height < 1) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "a grid of %d x %d blocks is not possible", grid_width, grid_height);
  }
  NextLaunch next;
  {
    Lock lock(function->next_mutex);
    next = function->next;
  }
  size_t bytes = next.params.size();
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, next.params.data(), CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   CU_LAUNCH_PARAM_END};
  return launch_kernel(f, static_cast<unsigned>(grid_width), static_cast<unsigned>(grid_height), 1, next.block[0],
                       next.block[1], next.block[2], next.shared, hStream, nullptr,
                       function->info().param_bytes == 0 ? nullptr : extra);
}

Result<void> launch_grid(CUfunction f, int grid_width, int grid_height) {
  return launch_grid_async(f, grid_width, grid_height, nullptr);
}

Result<void> launch(CUfunction f) { return launch_grid_async(f, 1, 1, nullptr); }

}  // namespace hel::cpu
