// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of the hand-written sides: on large pages where the system gives them, spread over the cores' caches by
// nobody.
#include <sys/mman.h>

#include <cstring>
#include <map>

#include "bench/harness/row.h"

namespace hel::bench {
namespace {

constexpr size_t kLargePage = size_t{2} << 20;

std::map<void *, size_t> mapped;

void *allocate(size_t bytes) {
  const size_t whole = (bytes + kLargePage - 1) / kLargePage * kLargePage;
  void *reserved = mmap(nullptr, whole + kLargePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (reserved == MAP_FAILED) {
    return nullptr;
  }
  const auto address = (reinterpret_cast<uintptr_t>(reserved) + kLargePage - 1) / kLargePage * kLargePage;
  void *aligned = reinterpret_cast<void *>(address);
  madvise(aligned, whole, MADV_HUGEPAGE);
  const size_t before = address - reinterpret_cast<uintptr_t>(reserved);
  if (before != 0) {
    munmap(reserved, before);
  }
  munmap(static_cast<char *>(aligned) + whole, kLargePage - before);
  memset(aligned, 0, whole);
  mapped[aligned] = whole;
  return aligned;
}

void release(void *memory) {
  munmap(memory, mapped[memory]);
  mapped.erase(memory);
}

void copy(void *to, const void *from, size_t bytes) { memcpy(to, from, bytes); }

}  // namespace

const Place &host_place() {
  static const Place place{allocate, release, copy, copy};
  return place;
}

}  // namespace hel::bench
