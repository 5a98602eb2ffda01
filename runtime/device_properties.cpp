// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a device is: properties, attributes, and the choice of a device by them.
#include "helicon/gen/runtime_impl.h"
#include "runtime/core/context.h"
#include "runtime/memory/channel_format.h"

#include <cstring>

namespace hel::rt {
namespace {

struct PropertyOf {
  CUdevice_attribute attribute;
  void (*store)(cudaDeviceProp &, int);
};

constexpr PropertyOf kProperties[] = {
#define HEL_PROPERTY(field, attribute)                                                          \
  {CU_DEVICE_ATTRIBUTE_##attribute, [](cudaDeviceProp &prop, int value) {                       \
     prop.field = static_cast<std::remove_reference_t<decltype(prop.field)>>(value);            \
   }},
#include "runtime/device_properties.def"
#undef HEL_PROPERTY
};

/// How well `have` serves a program that asked for `want`; zero fields ask for nothing.
int fitness(const cudaDeviceProp &have, const cudaDeviceProp &want) {
  int score = 0;
  score += want.name[0] != '\0' && std::strncmp(have.name, want.name, sizeof want.name) == 0;
  score += want.major != 0 && (have.major > want.major || (have.major == want.major && have.minor >= want.minor));
  score += want.totalGlobalMem != 0 && have.totalGlobalMem >= want.totalGlobalMem;
  score += want.sharedMemPerBlock != 0 && have.sharedMemPerBlock >= want.sharedMemPerBlock;
  score += want.maxThreadsPerBlock != 0 && have.maxThreadsPerBlock >= want.maxThreadsPerBlock;
  score += want.multiProcessorCount != 0 && have.multiProcessorCount >= want.multiProcessorCount;
  score += want.warpSize != 0 && have.warpSize == want.warpSize;
  score += want.managedMemory != 0 && have.managedMemory != 0;
  score += want.cooperativeLaunch != 0 && have.cooperativeLaunch != 0;
  return score;
}

}  // namespace

Result<void> get_device_properties(cudaDeviceProp *prop, int device) {
  if (prop == nullptr) {
    return HEL_FAIL(cudaErrorInvalidValue, "prop is null");
  }
  HEL_TRY(check_device(device));
  const DriverTable *cu = HEL_TRY(driver());
  std::memset(prop, 0, sizeof *prop);
  HEL_TRY(check(cu->DeviceGetName(prop->name, sizeof prop->name, device)));
  HEL_TRY(check(cu->DeviceTotalMem(&prop->totalGlobalMem, device)));
  CUuuid uuid{};
  HEL_TRY(check(cu->DeviceGetUuid(&uuid, device)));
  static_assert(sizeof prop->uuid == sizeof uuid);
  std::memcpy(&prop->uuid, &uuid, sizeof uuid);
  if (cu->DeviceGetLuid(prop->luid, &prop->luidDeviceNodeMask, device) != CUDA_SUCCESS) {
    std::memset(prop->luid, 0, sizeof prop->luid);  // only some systems have them
  }
  for (const PropertyOf &property : kProperties) {
    int value = 0;
    HEL_TRY(check(cu->DeviceGetAttribute(&value, property.attribute, device)));
    property.store(*prop, value);
  }
  return {};
}

Result<void> device_get_attribute(int *value, cudaDeviceAttr attr, int device) {
  if (value == nullptr) {
    return HEL_FAIL(cudaErrorInvalidValue, "value is null");
  }
  HEL_TRY(check_device(device));
  return check(HEL_TRY(driver())->DeviceGetAttribute(value, static_cast<CUdevice_attribute>(attr), device));
}

Result<void> choose_device(int *device, const cudaDeviceProp *prop) {
  if (device == nullptr || prop == nullptr) {
    return HEL_FAIL(cudaErrorInvalidValue, "an argument is null");
  }
  HEL_TRY(check_device(0));
  int count = HEL_TRY(device_count());
  int best = -1;
  for (int i = 0; i < count; i++) {
    cudaDeviceProp have;
    HEL_TRY(get_device_properties(&have, i));
    if (int score = fitness(have, *prop); score > best) {
      best = score;
      *device = i;
    }
  }
  return {};
}

Result<void> device_get_texture1d_linear_max_width(size_t *maxWidthInElements, const cudaChannelFormatDesc *fmtDesc,
                                                   int device) {
  if (maxWidthInElements == nullptr || fmtDesc == nullptr) {
    return HEL_FAIL(cudaErrorInvalidValue, "an argument is null");
  }
  HEL_TRY(check_device(device));
  Result<ChannelFormat> format = channel_format(*fmtDesc);
  if (!format) {
    return HEL_FAIL(cudaErrorInvalidValue, "no texel has such channels");
  }
  return check(HEL_TRY(driver())->DeviceGetTexture1DLinearMaxWidth(maxWidthInElements, format.value().format,
                                                                   format.value().channels, device));
}

}  // namespace hel::rt
