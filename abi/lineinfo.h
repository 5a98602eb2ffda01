// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a code address in a loaded ELF image to the function and, with -lineinfo or -G, the source line. Every image has
// one LineInfo under the symbol `__hl_line_info` (dlsym); find_place() reads it without allocating, so that a fault
// handler may call it.
#pragma once

#include <cstdint>

namespace hel::abi {

inline constexpr uint32_t kLineInfoVersion = 1;
inline constexpr char kLineInfoSymbol[] = "__hl_line_info";

/// Code of one function: offsets from LineInfo::text. Sorted, without overlap.
struct FunctionRange {
  uint32_t begin;
  uint32_t end;
  uint32_t name;         ///< mangled; offset in LineInfo::strings
  uint32_t stack_bytes;  ///< of its frame
};

/// From this offset on (to the next row's) code belongs to this line. Sorted by offset. Line 0: no line is known.
struct LineRow {
  uint32_t offset;
  uint32_t line;
  uint32_t file;  ///< offset in LineInfo::strings
};

struct LineInfo {
  uint32_t version;  ///< kLineInfoVersion
  uint32_t function_count;
  uint32_t row_count;  ///< 0 without -lineinfo and -G
  uint32_t reserved;
  const uint8_t *text;  ///< start of the code
  const FunctionRange *functions;
  const LineRow *rows;
  const char *strings;  ///< NUL-terminated strings
};

struct SourcePlace {
  const char *function = nullptr;  ///< mangled
  const char *file = nullptr;      ///< null when not known
  uint32_t line = 0;               ///< 0 when not known
};

/// False when the address is not in a function of this image. For a return address pass the address minus 1.
inline bool find_place(const LineInfo &info, const void *address, SourcePlace &place) {
  uint64_t distance = reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(info.text);
  uint32_t low = 0, high = info.function_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (info.functions[middle].end <= distance) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == info.function_count || distance < info.functions[low].begin) {
    return false;
  }
  place.function = info.strings + info.functions[low].name;
  uint32_t first = 0, last = info.row_count;
  while (first < last) {
    uint32_t middle = first + (last - first) / 2;
    if (info.rows[middle].offset <= distance) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  if (first > 0 && info.rows[first - 1].line != 0) {
    place.file = info.strings + info.rows[first - 1].file;
    place.line = info.rows[first - 1].line;
  }
  return true;
}

}  // namespace hel::abi
