// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Log lines on stderr, by channel: HELICON_LOG=api,launch:2. One line, `key=value`, greppable.
#pragma once

namespace hel {

/// The channels are rows of log_channels.def.
enum class LogChannel {
#define HEL_LOG_CHANNEL(name, doc) name,
#include "base/log_channels.def"
#undef HEL_LOG_CHANNEL
  Count
};

/// The level that HELICON_LOG asks for (0: off).
int log_level(LogChannel channel);

[[gnu::format(printf, 2, 3)]] void log_line(LogChannel channel, const char *fmt, ...);

}  // namespace hel

/// HEL_LOG(launch, 1, "kernel=%s blocks=%u", name, n);
#define HEL_LOG(channel, level, ...)                                              \
  do {                                                                            \
    if (::hel::log_level(::hel::LogChannel::channel) >= (level)) [[unlikely]] {   \
      ::hel::log_line(::hel::LogChannel::channel, __VA_ARGS__);                   \
    }                                                                             \
  } while (0)
