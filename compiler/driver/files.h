// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files that the driver itself writes and removes.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hel::cc {

/// "a/b.c.cu" -> "b.c"
std::string stem_of(const std::string &path);
/// "a/b.c.cu" -> ".cu", in lower case; empty when there is none.
std::string extension_of(const std::string &path);
std::string absolute_path(const std::string &path);

/// Fails unless `path` is a file that can be read.
Result<void> check_input(const std::string &path);
/// Fails when `path` can be seen not to be writable: a folder, or in a folder that does not exist.
Result<void> check_output(const std::string &path);

/// Writes through a temporary file, so that a failure leaves nothing behind. "-" is standard output.
Result<void> write_file(const std::string &path, const char *bytes, size_t size);
inline Result<void> write_file(const std::string &path, const std::vector<uint8_t> &bytes) {
  return write_file(path, reinterpret_cast<const char *>(bytes.data()), bytes.size());
}

/// Removes `path` if it is an ordinary file.
void remove_regular_file(const std::string &path);

/// A folder for intermediate files that goes away with its object.
class TemporaryFolder {
public:
  /// `beside`: make it in that folder instead of TMPDIR.
  Result<void> create(const std::string &beside);
  ~TemporaryFolder();
  TemporaryFolder() = default;
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  std::string file(const std::string &name) const { return path_ + "/" + name; }

private:
  std::string path_;
};

}  // namespace hel::cc
