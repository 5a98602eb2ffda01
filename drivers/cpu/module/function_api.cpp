// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points: functions, their attributes and parameters.
#include "drivers/cpu/core/checks.h"
#include "drivers/cpu/core/device.h"
#include "drivers/cpu/module/function.h"
#include "helicon/gen/cpu_impl.h"

#include <algorithm>

namespace hel::cpu {

unsigned max_threads_of(const abi::KernelInfo &info) {
  return info.max_threads == 0 ? kMaxThreadsPerBlock : std::min(info.max_threads, kMaxThreadsPerBlock);
}

unsigned dynamic_shared_limit_of(const abi::KernelInfo &info, const FunctionSettings &settings) {
  const unsigned own = info.static_shared_bytes;
  const unsigned without_opt_in = own >= kSharedPerBlock ? 0 : kSharedPerBlock - own;
  const int opted_in = settings.max_dynamic_shared.load(std::memory_order_relaxed);
  return opted_in < 0 ? without_opt_in : static_cast<unsigned>(opted_in);
}

Result<int> function_attribute(const abi::KernelInfo &info, const FunctionSettings &settings,
                               CUfunction_attribute which) {
  switch (which) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      return static_cast<int>(max_threads_of(info));
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      return static_cast<int>(info.static_shared_bytes);
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
      return 0;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      return static_cast<int>(info.local_bytes);
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
      return kRegistersPerThread;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
      // Libraries choose by it what they launch, among what they have compiled.
      return info.arch != 0 ? static_cast<int>(info.arch) : kComputeMajor * 10 + kComputeMinor;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
      return 0;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      return static_cast<int>(dynamic_shared_limit_of(info, settings));
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      return settings.carveout.load();
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
      return info.cluster[0] != 0;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
      return static_cast<int>(info.cluster[0] != 0 ? info.cluster[0] : settings.cluster_width.load());
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
      return static_cast<int>(info.cluster[0] != 0 ? info.cluster[1] : settings.cluster_height.load());
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
      return static_cast<int>(info.cluster[0] != 0 ? info.cluster[2] : settings.cluster_depth.load());
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
      return settings.non_portable_cluster.load();
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
      return settings.cluster_scheduling.load();
    default:
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "functions have no attribute %d", static_cast<int>(which));
  }
}

Result<void> apply_function_attribute(const abi::KernelInfo &info, FunctionSettings &settings,
                                      CUfunction_attribute which, int value) {
  switch (which) {
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      if (value < 0 || static_cast<size_t>(value) + info.static_shared_bytes > kSharedPerBlockOptin) {
        return HEL_FAIL(CUDA_ERROR_INVALID_VALUE,
                        "%d bytes of dynamic and %u of static shared memory; a block can have %u", value,
                        info.static_shared_bytes, kSharedPerBlockOptin);
      }
      settings.max_dynamic_shared = value;
      return {};
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      if (value < -1 || value > 100) {
        return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "a carve-out of %d percent is not possible", value);
      }
      settings.carveout = value;
      return {};
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
      settings.non_portable_cluster = value != 0;
      return {};
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
      settings.cluster_scheduling = value;
      return {};
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH: {
      if (info.cluster[0] != 0 || value < 0) {
        return HEL_FAIL(info.cluster[0] != 0 ? CUDA_ERROR_NOT_PERMITTED : CUDA_ERROR_INVALID_VALUE,
                        "the kernel's cluster dimensions cannot be set to %d", value);
      }
      auto &field = which == CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH    ? settings.cluster_width
                    : which == CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT ? settings.cluster_height
                                                                         : settings.cluster_depth;
      field = static_cast<unsigned>(value);
      return {};
    }
    default:
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "functions have no attribute %d that can be set",
                      static_cast<int>(which));
  }
}

Result<void> check_cache_config(CUfunc_cache config) {
  if (config < CU_FUNC_CACHE_PREFER_NONE || config > CU_FUNC_CACHE_PREFER_EQUAL) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "no cache configuration has the number %d", static_cast<int>(config));
  }
  return {};
}

Result<void> param_info(const abi::KernelInfo &info, size_t index, size_t *offset, size_t *size) {
  HEL_TRY(check_out(offset, "paramOffset"));
  if (index >= info.param_count) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "the kernel has %u parameters, none has the index %zu", info.param_count,
                    index);
  }
  *offset = info.params[index].offset;
  if (size != nullptr) {
    *size = info.params[index].bytes;
  }
  return {};
}

Result<void> func_get_attribute(int *pi, CUfunction_attribute attrib, CUfunction hfunc) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(pi, "pi"));
  Ref<Function> function = HEL_TRY(find_function(hfunc));
  *pi = HEL_TRY(function_attribute(function->info(), function->settings, attrib));
  return {};
}

Result<void> func_set_attribute(CUfunction hfunc, CUfunction_attribute attrib, int value) {
  HEL_TRY(check_initialized());
  Ref<Function> function = HEL_TRY(find_function(hfunc));
  return apply_function_attribute(function->info(), function->settings, attrib, value);
}

Result<void> func_set_cache_config(CUfunction hfunc, CUfunc_cache config) {
  HEL_TRY(check_initialized());
  Ref<Function> function = HEL_TRY(find_function(hfunc));
  HEL_TRY(check_cache_config(config));
  function->settings.cache = config;
  return {};
}

Result<void> func_set_shared_mem_config(CUfunction hfunc, CUsharedconfig config) {
  HEL_TRY(check_initialized());
  HEL_TRY(find_function(hfunc));
  if (config < CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE || config > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "no bank size has the number %d", static_cast<int>(config));
  }
  return {};
}

Result<void> func_get_module(CUmodule *hmod, CUfunction hfunc) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(hmod, "hmod"));
  *hmod = HEL_TRY(find_function(hfunc))->module().handle();
  return {};
}

Result<void> func_get_name(const char **name, CUfunction hfunc) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(name, "name"));
  *name = HEL_TRY(find_function(hfunc))->info().name;
  return {};
}

Result<void> func_get_param_info(CUfunction func, size_t paramIndex, size_t *paramOffset, size_t *paramSize) {
  HEL_TRY(check_initialized());
  Ref<Function> function = HEL_TRY(find_function(func));
  return param_info(function->info(), paramIndex, paramOffset, paramSize);
}

Result<void> func_is_loaded(CUfunctionLoadingState *state, CUfunction function) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(state, "state"));
  HEL_TRY(find_function(function));
  *state = CU_FUNCTION_LOADING_STATE_LOADED;
  return {};
}

Result<void> func_load(CUfunction function) {
  HEL_TRY(check_initialized());
  HEL_TRY(find_function(function));
  return {};
}

}  // namespace hel::cpu
