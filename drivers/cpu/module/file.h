// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading of image files.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <vector>

namespace hel::cpu {

Result<std::vector<uint8_t>> read_file(const char *path);

}  // namespace hel::cpu
