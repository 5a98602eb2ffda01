// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/loader.h"

#include "base/log.h"
#include "base/result.h"
#include "base/settings.h"
#include "loader/compare.h"
#include "loader/dispatch.h"
#include "loader/driver.h"
#include "loader/forked_child.h"
#include "loader/layers.h"
#include "loader/no_driver.h"
#include "loader/visible_devices.h"

#include <cstdio>

namespace hel::loader {
namespace {

Driver chosen;  // fixed before `init` can be called

const DriverTable &refuse(const std::string &why) {
  std::fprintf(stderr, "helicon: %s\n", why.c_str());
  return no_driver_table();
}

std::vector<std::string> uuids_of(const DriverTable &driver) {
  int count = 0;
  std::vector<std::string> uuids;
  if (driver.DeviceGetCount(&count) != CUDA_SUCCESS) {
    return uuids;
  }
  for (int i = 0; i < count; i++) {
    CUuuid uuid{};
    driver.DeviceGetUuid(&uuid, i);
    uuids.push_back(uuid_text(reinterpret_cast<const unsigned char *>(uuid.bytes)));
  }
  return uuids;
}

/// Hides what the environment hides.
CUresult hide_devices() {
  const char *list = visible_devices_variable();
  if (list == nullptr || chosen.open != nullptr) {  // a library of somebody reads the variable itself
    return CUDA_SUCCESS;
  }
  if (chosen.show_devices == nullptr) {
    std::fprintf(stderr, "helicon: CUDA_VISIBLE_DEVICES is set, but the driver '%s' cannot hide devices\n",
                 chosen.name);
    return CUDA_ERROR_NO_DEVICE;
  }
  std::vector<int> devices = parse_visible_devices(list, uuids_of(chosen.table()));
  for (size_t i = 0; i < devices.size(); i++) {
    HEL_LOG(loader, 1, "driver=%s device=%zu is=%d", chosen.name, i, devices[i]);
  }
  chosen.show_devices(devices.data(), static_cast<int>(devices.size()));
  return devices.empty() ? CUDA_ERROR_NO_DEVICE : CUDA_SUCCESS;
}

/// cuInit: the first call starts the driver and settles which devices there are.
CUresult init(unsigned flags) {
  CUresult code = chosen.table().Init(flags);
  if (code != CUDA_SUCCESS) {
    HEL_LOG(loader, 1, "driver=%s refused init=%d", chosen.name, static_cast<int>(code));
    return code;
  }
  static const CUresult hidden = hide_devices();
  return hidden;
}

const DriverTable &over_several(std::string *error) {
  static DriverTable table = dispatch_table();
  if (!settings().compare.empty() && !put_compare_layer(table, error)) {
    return refuse(*error);
  }
  return with_layers(table);
}

const DriverTable &load() {
  std::string error;
  std::vector<Driver> drivers = choose_drivers(settings().drivers, &error);
  if (!error.empty()) {
    return refuse(error);
  }
  if (drivers.empty()) {
    return refuse("this build has no driver");
  }
  std::string why;
  drivers = open_drivers(drivers, &why);
  if (drivers.empty()) {
    return refuse("no driver can be used: " + why);
  }
  if (drivers.size() > 1 && visible_devices_variable() != nullptr) {
    HEL_LOG(loader, 1, "CUDA_VISIBLE_DEVICES is set: only the devices of driver=%s are shown", drivers.front().name);
    drivers.resize(1);
  }
  if (drivers.size() > 1) {
    return start_dispatch(drivers, &error) ? over_several(&error) : refuse(error);
  }
  if (!settings().compare.empty()) {
    return refuse("HELICON_COMPARE compares an NVIDIA GPU with the CPU; in use is only " + std::string(drivers.front().name) +
                  (why.empty() ? "" : " (" + why + ")"));
  }
  chosen = drivers.front();
  static DriverTable functions = chosen.table();
  functions.Init = init;
  return with_layers(functions);
}

}  // namespace

const DriverTable &table() {
  static const DriverTable &loaded = load();
  return is_forked_child() ? forked_child_table(loaded) : loaded;
}

}  // namespace hel::loader
