// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// helicon-env: prints the environment variables of our own, from the one table that defines them.
#include <cstdio>
#include <cstring>

#include "base/settings.h"

namespace {

void print_markdown() {
  std::printf("# Environment variables\n\nMade by `./dev env --write` from `base/settings.def` and `base/log_channels.def`. "
              "The variables of the platform itself (`CUDA_VISIBLE_DEVICES`, `MUSA_LAUNCH_BLOCKING` …) work too.\n\n"
              "| variable | default | effect |\n| --- | --- | --- |\n");
#define HEL_SETTING(field, type, name, initial, doc) std::printf("| `%s` | `%s` | %s |\n", name, #initial, doc);
#include "base/settings.def"
#undef HEL_SETTING
  std::printf("\nLog channels for `HELICON_LOG`:\n\n| channel | what is written |\n| --- | --- |\n");
#define HEL_LOG_CHANNEL(name, doc) std::printf("| `%s` | %s |\n", #name, doc);
#include "base/log_channels.def"
#undef HEL_LOG_CHANNEL
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
