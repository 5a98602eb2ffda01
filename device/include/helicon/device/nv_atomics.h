// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The built-in style atomics __nv_atomic_*, with a memory order and a thread scope.
#ifndef __HELICON_DEVICE_NV_ATOMICS_H__
#define __HELICON_DEVICE_NV_ATOMICS_H__

#define __CUDACC_DEVICE_ATOMIC_BUILTINS__ 1

enum {
  __NV_ATOMIC_RELAXED, __NV_ATOMIC_CONSUME, __NV_ATOMIC_ACQUIRE,
  __NV_ATOMIC_RELEASE, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_SEQ_CST
};
enum {
  __NV_THREAD_SCOPE_THREAD, __NV_THREAD_SCOPE_BLOCK, __NV_THREAD_SCOPE_CLUSTER,
  __NV_THREAD_SCOPE_DEVICE, __NV_THREAD_SCOPE_SYSTEM
};

#define __HELICON_SCOPED __device__ __forceinline__
#define __HELICON_REFUSE(condition, text) __attribute__((diagnose_if(condition, text, "error")))
#define __HELICON_LOAD_ORDER                                                     \
  __HELICON_REFUSE(order == __NV_ATOMIC_RELEASE || order == __NV_ATOMIC_ACQ_REL, \
                   "the order of an atomic load cannot be release or acq_rel")
#define __HELICON_STORE_ORDER                                                                                    \
  __HELICON_REFUSE(order == __NV_ATOMIC_CONSUME || order == __NV_ATOMIC_ACQUIRE || order == __NV_ATOMIC_ACQ_REL, \
                   "the order of an atomic store cannot be consume, acquire or acq_rel")

// Which values an operation is for.
#define __HELICON_INTEGRAL              \
  __HELICON_REFUSE(!__is_integral(__T), \
                   "the built-in atomics that end in _n load, store and exchange integers, those without it any type")
#define __HELICON_EXCHANGED                                                   \
  __HELICON_REFUSE(sizeof(__T) != 4 && sizeof(__T) != 8 && sizeof(__T) != 16, \
                   "a built-in atomic exchange is of 4, 8 or 16 bytes")
#define __HELICON_COUNTED \
  __HELICON_REFUSE(sizeof(__T) != 4 && sizeof(__T) != 8, "built-in atomic arithmetic is of 4 or 8 bytes")
#define __HELICON_WHOLE                      \
  __HELICON_REFUSE(__is_floating_point(__T), \
                   "built-in atomic minimum, maximum and logical operations are not for floating-point types")

// The compiler's number for a scope.
__HELICON_SCOPED constexpr int __hl_scope(int scope) {
  return scope == __NV_THREAD_SCOPE_THREAD    ? __MEMORY_SCOPE_SINGLE
         : scope == __NV_THREAD_SCOPE_BLOCK   ? __MEMORY_SCOPE_WRKGRP
         : scope == __NV_THREAD_SCOPE_CLUSTER ? __MEMORY_SCOPE_CLUSTR
         : scope == __NV_THREAD_SCOPE_DEVICE  ? __MEMORY_SCOPE_DEVICE
                                              : __MEMORY_SCOPE_SYSTEM;
}

// An unsigned integer of the size of a value that is moved as a whole.
template <size_t> struct __hl_word;
template <> struct __hl_word<1> { typedef unsigned char type; };
template <> struct __hl_word<2> { typedef unsigned short type; };
template <> struct __hl_word<4> { typedef unsigned int type; };
template <> struct __hl_word<8> { typedef unsigned long long type; };
template <> struct __hl_word<16> { typedef unsigned __int128 type; };
#define __HELICON_WORD typename __hl_word<sizeof(__T)>::type

template <typename __W> __HELICON_SCOPED __W __hl_word_load(const __W *p, int order, int scope) {
  if constexpr (sizeof(__W) == 16) {
    return __hl_atomic_compare_exchange_128(const_cast<__W *>(p), 0, 0);
  } else {
    return __scoped_atomic_load_n(p, order, __hl_scope(scope));
  }
}
template <typename __W> __HELICON_SCOPED __W __hl_word_exchange(__W *p, __W value, int order, int scope) {
  if constexpr (sizeof(__W) == 16) {
    return __hl_atomic_exchange_128(p, value);
  } else {
    return __scoped_atomic_exchange_n(p, value, order, __hl_scope(scope));
  }
}
template <typename __W> __HELICON_SCOPED void __hl_word_store(__W *p, __W value, int order, int scope) {
  if constexpr (sizeof(__W) == 16) {
    __hl_atomic_exchange_128(p, value);
  } else {
    __scoped_atomic_store_n(p, value, order, __hl_scope(scope));
  }
}
template <typename __W>
__HELICON_SCOPED bool __hl_word_compare_exchange(__W *p, __W *expected, __W desired, int success, int failure, int scope) {
  if constexpr (sizeof(__W) == 16) {
    __W before = __hl_atomic_compare_exchange_128(p, *expected, desired);
    bool same = before == *expected;
    *expected = before;
    return same;
  } else {
    return __scoped_atomic_compare_exchange_n(p, expected, desired, false, success, failure, __hl_scope(scope));
  }
}

template <typename __T> __HELICON_SCOPED __T __hl_atomic_load(const __T *address, int order, int scope) {
  return __hl_from_bits<__T>(__hl_word_load(reinterpret_cast<const __HELICON_WORD *>(address), order, scope));
}
template <typename __T> __HELICON_SCOPED void __hl_atomic_store(__T *address, __T value, int order, int scope) {
  __hl_word_store(reinterpret_cast<__HELICON_WORD *>(address), __hl_from_bits<__HELICON_WORD>(value), order, scope);
}
template <typename __T> __HELICON_SCOPED __T __hl_atomic_exchange(__T *address, __T value, int order, int scope) {
  return __hl_from_bits<__T>(__hl_word_exchange(reinterpret_cast<__HELICON_WORD *>(address),
                                                __hl_from_bits<__HELICON_WORD>(value), order, scope));
}
template <typename __T> __HELICON_SCOPED bool __hl_atomic_compare_exchange(__T *address, __T *expected, __T desired,
                                                                           int success, int failure, int scope) {
  return __hl_word_compare_exchange(reinterpret_cast<__HELICON_WORD *>(address),
                                    reinterpret_cast<__HELICON_WORD *>(expected),
                                    __hl_from_bits<__HELICON_WORD>(desired), success, failure, scope);
}

template <typename __T>
__HELICON_SCOPED __T __nv_atomic_load_n(const __T *address, int order,
                                        int scope = __NV_THREAD_SCOPE_SYSTEM) __HELICON_LOAD_ORDER __HELICON_INTEGRAL {
  return __hl_atomic_load(address, order, scope);
}
template <typename __T>
__HELICON_SCOPED void __nv_atomic_load(const __T *address, __T *result, int order,
                                       int scope = __NV_THREAD_SCOPE_SYSTEM) __HELICON_LOAD_ORDER {
  *result = __hl_atomic_load(address, order, scope);
}
template <typename __T> __HELICON_SCOPED void __nv_atomic_store_n(
    __T *address, __T value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) __HELICON_STORE_ORDER __HELICON_INTEGRAL {
  __hl_atomic_store(address, value, order, scope);
}
template <typename __T>
__HELICON_SCOPED void __nv_atomic_store(__T *address, __T *value, int order,
                                        int scope = __NV_THREAD_SCOPE_SYSTEM) __HELICON_STORE_ORDER {
  __hl_atomic_store(address, *value, order, scope);
}
template <typename __T> __HELICON_SCOPED __T __nv_atomic_exchange_n(
    __T *address, __T value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) __HELICON_INTEGRAL __HELICON_EXCHANGED {
  return __hl_atomic_exchange(address, value, order, scope);
}
template <typename __T>
__HELICON_SCOPED void __nv_atomic_exchange(__T *address, __T *value, __T *result, int order,
                                           int scope = __NV_THREAD_SCOPE_SYSTEM) __HELICON_EXCHANGED {
  *result = __hl_atomic_exchange(address, *value, order, scope);
}
template <typename __T>
__HELICON_SCOPED bool __nv_atomic_compare_exchange_n(__T *address, __T *expected, __T desired, bool, int success,
                                                     int failure,
                                                     int scope = __NV_THREAD_SCOPE_SYSTEM) __HELICON_INTEGRAL {
  return __hl_atomic_compare_exchange(address, expected, desired, success, failure, scope);
}
template <typename __T> __HELICON_SCOPED bool __nv_atomic_compare_exchange(__T *address, __T *expected, __T *desired,
                                                                           bool, int success, int failure,
                                                                           int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return __hl_atomic_compare_exchange(address, expected, *desired, success, failure, scope);
}

#define __HELICON_NV_ATOMIC(op, values)                                                                    \
  template <typename __T> __HELICON_SCOPED __T __nv_atomic_fetch_##op(                                     \
      __T *address, __T value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) __HELICON_COUNTED values { \
    return __scoped_atomic_fetch_##op(address, value, order, __hl_scope(scope));                           \
  }                                                                                                        \
  template <typename __T> __HELICON_SCOPED void __nv_atomic_##op(                                          \
      __T *address, __T value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) __HELICON_COUNTED values { \
    __scoped_atomic_fetch_##op(address, value, order, __hl_scope(scope));                                  \
  }
__HELICON_NV_ATOMIC(add, )
__HELICON_NV_ATOMIC(sub, )
__HELICON_NV_ATOMIC(and, __HELICON_WHOLE)
__HELICON_NV_ATOMIC(or, __HELICON_WHOLE)
__HELICON_NV_ATOMIC(xor, __HELICON_WHOLE)
__HELICON_NV_ATOMIC(min, __HELICON_WHOLE)
__HELICON_NV_ATOMIC(max, __HELICON_WHOLE)
#undef __HELICON_NV_ATOMIC

__HELICON_SCOPED void __nv_atomic_thread_fence(int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  __scoped_atomic_thread_fence(order, __hl_scope(scope));
}

#undef __HELICON_WHOLE
#undef __HELICON_COUNTED
#undef __HELICON_EXCHANGED
#undef __HELICON_INTEGRAL
#undef __HELICON_WORD
#undef __HELICON_SCOPED

#endif
