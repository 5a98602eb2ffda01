// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/cache_size.h"

#include <unistd.h>

namespace hel {
namespace {

constexpr size_t kUsualCache = size_t{32} << 20;  // where the system does not tell

}  // namespace

size_t last_cache_bytes() {
  static const size_t bytes = [] {
    long size = sysconf(_SC_LEVEL3_CACHE_SIZE);
    size = size > 0 ? size : sysconf(_SC_LEVEL2_CACHE_SIZE);
    return size > 0 ? static_cast<size_t>(size) : kUsualCache;
  }();
  return bytes;
}

}  // namespace hel
