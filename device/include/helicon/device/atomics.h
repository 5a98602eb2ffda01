// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The atomic functions atomicX, atomicX_block and atomicX_system: relaxed read-modify-writes at device, block and system scope.
#ifndef __HELICON_DEVICE_ATOMICS_H__
#define __HELICON_DEVICE_ATOMICS_H__

extern "C" {
// 16-byte operations (the device library). Address 16-byte aligned.
__device__ unsigned __int128 __hl_atomic_exchange_128(unsigned __int128 *address, unsigned __int128 value);
__device__ unsigned __int128 __hl_atomic_compare_exchange_128(unsigned __int128 *address, unsigned __int128 expected,
                                                              unsigned __int128 desired);
}

#define __HELICON_ATOMIC(name, suffix, builtin, type, scope)                                         \
  __device__ __forceinline__ type name##suffix(type *address, type value) {                          \
    return builtin(address, value, __ATOMIC_RELAXED, scope);                                         \
  }
#define __HELICON_ATOMIC_CAS(suffix, type, scope)                                                                    \
  __device__ __forceinline__ type atomicCAS##suffix(type *address, type expected, type desired) {                    \
    __scoped_atomic_compare_exchange_n(address, &expected, desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED,       \
                                       scope);                                                                       \
    return expected;                                                                                                 \
  }

#define __HELICON_ATOMICS(suffix, scope)                                                                        \
  __HELICON_ATOMIC(atomicAdd, suffix, __scoped_atomic_fetch_add, int, scope)                                    \
  __HELICON_ATOMIC(atomicAdd, suffix, __scoped_atomic_fetch_add, unsigned int, scope)                           \
  __HELICON_ATOMIC(atomicAdd, suffix, __scoped_atomic_fetch_add, unsigned long long, scope)                     \
  __HELICON_ATOMIC(atomicAdd, suffix, __scoped_atomic_fetch_add, float, scope)                                  \
  __HELICON_ATOMIC(atomicAdd, suffix, __scoped_atomic_fetch_add, double, scope)                                 \
  __HELICON_ATOMIC(atomicSub, suffix, __scoped_atomic_fetch_sub, int, scope)                                    \
  __HELICON_ATOMIC(atomicSub, suffix, __scoped_atomic_fetch_sub, unsigned int, scope)                           \
  __HELICON_ATOMIC(atomicExch, suffix, __scoped_atomic_exchange_n, int, scope)                                  \
  __HELICON_ATOMIC(atomicExch, suffix, __scoped_atomic_exchange_n, unsigned int, scope)                         \
  __HELICON_ATOMIC(atomicExch, suffix, __scoped_atomic_exchange_n, unsigned long long, scope)                   \
  __HELICON_ATOMIC(atomicMin, suffix, __scoped_atomic_fetch_min, int, scope)                                    \
  __HELICON_ATOMIC(atomicMin, suffix, __scoped_atomic_fetch_min, unsigned int, scope)                           \
  __HELICON_ATOMIC(atomicMin, suffix, __scoped_atomic_fetch_min, long long, scope)                              \
  __HELICON_ATOMIC(atomicMin, suffix, __scoped_atomic_fetch_min, unsigned long long, scope)                     \
  __HELICON_ATOMIC(atomicMax, suffix, __scoped_atomic_fetch_max, int, scope)                                    \
  __HELICON_ATOMIC(atomicMax, suffix, __scoped_atomic_fetch_max, unsigned int, scope)                           \
  __HELICON_ATOMIC(atomicMax, suffix, __scoped_atomic_fetch_max, long long, scope)                              \
  __HELICON_ATOMIC(atomicMax, suffix, __scoped_atomic_fetch_max, unsigned long long, scope)                     \
  __HELICON_ATOMIC(atomicInc, suffix, __scoped_atomic_fetch_uinc, unsigned int, scope)                          \
  __HELICON_ATOMIC(atomicDec, suffix, __scoped_atomic_fetch_udec, unsigned int, scope)                          \
  __HELICON_ATOMIC(atomicAnd, suffix, __scoped_atomic_fetch_and, int, scope)                                    \
  __HELICON_ATOMIC(atomicAnd, suffix, __scoped_atomic_fetch_and, unsigned int, scope)                           \
  __HELICON_ATOMIC(atomicAnd, suffix, __scoped_atomic_fetch_and, long long, scope)                              \
  __HELICON_ATOMIC(atomicAnd, suffix, __scoped_atomic_fetch_and, unsigned long long, scope)                     \
  __HELICON_ATOMIC(atomicOr, suffix, __scoped_atomic_fetch_or, int, scope)                                      \
  __HELICON_ATOMIC(atomicOr, suffix, __scoped_atomic_fetch_or, unsigned int, scope)                             \
  __HELICON_ATOMIC(atomicOr, suffix, __scoped_atomic_fetch_or, long long, scope)                                \
  __HELICON_ATOMIC(atomicOr, suffix, __scoped_atomic_fetch_or, unsigned long long, scope)                       \
  __HELICON_ATOMIC(atomicXor, suffix, __scoped_atomic_fetch_xor, int, scope)                                    \
  __HELICON_ATOMIC(atomicXor, suffix, __scoped_atomic_fetch_xor, unsigned int, scope)                           \
  __HELICON_ATOMIC(atomicXor, suffix, __scoped_atomic_fetch_xor, long long, scope)                              \
  __HELICON_ATOMIC(atomicXor, suffix, __scoped_atomic_fetch_xor, unsigned long long, scope)                     \
  __HELICON_ATOMIC_CAS(suffix, int, scope)                                                                      \
  __HELICON_ATOMIC_CAS(suffix, unsigned int, scope)                                                             \
  __HELICON_ATOMIC_CAS(suffix, unsigned long long, scope)                                                       \
  __HELICON_ATOMIC_CAS(suffix, unsigned short, scope)                                                           \
  __device__ __forceinline__ float atomicExch##suffix(float *address, float value) {                            \
    return __hl_from_bits<float>(__scoped_atomic_exchange_n(reinterpret_cast<unsigned int *>(address),          \
                                                            __hl_bits(value), __ATOMIC_RELAXED, scope));        \
  }                                                                                                             \
  __device__ __forceinline__ float2 atomicAdd##suffix(float2 *address, float2 value) {                          \
    return float2{atomicAdd##suffix(&address->x, value.x), atomicAdd##suffix(&address->y, value.y)};            \
  }                                                                                                             \
  __device__ __forceinline__ float4 atomicAdd##suffix(float4 *address, float4 value) {                          \
    return float4{atomicAdd##suffix(&address->x, value.x), atomicAdd##suffix(&address->y, value.y),             \
                  atomicAdd##suffix(&address->z, value.z), atomicAdd##suffix(&address->w, value.w)};            \
  }                                                                                                             \
  template <typename __T> __device__ __forceinline__                                                            \
      typename __hl_enable_if<sizeof(__T) == 16 && alignof(__T) >= 16, __T>::type                               \
      atomicExch##suffix(__T *address, __T value) {                                                             \
    return __hl_from_bits<__T>(__hl_atomic_exchange_128(reinterpret_cast<unsigned __int128 *>(address),         \
                                                        __hl_from_bits<unsigned __int128>(value)));             \
  }                                                                                                             \
  template <typename __T> __device__ __forceinline__                                                            \
      typename __hl_enable_if<sizeof(__T) == 16 && alignof(__T) >= 16, __T>::type                               \
      atomicCAS##suffix(__T *address, __T expected, __T desired) {                                              \
    return __hl_from_bits<__T>(__hl_atomic_compare_exchange_128(reinterpret_cast<unsigned __int128 *>(address), \
                                                                __hl_from_bits<unsigned __int128>(expected),    \
                                                                __hl_from_bits<unsigned __int128>(desired)));   \
  }

__HELICON_ATOMICS(, __MEMORY_SCOPE_DEVICE)
__HELICON_ATOMICS(_block, __MEMORY_SCOPE_WRKGRP)
__HELICON_ATOMICS(_system, __MEMORY_SCOPE_SYSTEM)

#undef __HELICON_ATOMICS
#undef __HELICON_ATOMIC_CAS
#undef __HELICON_ATOMIC

#endif
