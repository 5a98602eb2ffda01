// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// operator new and delete in device code. Weak: a program's own definitions take their place, and those that a program leaves to us
// call them, as in the C++ standard. Without memory all of them return null, since device code does not throw.
#include "device/lib/lib.h"

namespace std {
struct nothrow_t;
enum class align_val_t : size_type;
}  // namespace std

extern "C" HL_DEVICE void *__hl_malloc(size_type bytes);
extern "C" HL_DEVICE void __hl_free(void *p);
extern "C" HL_DEVICE void *__hl_aligned_malloc(size_type bytes, size_type alignment);

#define HL_WEAK HL_DEVICE __attribute__((weak))

HL_WEAK void *operator new(size_type bytes) { return __hl_malloc(bytes ? bytes : 1); }
HL_WEAK void *operator new[](size_type bytes) { return operator new(bytes); }
HL_WEAK void *operator new(size_type bytes, const std::nothrow_t &) noexcept { return operator new(bytes); }
HL_WEAK void *operator new[](size_type bytes, const std::nothrow_t &) noexcept { return operator new[](bytes); }
HL_WEAK void operator delete(void *p) noexcept { __hl_free(p); }
HL_WEAK void operator delete[](void *p) noexcept { operator delete(p); }
HL_WEAK void operator delete(void *p, const std::nothrow_t &) noexcept { operator delete(p); }
HL_WEAK void operator delete[](void *p, const std::nothrow_t &) noexcept { operator delete[](p); }
HL_WEAK void operator delete(void *p, size_type) noexcept { operator delete(p); }
HL_WEAK void operator delete[](void *p, size_type) noexcept { operator delete[](p); }

HL_WEAK void *operator new(size_type bytes, std::align_val_t alignment) {
  return __hl_aligned_malloc(bytes ? bytes : 1, static_cast<size_type>(alignment));
}
HL_WEAK void *operator new[](size_type bytes, std::align_val_t alignment) { return operator new(bytes, alignment); }
HL_WEAK void operator delete(void *p, std::align_val_t) noexcept { __hl_free(p); }
HL_WEAK void operator delete[](void *p, std::align_val_t alignment) noexcept { operator delete(p, alignment); }
HL_WEAK void operator delete(void *p, size_type, std::align_val_t alignment) noexcept { operator delete(p, alignment); }
HL_WEAK void operator delete[](void *p, size_type, std::align_val_t alignment) noexcept { operator delete[](p, alignment); }
