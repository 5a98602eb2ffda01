// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Null driver: devices.
#include "drivers/null/state.h"
#include "helicon/gen/driver_table.h"
#include "helicon/gen/null_impl.h"

#include <cstdio>
#include <cstring>

namespace hel::null {

void show_devices(const int *devices, int count);  // found by the loader

namespace {

/// What a device answers; every other attribute is 0.
constexpr std::pair<CUdevice_attribute, int> kAttributes[] = {
    {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024},
    {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, 1024},
    {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, 1024},
    {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, 64},
    {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, 0x7fffffff},
    {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, 65535},
    {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, 65535},
    {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 48 << 10},
    {CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY, 64 << 10},
    {CU_DEVICE_ATTRIBUTE_WARP_SIZE, 32},
    {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 1},
    {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 2048},
    {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 9},
    {CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, 1},
    {CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY, 1},
    {CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS, 1},
};

Result<void> check_device(CUdevice device) HEL_REQUIRES(state().mutex) {
  if (!state().initialised) {
    return HEL_FAIL(CUDA_ERROR_NOT_INITIALIZED, "cuInit has not been called");
  }
  if (device < 0 || device >= static_cast<int>(state().shown.size())) {
    return HEL_FAIL(CUDA_ERROR_INVALID_DEVICE, "device %d does not exist, there are %zu", device, state().shown.size());
  }
  return {};
}

}  // namespace

Result<void> need(const void *pointer, const char *what) {
  if (pointer == nullptr) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%s is null", what);
  }
  return {};
}

void show_devices(const int *devices, int count) {
  Lock lock(state().mutex);
  state().shown.assign(devices, devices + count);
}

Result<void> init(unsigned int Flags) {
  if (Flags != 0) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "flags are %u, they must be 0", Flags);
  }
  Lock lock(state().mutex);
  if (!state().initialised) {
    state().initialised = true;
    for (int i = 0; i < kDeviceCount; i++) {
      state().shown.push_back(i);
    }
  }
  return {};
}

Result<void> driver_get_version(int *driverVersion) {
  HEL_TRY(need(driverVersion, "driverVersion"));
  *driverVersion = CUDA_VERSION;
  return {};
}

Result<void> device_get_count(int *count) {
  Lock lock(state().mutex);
  HEL_TRY(need(count, "count"));
  if (!state().initialised) {
    return HEL_FAIL(CUDA_ERROR_NOT_INITIALIZED, "cuInit has not been called");
  }
  *count = static_cast<int>(state().shown.size());
  return {};
}

Result<void> device_get(CUdevice *device, int ordinal) {
  Lock lock(state().mutex);
  HEL_TRY(need(device, "device"));
  HEL_TRY(check_device(ordinal));
  *device = ordinal;
  return {};
}

Result<void> device_get_name(char *name, int len, CUdevice dev) {
  Lock lock(state().mutex);
  HEL_TRY(need(name, "name"));
  HEL_TRY(check_device(dev));
  std::snprintf(name, static_cast<size_t>(len), "Helicon null device %d", state().shown[static_cast<size_t>(dev)]);
  return {};
}

Result<void> device_get_uuid(CUuuid *uuid, CUdevice dev) {
  Lock lock(state().mutex);
  HEL_TRY(need(uuid, "uuid"));
  HEL_TRY(check_device(dev));
  std::memset(uuid->bytes, 0, sizeof uuid->bytes);
  uuid->bytes[0] = static_cast<char>(0xa0 + state().shown[static_cast<size_t>(dev)]);
  return {};
}

Result<void> device_total_mem(size_t *bytes, CUdevice dev) {
  Lock lock(state().mutex);
  HEL_TRY(need(bytes, "bytes"));
  HEL_TRY(check_device(dev));
  *bytes = kDeviceBytes;
  return {};
}

Result<void> device_get_attribute(int *pi, CUdevice_attribute attrib, CUdevice dev) {
  Lock lock(state().mutex);
  HEL_TRY(need(pi, "pi"));
  HEL_TRY(check_device(dev));
  if (attrib < 1 || attrib >= CU_DEVICE_ATTRIBUTE_MAX) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%d is no attribute", static_cast<int>(attrib));
  }
  *pi = 0;
  for (const auto &[attribute, value] : kAttributes) {
    if (attribute == attrib) {
      *pi = value;
    }
  }
  return {};
}

Result<void> device_can_access_peer(int *canAccessPeer, CUdevice dev, CUdevice peerDev) {
  Lock lock(state().mutex);
  HEL_TRY(need(canAccessPeer, "canAccessPeer"));
  HEL_TRY(check_device(dev));
  HEL_TRY(check_device(peerDev));
  *canAccessPeer = dev != peerDev;
  return {};
}

Result<void> device_primary_ctx_retain(CUcontext *pctx, CUdevice dev) {
  Lock lock(state().mutex);
  HEL_TRY(need(pctx, "pctx"));
  HEL_TRY(check_device(dev));
  Context *&primary = state().primaries[dev];
  if (primary == nullptr) {
    primary = new Context{dev, true};
    primary->id = state().next_context++;
    state().contexts.insert(primary);
    new_stream(primary, "legacy", 0, 0);
  }
  *pctx = reinterpret_cast<CUcontext>(primary);
  return {};
}

Result<void> device_primary_ctx_release(CUdevice dev) {
  Lock lock(state().mutex);
  return check_device(dev);
}

Result<void> device_primary_ctx_reset(CUdevice dev) {
  Lock lock(state().mutex);
  HEL_TRY(check_device(dev));
  if (Context *primary = state().primaries[dev]) {
    drain_all(primary);
    primary->id = state().next_context++;
  }
  return {};
}

Result<void> device_primary_ctx_set_flags(CUdevice dev, unsigned int flags) {
  CUcontext context;
  HEL_TRY(device_primary_ctx_retain(&context, dev));
  Lock lock(state().mutex);
  state().primaries[dev]->flags = flags;
  return {};
}

Result<void> device_primary_ctx_get_state(CUdevice dev, unsigned int *flags, int *active) {
  Lock lock(state().mutex);
  HEL_TRY(need(flags, "flags"));
  HEL_TRY(need(active, "active"));
  HEL_TRY(check_device(dev));
  Context *primary = state().primaries[dev];
  *active = primary != nullptr;
  *flags = primary != nullptr ? primary->flags : 0;
  return {};
}

}  // namespace hel::null
