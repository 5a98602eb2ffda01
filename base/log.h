// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Log lines on stderr, by channel: HELICON_LOG=api,launch:2. One line, `key=value`, greppable.
#pragma once

#include <atomic>

namespace hel {

/// The channels are rows of log_channels.def.
enum class LogChannel {
#define HEL_LOG_CHANNEL(name, doc) name,
#include "base/log_channels.def"
#undef HEL_LOG_CHANNEL
  Count
};

namespace detail {
/// Known to be off, all channels.
inline constinit std::atomic<bool> log_is_off{false};
int asked_log_level(LogChannel channel);
}  // namespace detail

/// The level that HELICON_LOG asks for (0: off).
inline int log_level(LogChannel channel) {
  return detail::log_is_off.load(std::memory_order_relaxed) ? 0 : detail::asked_log_level(channel);
}

[[gnu::cold, gnu::format(printf, 2, 3)]] void log_line(LogChannel channel, const char *fmt, ...);

}  // namespace hel

/// HEL_LOG(launch, 1, "kernel=%s blocks=%u", name, n);
#define HEL_LOG(channel, level, ...)                                              \
  do {                                                                            \
    if (::hel::log_level(::hel::LogChannel::channel) >= (level)) [[unlikely]] {   \
      ::hel::log_line(::hel::LogChannel::channel, __VA_ARGS__);                   \
    }                                                                             \
  } while (0)
