// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points: device queries and peer access queries.
#include "drivers/cpu/core/checks.h"
#include "drivers/cpu/core/device.h"
#include "drivers/cpu/memory/texel_format.h"
#include "helicon/gen/cpu_impl.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace hel::cpu {

Result<void> driver_get_version(int *driverVersion) {
  HEL_TRY(check_out(driverVersion, "driverVersion"));
  *driverVersion = 13000;
  return {};
}

Result<void> device_get(CUdevice *device, int ordinal) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(device, "device"));
  HEL_TRY(find_device(ordinal));
  *device = ordinal;
  return {};
}

Result<void> device_get_count(int *count) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(count, "count"));
  *count = static_cast<int>(devices().size());
  return {};
}

Result<void> device_get_name(char *name, int len, CUdevice dev) {
  Device *device = HEL_TRY(find_device(dev));
  HEL_TRY(check_out(name, "name"));
  if (len <= 0) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "room for the name is %d bytes", len);
  }
  std::strncpy(name, device->name.c_str(), static_cast<size_t>(len));
  name[len - 1] = '\0';
  return {};
}

Result<void> device_get_uuid(CUuuid *uuid, CUdevice dev) {
  Device *device = HEL_TRY(find_device(dev));
  HEL_TRY(check_out(uuid, "uuid"));
  *uuid = device->uuid;
  return {};
}

Result<void> device_total_mem(size_t *bytes, CUdevice dev) {
  Device *device = HEL_TRY(find_device(dev));
  HEL_TRY(check_out(bytes, "bytes"));
  *bytes = device->total_bytes;
  return {};
}

Result<void> device_get_attribute(int *pi, CUdevice_attribute attrib, CUdevice dev) {
  Device *device = HEL_TRY(find_device(dev));
  HEL_TRY(check_out(pi, "pi"));
  *pi = HEL_TRY(device_attribute(*device, attrib));
  return {};
}

Result<void> device_get_properties(CUdevprop *prop, CUdevice dev) {
  HEL_TRY(find_device(dev));
  HEL_TRY(check_out(prop, "prop"));
  *prop = {};
  prop->maxThreadsPerBlock = kMaxThreadsPerBlock;
  prop->maxThreadsDim[0] = kMaxThreadsPerBlock;
  prop->maxThreadsDim[1] = kMaxThreadsPerBlock;
  prop->maxThreadsDim[2] = kMaxBlockZ;
  prop->maxGridSize[0] = kMaxGridX;
  prop->maxGridSize[1] = kMaxGridYZ;
  prop->maxGridSize[2] = kMaxGridYZ;
  prop->sharedMemPerBlock = kSharedPerBlock;
  prop->totalConstantMemory = 65536;
  prop->SIMDWidth = kWarpSize;
  prop->memPitch = 0x7FFFFFFF;
  prop->regsPerBlock = kRegistersPerMultiprocessor;
  prop->clockRate = HEL_TRY(device_attribute(*devices()[0], CU_DEVICE_ATTRIBUTE_CLOCK_RATE));
  prop->textureAlign = 512;
  return {};
}

Result<void> device_compute_capability(int *major, int *minor, CUdevice dev) {
  HEL_TRY(find_device(dev));
  HEL_TRY(check_out(major, "major"));
  HEL_TRY(check_out(minor, "minor"));
  *major = kComputeMajor;
  *minor = kComputeMinor;
  return {};
}

Result<void> device_get_pci_bus_id(char *pciBusId, int len, CUdevice dev) {
  Device *device = HEL_TRY(find_device(dev));
  HEL_TRY(check_out(pciBusId, "pciBusId"));
  if (len <= static_cast<int>(device->pci_bus_id.size())) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "a bus id needs %zu bytes, there are %d", device->pci_bus_id.size() + 1,
                    len);
  }
  std::memcpy(pciBusId, device->pci_bus_id.c_str(), device->pci_bus_id.size() + 1);
  return {};
}

/// Accepts [domain:]bus:device[.function], hexadecimal.
Result<void> device_get_by_pci_bus_id(CUdevice *dev, const char *pciBusId) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(dev, "dev"));
  HEL_TRY(check_out(pciBusId, "pciBusId"));
  unsigned domain = 0, bus = 0, slot = 0, function = 0;
  int used = 0;
  const int length = static_cast<int>(std::strlen(pciBusId));
  bool good = (std::sscanf(pciBusId, "%x:%x:%x.%x%n", &domain, &bus, &slot, &function, &used) == 4 && used == length) ||
              (function = 0, std::sscanf(pciBusId, "%x:%x:%x%n", &domain, &bus, &slot, &used) == 3 && used == length) ||
              (domain = 0, std::sscanf(pciBusId, "%x:%x.%x%n", &bus, &slot, &function, &used) == 3 && used == length);
  if (!good) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "'%s' is no bus id", pciBusId);
  }
  if (domain != 0 || slot != 0 || function != 0 || bus == 0 || bus > devices().size()) {
    return HEL_FAIL(CUDA_ERROR_INVALID_DEVICE, "no device has the bus id '%s'", pciBusId);
  }
  *dev = static_cast<CUdevice>(bus - 1);
  return {};
}

Result<void> device_can_access_peer(int *canAccessPeer, CUdevice dev, CUdevice peerDev) {
  HEL_TRY(find_device(dev));
  HEL_TRY(find_device(peerDev));
  HEL_TRY(check_out(canAccessPeer, "canAccessPeer"));
  *canAccessPeer = dev != peerDev;
  return {};
}

Result<void> device_get_p2p_attribute(int *value, CUdevice_P2PAttribute attrib, CUdevice srcDevice,
                                      CUdevice dstDevice) {
  HEL_TRY(find_device(srcDevice));
  HEL_TRY(find_device(dstDevice));
  HEL_TRY(check_out(value, "value"));
  if (srcDevice == dstDevice) {
    return HEL_FAIL(CUDA_ERROR_INVALID_DEVICE, "device %d is no peer of itself", srcDevice);
  }
  switch (attrib) {
    case CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK:
      *value = 0;
      return {};
    case CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED:
    case CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED:
    case CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED:
      *value = 1;
      return {};
    default:
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "no peer attribute has the number %d", static_cast<int>(attrib));
  }
}

Result<void> device_get_texture1d_linear_max_width(size_t *maxWidthInElements, CUarray_format fmt, unsigned numChannels,
                                                   CUdevice dev) {
  HEL_TRY(find_device(dev));
  HEL_TRY(check_out(maxWidthInElements, "maxWidthInElements"));
  if (!texel_format(fmt, numChannels)) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "texels of format %d with %u channels are not possible",
                    static_cast<int>(fmt), numChannels);
  }
  *maxWidthInElements = 268435456;
  return {};
}

Result<void> device_get_exec_affinity_support(int *pi, CUexecAffinityType type, CUdevice dev) {
  HEL_TRY(find_device(dev));
  HEL_TRY(check_out(pi, "pi"));
  if (type != CU_EXEC_AFFINITY_TYPE_SM_COUNT) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "no execution affinity has the number %d", static_cast<int>(type));
  }
  *pi = 0;
  return {};
}

Result<void> get_export_table(const void **ppExportTable, const CUuuid *pExportTableId) {
  HEL_TRY(check_out(ppExportTable, "ppExportTable"));
  *ppExportTable = nullptr;
  static std::atomic<bool> told{false};
  if (!told.exchange(true)) {
    std::fprintf(stderr,
                 "helicon: cuGetExportTable: the tables that a vendor's runtime library or profiler asks its own "
                 "driver for are not offered; a program that contains such a library needs to be linked with "
                 "this runtime library: compile it again\n");
  }
  return HEL_FAIL(CUDA_ERROR_NOT_FOUND, "private tables are not offered");
}

Result<void> profiler_start() {
  HEL_TRY(current_context());
  return {};
}

Result<void> profiler_stop() {
  HEL_TRY(current_context());
  return {};
}

}  // namespace hel::cpu
