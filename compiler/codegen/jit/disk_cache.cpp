// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/codegen/jit/disk_cache.h"

#include "base/settings.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

namespace hel::cc {
namespace {

std::string folder() {
  if (!settings().cache_dir.empty()) {
    return settings().cache_dir;
  }
  const char *cache = std::getenv("XDG_CACHE_HOME");
  const char *home = std::getenv("HOME");
  if (cache && *cache) {
    return std::string(cache) + "/helicon";
  }
  return home && *home ? std::string(home) + "/.cache/helicon" : "";
}

std::string path_of(const std::string &key) { return folder() + "/" + key + ".so"; }

bool is_on() { return settings().cache && !folder().empty(); }

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
}

}  // namespace hel::cc
