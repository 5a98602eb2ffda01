// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/module/file.h"

#include <cuda.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace hel::cpu {

Result<std::vector<uint8_t>> read_file(const char *path) {
  std::FILE *file = std::fopen(path, "rbe");
  struct stat facts {};
  if (file == nullptr || fstat(fileno(file), &facts) != 0 || !S_ISREG(facts.st_mode)) {
    std::string why = file == nullptr ? std::strerror(errno) : "it is no regular file";
    if (file != nullptr) {
      std::fclose(file);
    }
    return HEL_FAIL(CUDA_ERROR_FILE_NOT_FOUND, "the file '%s' cannot be read: %s", path, why.c_str());
  }
  std::vector<uint8_t> bytes(static_cast<size_t>(facts.st_size));
  size_t got = std::fread(bytes.data(), 1, bytes.size(), file);
  std::fclose(file);
  if (got != bytes.size()) {
    return HEL_FAIL(CUDA_ERROR_FILE_NOT_FOUND, "the file '%s' cannot be read to its end", path);
  }
  if (bytes.empty()) {
    return HEL_FAIL(CUDA_ERROR_INVALID_IMAGE, "the file '%s' is empty", path);
  }
  return bytes;
}

}  // namespace hel::cpu
