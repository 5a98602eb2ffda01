// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The settings that come from the environment, read once. The rows are in settings.def.
#pragma once

#include <string>

namespace hel {

struct Settings {
  using Int = long;
  using Bool = bool;
  using String = std::string;
#define HEL_SETTING(field, type, name, initial, doc) type field = initial;
#include "base/settings.def"
#undef HEL_SETTING
};

/// The process's settings. A variable that cannot be read is reported on stderr once and keeps its default.
const Settings &settings();

/// Prints every setting: name, default, present value, sentence (`./dev env`).
void print_settings();

}  // namespace hel
