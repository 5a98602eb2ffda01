// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/cache_size.h"

#include <cpuid.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace hel {
namespace {

constexpr size_t kUsualCache = size_t{32} << 20;  // where the system does not tell
constexpr int kMostCaches = 10;                   // of one processor

/// What a processor of a virtual machine can count on. One that has 2 of 60 processors is told of the whole cache (300
/// MB), in which its neighbours put theirs too: there, stores past the caches win from 8 MB on, and for 16 processors
/// from 48 MB.
constexpr size_t kMostOfVirtualProcessor = size_t{3} << 20;

/// The first line of a file about one of the caches of processor 0; empty if there is none.
std::string line_of(int cache, const char *name) {
  const std::string path = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(cache) + "/" + name;
  std::string line;
  if (std::FILE *file = std::fopen(path.c_str(), "re")) {
    char text[256];
    if (std::fgets(text, sizeof(text), file) != nullptr) {
      line = text;
    }
    std::fclose(file);
  }
  return line;
}

/// How many processors a list like "0-3,8" names.
long count_listed(const std::string &list) {
  long count = 0;
  for (const char *at = list.c_str(); *at >= '0' && *at <= '9';) {
    char *end;
    const long first = std::strtol(at, &end, 10);
    const long last = *end == '-' ? std::strtol(end + 1, &end, 10) : first;
    count += last - first + 1;
    at = *end == ',' ? end + 1 : end;
  }
  return count;
}

/// The caches of the highest level together: groups of processors have one each. What the processor says of itself (and
/// sysconf repeats) may count those of processors that a virtual machine does not have.
size_t told() {
  long highest = 0, bytes = 0, sharing = 1;
  for (int cache = 0; cache < kMostCaches; ++cache) {
    const long level = std::atol(line_of(cache, "level").c_str());
    if (level > highest) {
      const std::string size = line_of(cache, "size");
      const long unit = size.find('M') != std::string::npos ? 1 << 20 : size.find('K') != std::string::npos ? 1 << 10 : 1;
      highest = level;
      bytes = std::atol(size.c_str()) * unit;
      sharing = std::max(1L, count_listed(line_of(cache, "shared_cpu_list")));
    }
  }
  return static_cast<size_t>(bytes * std::max(1L, sysconf(_SC_NPROCESSORS_ONLN) / sharing));
}

bool is_virtual_machine() {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && ecx >> 31 != 0;
}

}  // namespace

size_t last_cache_bytes() {
  static const size_t bytes = [] {
    size_t size = told();
    if (size == 0) {
      const long answer = sysconf(_SC_LEVEL3_CACHE_SIZE);
      size = answer > 0 ? static_cast<size_t>(answer) : kUsualCache;
    }
    const auto processors = static_cast<size_t>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
    return is_virtual_machine() ? std::min(size, kMostOfVirtualProcessor * processors) : size;
  }();
  return bytes;
}

}  // namespace hel
