// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory and string functions of the C library.
#include "device/lib/lib.h"

HL_API int __hl_memcmp(const void *a, const void *b, size_type bytes) {
  auto *x = static_cast<const unsigned char *>(a);
  auto *y = static_cast<const unsigned char *>(b);
  for (size_type i = 0; i < bytes; ++i) {
    if (x[i] != y[i]) {
      return x[i] < y[i] ? -1 : 1;
    }
  }
  return 0;
}

HL_API size_type __hl_strlen(const char *s) {
  size_type n = 0;
  while (s[n] != 0) {
    ++n;
  }
  return n;
}

HL_API int __hl_strncmp(const char *a, const char *b, size_type n) {
  for (size_type i = 0; i < n; ++i) {
    auto x = static_cast<unsigned char>(a[i]);
    auto y = static_cast<unsigned char>(b[i]);
    if (x != y) {
      return x < y ? -1 : 1;
    }
    if (x == 0) {
      return 0;
    }
  }
  return 0;
}

HL_API int __hl_strcmp(const char *a, const char *b) { return __hl_strncmp(a, b, ~static_cast<size_type>(0)); }

HL_API char *__hl_strcpy(char *to, const char *from) {
  size_type i = 0;
  do {
    to[i] = from[i];
  } while (from[i++] != 0);
  return to;
}

HL_API char *__hl_strncpy(char *to, const char *from, size_type n) {
  size_type i = 0;
  for (; i < n && from[i] != 0; ++i) {
    to[i] = from[i];
  }
  for (; i < n; ++i) {
    to[i] = 0;
  }
  return to;
}

HL_API char *__hl_strcat(char *to, const char *from) {
  __hl_strcpy(to + __hl_strlen(to), from);
  return to;
}

/// The n-th set bit of `mask` counted from bit `base`: upwards for n > 0, downwards for n < 0, `base` itself for 0.
HL_API uint32 __hl_fns(uint32 mask, uint32 base, int n) {
  if (n == 0) {
    return base < 32 && (mask >> base & 1) ? base : 0xffffffffu;
  }
  int step = n > 0 ? 1 : -1;
  int left = n > 0 ? n : -n;
  for (int at = static_cast<int>(base); at >= 0 && at < 32; at += step) {
    if ((mask >> at & 1) && --left == 0) {
      return static_cast<uint32>(at);
    }
  }
  return 0xffffffffu;
}
