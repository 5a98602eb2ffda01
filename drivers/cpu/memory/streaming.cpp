// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/memory/streaming.h"

#include <immintrin.h>

#include <algorithm>
#include <cstring>

namespace hel::cpu {
namespace {

constexpr size_t kLine = 64;

// Whole lines; `target` is the start of one. A line that is written by one store leaves the core as a whole at once.

void copy_lines_sse2(uint8_t *target, const uint8_t *source, size_t lines) {
  for (; lines > 0; lines--, target += kLine, source += kLine) {
    __m128i line[4];
    std::memcpy(line, source, kLine);
    for (int i = 0; i < 4; i++) {
      _mm_stream_si128(reinterpret_cast<__m128i *>(target) + i, line[i]);
    }
  }
}

__attribute__((target("avx2"))) void copy_lines_avx2(uint8_t *target, const uint8_t *source, size_t lines) {
  for (; lines > 0; lines--, target += kLine, source += kLine) {
    const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(source));
    const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(source) + 1);
    _mm256_stream_si256(reinterpret_cast<__m256i *>(target), low);
    _mm256_stream_si256(reinterpret_cast<__m256i *>(target) + 1, high);
  }
}

__attribute__((target("avx512f"))) void copy_lines_avx512(uint8_t *target, const uint8_t *source, size_t lines) {
  for (; lines > 0; lines--, target += kLine, source += kLine) {
    _mm512_stream_si512(reinterpret_cast<__m512i *>(target), _mm512_loadu_si512(source));
  }
}

using CopyLines = void (*)(uint8_t *, const uint8_t *, size_t);

CopyLines best_copy_lines() {
  return __builtin_cpu_supports("avx512f") ? copy_lines_avx512
         : __builtin_cpu_supports("avx2")  ? copy_lines_avx2
                                           : copy_lines_sse2;
}

}  // namespace

void stream_copy(uint8_t *target, const uint8_t *source, size_t bytes) {
  const size_t before = std::min(bytes, (kLine - reinterpret_cast<uintptr_t>(target) % kLine) % kLine);
  std::memcpy(target, source, before);
  target += before;
  source += before;
  bytes -= before;
  static const CopyLines copy_lines = best_copy_lines();
  const size_t lines = bytes / kLine;
  copy_lines(target, source, lines);
  std::memcpy(target + lines * kLine, source + lines * kLine, bytes % kLine);
  _mm_sfence();
}

}  // namespace hel::cpu
