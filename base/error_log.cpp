// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/error_log.h"

#include "base/mutex.h"
#include "base/platform_variable.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <deque>
#include <memory>
#include <vector>

namespace hel::error_log {
namespace {

constexpr size_t kEntries = 100;
constexpr size_t kLineBytes = 240;  ///< so that all entries and a first line fit the documented 25,600 bytes
constexpr const char kTruncated[] = "[truncated: earlier messages are left out]\n";

struct Subscription {
  Receiver receiver;
  void *data;
};

struct Log {
  Mutex mutex;
  std::deque<std::string> lines HEL_GUARDED_BY(mutex);
  uint32_t count HEL_GUARDED_BY(mutex) = 0;  ///< messages so far
  std::vector<std::shared_ptr<Subscription>> receivers HEL_GUARDED_BY(mutex);
};

Log &the_log() {
  static Log &log = *new Log;  // outlives every thread
  return log;
}

/// Where lines are written, or null. Looked up when the first message comes.
FILE *destination() {
  static FILE *const file = []() -> FILE * {
    const char *path = platform_text(PlatformVariable::LogFile);
    if (path == nullptr) {
      return nullptr;
    }
    if (std::strcmp(path, "stdout") == 0 || std::strcmp(path, "stderr") == 0) {
      return std::strcmp(path, "stdout") == 0 ? stdout : stderr;
    }
    FILE *opened = std::fopen(path, "w");
    if (opened == nullptr) {
      std::fprintf(stderr, "helicon: the log file %s cannot be written\n", path);
    }
    return opened;
  }();
  return file;
}

std::string line_of(Level level, const char *source, const std::string &message) {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  tm local{};
  localtime_r(&now.tv_sec, &local);
  std::string line =
      format("[%02d:%02d:%02d.%03ld][%ld][%s][%c] %s", local.tm_hour, local.tm_min, local.tm_sec,
             now.tv_nsec / 1'000'000, syscall(SYS_gettid), source, level == Level::Error ? 'E' : 'W', message.c_str());
  line.resize(std::min(line.size(), kLineBytes));
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line + '\n';
}

}  // namespace

void note(Level level, const char *source, std::string message) {
  static thread_local bool telling = false;  // a receiver's own failed calls are not told to it
  std::string line = line_of(level, source, message);
  if (FILE *file = destination()) {
    std::fputs(line.c_str(), file);
    std::fflush(file);
  }
  Log &log = the_log();
  std::vector<std::shared_ptr<Subscription>> receivers;
  {
    Lock lock(log.mutex);
    log.lines.push_back(std::move(line));
    log.count++;
    if (log.lines.size() > kEntries) {
      log.lines.pop_front();
    }
    receivers = log.receivers;
  }
  if (telling) {
    return;
  }
  telling = true;
  for (const auto &subscription : receivers) {
    subscription->receiver(subscription->data, level, message.data(), message.size());
  }
  telling = false;
}

void *add_receiver(Receiver receiver, void *data) {
  auto subscription = std::make_shared<Subscription>(Subscription{receiver, data});
  Log &log = the_log();
  Lock lock(log.mutex);
  log.receivers.push_back(subscription);
  return subscription.get();
}

bool remove_receiver(void *handle) {
  Log &log = the_log();
  Lock lock(log.mutex);
  return std::erase_if(log.receivers, [&](const auto &own) { return own.get() == handle; }) != 0;
}

uint32_t end() {
  Log &log = the_log();
  Lock lock(log.mutex);
  return log.count;
}

bool read(uint32_t *from, size_t capacity, std::string *text) {
  Log &log = the_log();
  Lock lock(log.mutex);
  const uint32_t oldest = log.count - static_cast<uint32_t>(log.lines.size());
  const uint32_t wanted = from == nullptr ? oldest : std::min(*from, log.count);
  uint32_t first = std::max(wanted, oldest);
  size_t bytes = 0;
  for (uint32_t i = first; i < log.count; i++) {
    bytes += log.lines[i - oldest].size();
  }
  bool truncated = wanted < oldest;
  while (first < log.count && bytes + (truncated ? sizeof(kTruncated) - 1 : 0) > capacity) {
    bytes -= log.lines[first++ - oldest].size();
    truncated = true;
  }
  text->clear();
  if (first == log.count) {
    const bool none = wanted == log.count;
    return none;
  }
  if (truncated) {
    *text = kTruncated;
  }
  for (uint32_t i = first; i < log.count; i++) {
    *text += log.lines[i - oldest];
  }
  if (from != nullptr) {
    *from = log.count;
  }
  return true;
}

}  // namespace hel::error_log
