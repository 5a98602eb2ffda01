// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results of run-time compilation on disk, by the hash of everything that they depend on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hel::cc {

/// Collects what a result depends on.
class CacheKey {
public:
  CacheKey();
  ~CacheKey();
  CacheKey(const CacheKey &) = delete;
  CacheKey &operator=(const CacheKey &) = delete;
  void add(const void *bytes, size_t count);
  void add(const std::string &text);
  /// Size and time of change stand for a file's contents.
  void add_file(const std::string &path);
  std::string hex();

private:
  struct State;
  State *state_;
};

/// Nothing when the entry does not exist or the cache is off.
std::optional<std::vector<uint8_t>> read_cache(const std::string &key);

/// Failing to write is no error: the next run compiles again.
void write_cache(const std::string &key, const std::vector<uint8_t> &bytes);

}  // namespace hel::cc
