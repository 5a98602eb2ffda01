// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/visible_devices.h"

#include "base/platform_variable.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <strings.h>

namespace hel::loader {
namespace {

/// -1 when `item` names no device, or more than one.
int device_of(const std::string &item, const std::vector<std::string> &uuids) {
  char *end = nullptr;
  long index = std::strtol(item.c_str(), &end, 10);
  if (end != item.c_str() && *end == '\0') {
    return index >= 0 && index < static_cast<long>(uuids.size()) ? static_cast<int>(index) : -1;
  }
  int found = -1;
  for (size_t i = 0; i < uuids.size() && item.size() > 4; i++) {
    if (strncasecmp(uuids[i].c_str(), item.c_str(), item.size()) == 0) {
      if (found >= 0) {
        return -1;
      }
      found = static_cast<int>(i);
    }
  }
  return found;
}

std::string trimmed(const std::string &text) {
  size_t first = text.find_first_not_of(" \t");
  size_t last = text.find_last_not_of(" \t");
  return first == std::string::npos ? std::string() : text.substr(first, last - first + 1);
}

}  // namespace

const char *visible_devices_variable() { return platform_variable(PlatformVariable::VisibleDevices); }

std::vector<int> parse_visible_devices(const std::string &list, const std::vector<std::string> &uuids) {
  std::vector<int> devices;
  for (size_t at = 0; at < list.size();) {
    size_t end = std::min(list.find(',', at), list.size());
    int device = device_of(trimmed(list.substr(at, end - at)), uuids);
    at = end + 1;
    if (device < 0 || std::find(devices.begin(), devices.end(), device) != devices.end()) {
      break;
    }
    devices.push_back(device);
  }
  return devices;
}

std::string uuid_text(const unsigned char *bytes) {
  std::string text = "GPU";
  for (int i = 0; i < 16; i++) {
    char digits[4];
    bool group_starts = i == 0 || i == 4 || i == 6 || i == 8 || i == 10;
    std::snprintf(digits, sizeof digits, group_starts ? "-%02x" : "%02x", bytes[i]);
    text += digits;
  }
  return text;
}

}  // namespace hel::loader
