// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What device code may call of the C library and the allocation operators: printf, assert, the heap, memory and strings.
// Each function is a device overload of the host's, under a private symbol.
#ifndef __HELICON_DEVICE_LIBC_H__
#define __HELICON_DEVICE_LIBC_H__

extern "C" {
int printf(const char *__restrict format, ...);
__device__ int printf(const char *format, ...);
__device__ __attribute__((noreturn)) void __assert_fail(const char *message, const char *file, unsigned int line,
                                                        const char *function) __asm__("__hl_assert_fail");

__device__ void *malloc(size_t bytes) __asm__("__hl_malloc");
__device__ void free(void *pointer) __asm__("__hl_free");
__device__ void *__nv_aligned_device_malloc(size_t bytes, size_t alignment) __asm__("__hl_aligned_malloc");

__device__ __forceinline__ void *memcpy(void *to, const void *from, size_t bytes) __asm__("__hl_memcpy");
__device__ __forceinline__ void *memmove(void *to, const void *from, size_t bytes) __asm__("__hl_memmove");
__device__ __forceinline__ void *memset(void *to, int value, size_t bytes) __asm__("__hl_memset");
__device__ __forceinline__ void *memcpy(void *to, const void *from, size_t bytes) {
  return __builtin_memcpy(to, from, bytes);
}
__device__ __forceinline__ void *memmove(void *to, const void *from, size_t bytes) {
  return __builtin_memmove(to, from, bytes);
}
__device__ __forceinline__ void *memset(void *to, int value, size_t bytes) { return __builtin_memset(to, value, bytes); }

__device__ int memcmp(const void *a, const void *b, size_t bytes) __asm__("__hl_memcmp");
__device__ size_t strlen(const char *s) __asm__("__hl_strlen");
__device__ int strcmp(const char *a, const char *b) __asm__("__hl_strcmp");
__device__ int strncmp(const char *a, const char *b, size_t n) __asm__("__hl_strncmp");
__device__ char *strcpy(char *to, const char *from) __asm__("__hl_strcpy");
__device__ char *strncpy(char *to, const char *from, size_t n) __asm__("__hl_strncpy");
__device__ char *strcat(char *to, const char *from) __asm__("__hl_strcat");
}

#undef alloca
#define alloca(bytes) __builtin_alloca_with_align(bytes, 128)

// Device forms of the allocation functions, which programs may replace (device/lib/allocation.cu), and of placement
// new.
namespace std {
struct nothrow_t;
#if defined(__cpp_aligned_new)
enum class align_val_t : size_t;
#endif
}  // namespace std

__device__ void *operator new(size_t bytes);
__device__ void *operator new[](size_t bytes);
__device__ void *operator new(size_t bytes, const std::nothrow_t &) noexcept;
__device__ void *operator new[](size_t bytes, const std::nothrow_t &) noexcept;
__device__ void operator delete(void *p) noexcept;
__device__ void operator delete[](void *p) noexcept;
__device__ void operator delete(void *p, const std::nothrow_t &) noexcept;
__device__ void operator delete[](void *p, const std::nothrow_t &) noexcept;
#if defined(__cpp_sized_deallocation) || __cplusplus >= 201402L
__device__ void operator delete(void *p, size_t) noexcept;
__device__ void operator delete[](void *p, size_t) noexcept;
#endif
#if defined(__cpp_aligned_new)
__device__ void *operator new(size_t bytes, std::align_val_t);
__device__ void *operator new[](size_t bytes, std::align_val_t);
__device__ void operator delete(void *p, std::align_val_t) noexcept;
__device__ void operator delete[](void *p, std::align_val_t) noexcept;
__device__ void operator delete(void *p, size_t, std::align_val_t) noexcept;
__device__ void operator delete[](void *p, size_t, std::align_val_t) noexcept;
#endif
__device__ inline void *operator new(size_t, void *place) noexcept { return place; }
__device__ inline void *operator new[](size_t, void *place) noexcept { return place; }
__device__ inline void operator delete(void *, void *) noexcept {}
__device__ inline void operator delete[](void *, void *) noexcept {}

#endif
