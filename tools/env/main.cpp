// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// helicon-env: prints the environment variables, from the tables that define them.
#include <cstdio>
#include <cstring>

#include "base/settings.h"

namespace {

void print_markdown() {
  std::printf(
      "# Environment variables\n\nMade by `./dev env --write` from `base/settings.def`, `base/log_channels.def` "
      "and `base/platform_variables.def`.\n\n"
      "| variable | default | effect |\n| --- | --- | --- |\n");
#define HEL_SETTING(field, type, name, initial, doc) std::printf("| `%s` | `%s` | %s |\n", name, #initial, doc);
#include "base/settings.def"
#undef HEL_SETTING
  std::printf("\nLog channels for `HELICON_LOG`:\n\n| channel | what is written |\n| --- | --- |\n");
#define HEL_LOG_CHANNEL(name, doc) std::printf("| `%s` | %s |\n", #name, doc);
#include "base/log_channels.def"
#undef HEL_LOG_CHANNEL
  std::printf(
      "\nThe platform's own variables, as `CUDA_…` or as `MUSA_…` (the first is looked at first), on the CPU:\n\n"
      "| variable | effect |\n| --- | --- |\n");
#define HEL_PLATFORM_VARIABLE(id, name, effect) std::printf("| `CUDA_%s` | %s |\n", name, effect);
#define HEL_IGNORED_VARIABLE(name, reason) std::printf("| `CUDA_%s` | none: %s |\n", name, reason);
#include "base/platform_variables.def"
#undef HEL_PLATFORM_VARIABLE
#undef HEL_IGNORED_VARIABLE
}

}  // namespace

int main(int argc, char **argv) {
  if (argc > 1 && std::strcmp(argv[1], "--markdown") == 0) {
    print_markdown();
  } else {
    hel::print_settings();
  }
  return 0;
}
