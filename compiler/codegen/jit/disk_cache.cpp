// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/codegen/jit/disk_cache.h"

#include "base/platform_variable.h"
#include "base/settings.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <string>

namespace hel::cc {
namespace {

/// In bytes.
uint64_t largest_size() {
  constexpr uint64_t kUsual = uint64_t{1} << 30, kMost = uint64_t{4} << 30;
  const char *wanted = platform_text(PlatformVariable::CacheMaxSize);
  return wanted == nullptr ? kUsual : std::min<uint64_t>(std::strtoull(wanted, nullptr, 10), kMost);
}

std::string folder() {
  if (!settings().cache_dir.empty()) {
    return settings().cache_dir;
  }
  if (const char *path = platform_text(PlatformVariable::CachePath)) {
    return path;
  }
  const char *cache = std::getenv("XDG_CACHE_HOME");
  const char *home = std::getenv("HOME");
  if (cache && *cache) {
    return std::string(cache) + "/helicon";
  }
  return home && *home ? std::string(home) + "/.cache/helicon" : "";
}

std::string path_of(const std::string &key) { return folder() + "/" + key + ".so"; }

bool is_on() { return settings().cache && !is_on(PlatformVariable::CacheDisable) && !folder().empty(); }

struct Entry {
  std::string path;
  uint64_t bytes;
  llvm::sys::TimePoint<> last_used;
};

/// Removes what was used longest ago until the rest is small enough.
void evict() {
  std::vector<Entry> entries;
  uint64_t total = 0;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator at(folder(), error), end; at != end && !error; at.increment(error)) {
    llvm::sys::fs::file_status status;
    if (llvm::StringRef(at->path()).ends_with(".so") && !llvm::sys::fs::status(at->path(), status)) {
      entries.push_back({at->path(), status.getSize(), status.getLastModificationTime()});
      total += status.getSize();
    }
  }
  std::sort(entries.begin(), entries.end(), [](const Entry &a, const Entry &b) { return a.last_used < b.last_used; });
  for (const Entry &entry : entries) {
    if (total <= largest_size()) {
      return;
    }
    llvm::sys::fs::remove(entry.path);
    total -= entry.bytes;
  }
}

}  // namespace

struct CacheKey::State {
  llvm::BLAKE3 hash;
};

CacheKey::CacheKey() : state_(new State) {}
CacheKey::~CacheKey() { delete state_; }

void CacheKey::add(const void *bytes, size_t count) {
  uint64_t size = count;
  state_->hash.update(llvm::ArrayRef(reinterpret_cast<const uint8_t *>(&size), sizeof(size)));
  state_->hash.update(llvm::ArrayRef(static_cast<const uint8_t *>(bytes), count));
}

void CacheKey::add(const std::string &text) { add(text.data(), text.size()); }

void CacheKey::add_file(const std::string &path) {
  llvm::sys::fs::file_status status;
  if (!path.empty() && !llvm::sys::fs::status(path, status)) {
    add(std::to_string(status.getSize()) + " " + std::to_string(status.getLastModificationTime().time_since_epoch().count()));
  }
}

std::string CacheKey::hex() { return llvm::toHex(state_->hash.final<16>(), /*LowerCase=*/true); }

std::optional<std::vector<uint8_t>> read_cache(const std::string &key) {
  if (!is_on()) {
    return std::nullopt;
  }
  auto buffer = llvm::MemoryBuffer::getFile(path_of(key), /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer) {
    return std::nullopt;
  }
  utimensat(AT_FDCWD, path_of(key).c_str(), nullptr, 0);  // its time of change says when it was last used
  llvm::StringRef bytes = (*buffer)->getBuffer();
  return std::vector<uint8_t>(bytes.bytes_begin(), bytes.bytes_end());
}

void write_cache(const std::string &key, const std::vector<uint8_t> &bytes) {
  if (!is_on() || llvm::sys::fs::create_directories(folder())) {
    return;
  }
  // Under a name of its own first: a reader sees all of it or nothing.
  llvm::SmallString<128> temporary;
  int fd = -1;
  if (llvm::sys::fs::createUniqueFile(folder() + "/" + key + ".%%%%%%", fd, temporary)) {
    return;
  }
  llvm::raw_fd_ostream file(fd, /*shouldClose=*/true);
  file.write(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  file.close();
  bool written = !file.has_error();
  file.clear_error();
  if (!written || llvm::sys::fs::rename(temporary, path_of(key))) {
    llvm::sys::fs::remove(temporary);
  }
  evict();
}

}  // namespace hel::cc
