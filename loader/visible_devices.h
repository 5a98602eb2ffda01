// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA_VISIBLE_DEVICES and MUSA_VISIBLE_DEVICES: which devices a program sees, and in which order.
#pragma once

#include <string>
#include <vector>

namespace hel::loader {

/// The value that holds: CUDA_VISIBLE_DEVICES, else MUSA_VISIBLE_DEVICES, else null (all devices are visible).
const char *visible_devices_variable();

/// The devices that `list` names, in its order. An item is an index or the beginning of a UUID ("GPU-8932f937") that
/// fits one device only. The first item that names no device, or one already named, ends the list.
std::vector<int> parse_visible_devices(const std::string &list, const std::vector<std::string> &uuids);

/// "GPU-8932f937-d72c-4106-c12f-20bd9faed9f6" for 16 bytes.
std::string uuid_text(const unsigned char *bytes);

}  // namespace hel::loader
