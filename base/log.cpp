// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/log.h"

#include "base/settings.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace hel {
namespace {

const char *const kNames[] = {
#define HEL_LOG_CHANNEL(name, doc) #name,
#include "base/log_channels.def"
#undef HEL_LOG_CHANNEL
};
constexpr int kCount = static_cast<int>(LogChannel::Count);

struct Levels {
  int level[kCount] = {};
  Levels() {
    const std::string &spec = settings().log;
    for (size_t at = 0; at < spec.size();) {
      size_t end = spec.find(',', at);
      std::string item = spec.substr(at, end == std::string::npos ? end : end - at);
      at = end == std::string::npos ? spec.size() : end + 1;
      set(item);
    }
    detail::log_is_off.store(spec.empty(), std::memory_order_relaxed);
  }

  void set(const std::string &item) {
    size_t colon = item.find(':');
    std::string name = item.substr(0, colon);
    int value = colon == std::string::npos ? 1 : std::atoi(item.c_str() + colon + 1);
    bool known = false;
    for (int i = 0; i < kCount; i++) {
      if (name == kNames[i] || name == "all") {
        level[i] = value;
        known = true;
      }
    }
    if (!known && !name.empty()) {
      std::fprintf(stderr, "helicon: HELICON_LOG has no channel '%s'\n", name.c_str());
    }
  }
};

}  // namespace

int detail::asked_log_level(LogChannel channel) {
  static const Levels levels;
  return levels.level[static_cast<int>(channel)];
}

void log_line(LogChannel channel, const char *fmt, ...) {
  char text[2048];
  va_list args;
  va_start(args, fmt);
  std::vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  std::fprintf(stderr, "helicon[%s] %s\n", kNames[static_cast<int>(channel)], text);
}

}  // namespace hel
