// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/platform_variable.h"

#include <cstdlib>
#include <cstring>

namespace hel {

const char *platform_variable(PlatformVariable which) {
  struct Names {
    const char *cuda, *musa;
  };
  static constexpr Names kNames[] = {
#define HEL_PLATFORM_VARIABLE(id, name, effect) {"CUDA_" name, "MUSA_" name},
#define HEL_IGNORED_VARIABLE(name, reason)
#include "base/platform_variables.def"
#undef HEL_PLATFORM_VARIABLE
#undef HEL_IGNORED_VARIABLE
  };
  const Names &names = kNames[static_cast<int>(which)];
  const char *value = std::getenv(names.cuda);
  return value != nullptr ? value : std::getenv(names.musa);
}

const char *platform_text(PlatformVariable which) {
  const char *value = platform_variable(which);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

bool is_on(PlatformVariable which) {
  const char *value = platform_text(which);
  return value != nullptr && std::strcmp(value, "0") != 0;
}

}  // namespace hel
