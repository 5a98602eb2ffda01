// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/loader.h"

#include "base/log.h"
#include "base/result.h"
#include "base/settings.h"
#include "loader/driver.h"
#include "loader/layers.h"
#include "loader/no_driver.h"
#include "loader/visible_devices.h"

#include <cstdio>

namespace hel::loader {
namespace {

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

/// Hides what the environment hides. False: the driver cannot.
bool hide_devices(const Driver &driver, const DriverTable &functions) {
  const char *list = visible_devices_variable();
  if (list == nullptr) {
    return true;
  }
  if (driver.show_devices == nullptr) {
    return false;
  }
  std::vector<int> devices = parse_visible_devices(list, uuids_of(functions));
  for (size_t i = 0; i < devices.size(); i++) {
    HEL_LOG(loader, 1, "driver=%s device=%zu is=%d", driver.name, i, devices[i]);
  }
  driver.show_devices(devices.data(), static_cast<int>(devices.size()));
  return true;
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
  if (drivers.size() > 1) {
    return refuse("HELICON_DRIVERS names several drivers; this build can use one at a time");
  }
  const Driver &driver = drivers.front();
  const DriverTable &functions = driver.table();
  HEL_LOG(loader, 1, "driver=%s loaded", driver.name);
  if (CUresult code = functions.Init(0); code != CUDA_SUCCESS) {
    HEL_LOG(loader, 1, "driver=%s refused init=%d", driver.name, static_cast<int>(code));
    return functions;
  }
  if (!hide_devices(driver, functions)) {
    return refuse(format("CUDA_VISIBLE_DEVICES is set, but the driver '%s' cannot hide devices", driver.name));
  }
  return with_layers(functions);
}

}  // namespace

const DriverTable &table() {
  static const DriverTable &loaded = load();
  return loaded;
}

}  // namespace hel::loader
