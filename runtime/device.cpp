// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which device a thread uses, and what is set for a whole device.
#include "helicon/gen/runtime_impl.h"
#include "runtime/core/context.h"

namespace hel::rt {
namespace {

constexpr unsigned kDeviceFlags = cudaDeviceMask | cudaDeviceSyncMemops;

Result<void> check_device_flags(unsigned flags) {
  unsigned schedule = flags & cudaDeviceScheduleMask;
  bool one_schedule = (schedule & (schedule - 1)) == 0;
  if ((flags & ~kDeviceFlags) != 0 || !one_schedule) {
    return HEL_FAIL(cudaErrorInvalidValue, "device flags 0x%x are not defined", flags);
  }
  return {};
}

Result<void> need(const void *out) {
  if (out == nullptr) {
    return HEL_FAIL(cudaErrorInvalidValue, "the place for the result is null");
  }
  return {};
}

}  // namespace

Result<void> get_device_count(int *count) {
  HEL_TRY(need(count));
  *count = 0;
  *count = HEL_TRY(device_count());
  if (*count == 0) {
    return HEL_FAIL(cudaErrorNoDevice, "no device is visible");
  }
  return {};
}

Result<void> set_device(int device) { return choose_for_thread(device); }

Result<void> get_device(int *device) {
  HEL_TRY(need(device));
  *device = HEL_TRY(current_device());
  return {};
}

Result<void> init_device(int device, unsigned int deviceFlags, unsigned int flags) {
  HEL_TRY(check_device(device));
  if ((flags & ~cudaInitDeviceFlagsAreValid) != 0) {
    return HEL_FAIL(cudaErrorInvalidValue, "flags 0x%x are not defined", flags);
  }
  if (flags == cudaInitDeviceFlagsAreValid) {
    HEL_TRY(check_device_flags(deviceFlags));
    HEL_TRY(check(HEL_TRY(driver())->DevicePrimaryCtxSetFlags(device, deviceFlags)));
  }
  HEL_TRY(primary_context(device));
  return {};
}

Result<void> set_valid_devices(int *device_arr, int len) {
  if (len < 0 || (len > 0 && device_arr == nullptr)) {
    return HEL_FAIL(cudaErrorInvalidValue, "a list of %d devices at %p", len, static_cast<void *>(device_arr));
  }
  return set_default_devices(device_arr, len);
}

Result<void> set_device_flags(unsigned int flags) {
  HEL_TRY(check_device_flags(flags));
  int device = HEL_TRY(current_device());
  return check(HEL_TRY(driver())->DevicePrimaryCtxSetFlags(device, flags));
}

Result<void> get_device_flags(unsigned int *flags) {
  HEL_TRY(need(flags));
  int device = HEL_TRY(current_device());
  const DriverTable *cu = HEL_TRY(driver());
  CUcontext current = nullptr;
  HEL_TRY(check(cu->CtxGetCurrent(&current)));
  if (current != nullptr) {
    return check(cu->CtxGetFlags(flags));
  }
  int active = 0;
  return check(cu->DevicePrimaryCtxGetState(device, flags, &active));
}

Result<void> device_reset() { return reset_current_device(); }

Result<void> device_synchronize() { return check(HEL_TRY(bound_driver())->CtxSynchronize()); }

Result<void> device_set_limit(cudaLimit limit, size_t value) {
  return check(HEL_TRY(bound_driver())->CtxSetLimit(static_cast<CUlimit>(limit), value));
}

Result<void> device_get_limit(size_t *pValue, cudaLimit limit) {
  HEL_TRY(need(pValue));
  return check(HEL_TRY(bound_driver())->CtxGetLimit(pValue, static_cast<CUlimit>(limit)));
}

Result<void> device_get_cache_config(cudaFuncCache *pCacheConfig) {
  HEL_TRY(need(pCacheConfig));
  CUfunc_cache config{};
  HEL_TRY(check(HEL_TRY(bound_driver())->CtxGetCacheConfig(&config)));
  *pCacheConfig = static_cast<cudaFuncCache>(config);
  return {};
}

Result<void> device_set_cache_config(cudaFuncCache cacheConfig) {
  return check(HEL_TRY(bound_driver())->CtxSetCacheConfig(static_cast<CUfunc_cache>(cacheConfig)));
}

Result<void> device_get_shared_mem_config(cudaSharedMemConfig *pConfig) {
  HEL_TRY(need(pConfig));
  CUsharedconfig config{};
  HEL_TRY(check(HEL_TRY(bound_driver())->CtxGetSharedMemConfig(&config)));
  *pConfig = static_cast<cudaSharedMemConfig>(config);
  return {};
}

Result<void> device_set_shared_mem_config(cudaSharedMemConfig config) {
  return check(HEL_TRY(bound_driver())->CtxSetSharedMemConfig(static_cast<CUsharedconfig>(config)));
}

Result<void> device_get_stream_priority_range(int *leastPriority, int *greatestPriority) {
  return check(HEL_TRY(bound_driver())->CtxGetStreamPriorityRange(leastPriority, greatestPriority));
}

Result<void> ctx_reset_persisting_l2_cache() { return check(HEL_TRY(bound_driver())->CtxResetPersistingL2Cache()); }

Result<void> device_get_by_pci_bus_id(int *device, const char *pciBusId) {
  if (device == nullptr || pciBusId == nullptr) {
    return HEL_FAIL(cudaErrorInvalidValue, "an argument is null");
  }
  CUdevice found = 0;
  HEL_TRY(check(HEL_TRY(driver())->DeviceGetByPCIBusId(&found, pciBusId)));
  *device = found;
  return {};
}

Result<void> device_get_pci_bus_id(char *pciBusId, int len, int device) {
  HEL_TRY(check_device(device));
  HEL_TRY(need(pciBusId));
  return check(HEL_TRY(driver())->DeviceGetPCIBusId(pciBusId, len, device));
}

}  // namespace hel::rt
