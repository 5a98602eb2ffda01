// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/driver.h"

#include "base/log.h"
#include "base/result.h"

namespace hel {

#define HEL_DRIVER(name)                                                                              \
  namespace name {                                                                                    \
  [[gnu::weak]] const DriverTable &driver_table();                                                    \
  [[gnu::weak]] Result<void> open();                                                                  \
  [[gnu::weak]] bool owns(const void *address);                                                       \
  [[gnu::weak]] void number_devices_from(int first);                                                  \
  [[gnu::weak]] Result<void> share_managed(CUlibrary library, const char *name, CUdeviceptr storage); \
  [[gnu::weak]] void show_devices(const int *devices, int count);                                     \
  }
#include "loader/drivers.def"
#undef HEL_DRIVER

namespace loader {
namespace {

std::string names_of(const std::vector<Driver> &drivers) {
  std::string names;
  for (const Driver &driver : drivers) {
    names += names.empty() ? driver.name : std::string(", ") + driver.name;
  }
  return names;
}

const Driver *find(const std::string &name) {
  for (const Driver &driver : known_drivers()) {
    if (name == driver.name) {
      return &driver;
    }
  }
  return nullptr;
}

}  // namespace

const std::vector<Driver> &known_drivers() {
  static const std::vector<Driver> *const drivers = [] {
    auto *found = new std::vector<Driver>;
#define HEL_DRIVER(name)                                                                                         \
  if (hel::name::driver_table != nullptr) {                                                                      \
    found->push_back({#name, hel::name::driver_table, hel::name::show_devices, hel::name::open, hel::name::owns, \
                      hel::name::number_devices_from, hel::name::share_managed});                                \
  }
#include "loader/drivers.def"
#undef HEL_DRIVER
    return found;
  }();
  return *drivers;
}

std::vector<Driver> choose_drivers(const std::string &choice, std::string *error) {
  std::vector<Driver> chosen;
  for (size_t at = 0; at < choice.size();) {
    size_t end = std::min(choice.find(',', at), choice.size());
    std::string name = choice.substr(at, end - at);
    at = end + 1;
    if (name.empty()) {
      continue;
    }
    const Driver *driver = find(name);
    if (driver == nullptr) {
      *error = format("HELICON_DRIVERS names '%s', which this build does not have (it has: %s)", name.c_str(),
                      names_of(known_drivers()).c_str());
      return {};
    }
    chosen.push_back(*driver);
  }
  for (const char *name : {"nvidia", "cpu"}) {
    const Driver *driver = choice.empty() ? find(name) : nullptr;
    if (driver != nullptr) {
      chosen.push_back(*driver);
    }
  }
  if (chosen.empty() && !known_drivers().empty()) {
    chosen.push_back(known_drivers().front());
  }
  return chosen;
}

std::vector<Driver> open_drivers(const std::vector<Driver> &chosen, std::string *why) {
  std::vector<Driver> usable;
  for (const Driver &driver : chosen) {
    Result<void> opened = driver.open != nullptr ? driver.open() : Result<void>();
    if (opened) {
      HEL_LOG(loader, 1, "driver=%s loaded", driver.name);
      usable.push_back(driver);
      continue;
    }
    HEL_LOG(loader, 1, "driver=%s not used: %s", driver.name, opened.failure().message.c_str());
    *why += (why->empty() ? "" : "; ") + std::string(driver.name) + ": " + opened.failure().message;
  }
  return usable;
}

}  // namespace loader
}  // namespace hel
