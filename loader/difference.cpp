// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/difference.h"

#include "base/result.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace hel::loader {
namespace {

template <typename T> T read(const void *at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

bool is_likely(double v) { return v == 0 || (std::fabs(v) > 1e-30 && std::fabs(v) < 1e30); }

bool is_float(const void *a, const void *b) {
  float x = read<float>(a), y = read<float>(b);
  auto fits = [](float v) { return is_likely(v) || !std::isfinite(v); };
  return fits(x) && fits(y);
}

/// Memory of doubles: read as floats, their lower halves would be numbers of any size, which those of programs are not.
bool holds_doubles(const char *bytes, size_t count) {
  size_t words = count / 8, step = words / 512 + 1, seen = 0, likely = 0, tops = 0;
  for (size_t at = 0; at < words; at += step) {
    float low = read<float>(bytes + at * 8);
    double whole = read<double>(bytes + at * 8);
    if (!is_likely(whole)) {
      return false;
    }
    tops += read<uint32_t>(bytes + at * 8 + 4) != 0;
    if (read<uint32_t>(bytes + at * 8) != 0) {
      seen++;
      likely += std::fabs(low) > 1e-10f && std::fabs(low) < 1e10f;
    }
  }
  return seen == 0 ? tops > 1 : likely * 10 < seen * 7;
}

/// Distance on the line of all values of the format.
template <typename Word, typename T> double ulps(T x, T y) {
  if (std::isnan(x) || std::isnan(y)) {
    return std::isnan(x) && std::isnan(y) ? 0 : HUGE_VAL;
  }
  auto place = [](T v) {
    auto bits = read<Word>(&v);
    constexpr Word sign = Word{1} << (sizeof(Word) * 8 - 1);
    auto distance = static_cast<long double>(bits & static_cast<Word>(~sign));  // has 64 bits
    return (bits & sign) != 0 ? -distance : distance;
  };
  return static_cast<double>(std::fabs(place(x) - place(y)));
}

struct Element {
  bool differs;
  double ulp;
  std::string text;
};

template <typename Word, typename T> Element floats(const void *a, const void *b, const Tolerance &tolerance, const char *type) {
  T x = read<T>(a), y = read<T>(b);
  double ulp = ulps<Word>(x, y);
  bool differs = ulp > tolerance.ulp && !(std::fabs(static_cast<double>(x) - static_cast<double>(y)) <= tolerance.abs);
  return {differs, ulp, format("%s GPU %.9g, CPU %.9g (%.3g ulp)", type, static_cast<double>(x), static_cast<double>(y), ulp)};
}

Element integers(const void *a, const void *b) {
  int32_t x = read<int32_t>(a), y = read<int32_t>(b);
  return {true, 0, format("int GPU %d (0x%08x), CPU %d (0x%08x)", x, static_cast<unsigned>(x), y, static_cast<unsigned>(y))};
}

void add(Difference &all, const Element &element, size_t offset) {
  if (!element.differs) {
    return;
  }
  if (all.elements++ == 0) {
    all.first = offset;
    all.text = element.text;
  }
  all.worst_ulp = std::max(all.worst_ulp, element.ulp);
}

}  // namespace

bool Tolerance::parse(const std::string &text, Tolerance *tolerance) {
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find(',', at), text.size());
    std::string word = text.substr(at, end - at);
    at = end + 1;
    size_t equals = word.find('=');
    if (equals == std::string::npos) {
      if (word != "1" && word != "on") {
        return false;
      }
      continue;
    }
    char *rest = nullptr;
    double value = std::strtod(word.c_str() + equals + 1, &rest);
    std::string name = word.substr(0, equals);
    if (*rest != '\0' || rest == word.c_str() + equals + 1 || (name != "ulp" && name != "abs")) {
      return false;
    }
    (name == "ulp" ? tolerance->ulp : tolerance->abs) = value;
  }
  return true;
}

Difference compare_memory(const void *gpu, const void *cpu, size_t bytes, const Tolerance &tolerance) {
  Difference all;
  auto *a = static_cast<const char *>(gpu), *b = static_cast<const char *>(cpu);
  bool doubles = holds_doubles(a, bytes);
  all.compared = bytes / (doubles ? 8 : 4);
  constexpr size_t kPiece = 4096;
  for (size_t piece = 0; piece < bytes; piece += kPiece) {
    size_t end = std::min(bytes, piece + kPiece);
    if (std::memcmp(a + piece, b + piece, end - piece) == 0) {
      continue;
    }
    for (size_t at = piece; at < end;) {
      if (doubles && at + 8 <= end) {
        if (std::memcmp(a + at, b + at, 8) != 0) {
          add(all, floats<uint64_t, double>(a + at, b + at, tolerance, "double"), at);
        }
        at += 8;
        continue;
      }
      if (at + 4 > end) {
        if (std::memcmp(a + at, b + at, end - at) != 0) {
          add(all, {true, 0, format("byte GPU 0x%02x, CPU 0x%02x", a[at] & 0xff, b[at] & 0xff)}, at);
        }
        break;
      }
      if (std::memcmp(a + at, b + at, 4) != 0) {
        add(all, is_float(a + at, b + at) ? floats<uint32_t, float>(a + at, b + at, tolerance, "float") : integers(a + at, b + at), at);
      }
      at += 4;
    }
  }
  return all;
}

}  // namespace hel::loader
