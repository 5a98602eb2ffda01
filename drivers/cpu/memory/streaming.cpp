// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/memory/streaming.h"

#include <emmintrin.h>

#include <algorithm>
#include <cstring>

namespace hel::cpu {
namespace {

constexpr size_t kLine = 64;

}  // namespace

void stream_copy(uint8_t *target, const uint8_t *source, size_t bytes) {
  const size_t before = std::min(bytes, (kLine - reinterpret_cast<uintptr_t>(target) % kLine) % kLine);
  std::memcpy(target, source, before);
  target += before;
  source += before;
  bytes -= before;
  for (; bytes >= kLine; bytes -= kLine, target += kLine, source += kLine) {
    __m128i line[4];
    std::memcpy(line, source, kLine);
    auto *to = reinterpret_cast<__m128i *>(target);
    for (int i = 0; i < 4; i++) {
      _mm_stream_si128(to + i, line[i]);
    }
  }
  std::memcpy(target, source, bytes);
  _mm_sfence();
}

}  // namespace hel::cpu
