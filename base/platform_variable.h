// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The environment variables of the platform itself, under both of their names. The rows are in platform_variables.def.
#pragma once

namespace hel {

enum class PlatformVariable {
#define HEL_PLATFORM_VARIABLE(id, name, effect) id,
#define HEL_IGNORED_VARIABLE(name, reason)
#include "base/platform_variables.def"
#undef HEL_PLATFORM_VARIABLE
#undef HEL_IGNORED_VARIABLE
};

/// The value of CUDA_…, or else of MUSA_…, at present; null when neither is set.
const char *platform_variable(PlatformVariable which);
/// The same, where an empty value is none.
const char *platform_text(PlatformVariable which);
/// Set, and neither empty nor 0.
bool is_on(PlatformVariable which);

}  // namespace hel
