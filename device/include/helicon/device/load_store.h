// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores with a cache hint (plain accesses here), address space predicates and conversions.
#ifndef __HELICON_DEVICE_LOAD_STORE_H__
#define __HELICON_DEVICE_LOAD_STORE_H__

#define __HELICON_MEMORY __device__ __forceinline__

#define __HELICON_HINTS(type)                                                                                        \
  __HELICON_MEMORY type __ldg(const type *p) { return *p; }                                                          \
  __HELICON_MEMORY type __ldca(const type *p) { return *p; }                                                         \
  __HELICON_MEMORY type __ldcg(const type *p) { return *p; }                                                         \
  __HELICON_MEMORY type __ldcs(const type *p) { return *p; }                                                         \
  __HELICON_MEMORY type __ldlu(const type *p) { return *p; }                                                         \
  __HELICON_MEMORY type __ldcv(const type *p) { type v; __hl_volatile_copy(&v, p); return v; }                       \
  __HELICON_MEMORY void __stwb(type *p, type v) { *p = v; }                                                          \
  __HELICON_MEMORY void __stcg(type *p, type v) { *p = v; }                                                          \
  __HELICON_MEMORY void __stcs(type *p, type v) { *p = v; }                                                          \
  __HELICON_MEMORY void __stwt(type *p, type v) { __hl_volatile_copy(p, &v); }

// Copies with volatile accesses of at most 8 bytes: what "don't cache" hints ask for.
template <typename __T, typename __W> __HELICON_MEMORY void __hl_volatile_copy_by(__T *to, const __T *from) {
  typedef __W __attribute__((may_alias)) word;
  for (unsigned int i = 0; i < sizeof(__T) / sizeof(__W); ++i) {
    reinterpret_cast<volatile word *>(to)[i] = reinterpret_cast<const volatile word *>(from)[i];
  }
}
template <typename __T> __HELICON_MEMORY void __hl_volatile_copy(__T *to, const __T *from) {
  if constexpr (alignof(__T) % 8 == 0) {
    __hl_volatile_copy_by<__T, unsigned long long>(to, from);
  } else if constexpr (alignof(__T) % 4 == 0) {
    __hl_volatile_copy_by<__T, unsigned int>(to, from);
  } else if constexpr (alignof(__T) % 2 == 0) {
    __hl_volatile_copy_by<__T, unsigned short>(to, from);
  } else {
    __hl_volatile_copy_by<__T, unsigned char>(to, from);
  }
}

__HELICON_HINTS(char) __HELICON_HINTS(signed char) __HELICON_HINTS(short) __HELICON_HINTS(int) __HELICON_HINTS(long)
__HELICON_HINTS(long long) __HELICON_HINTS(unsigned char) __HELICON_HINTS(unsigned short)
__HELICON_HINTS(unsigned int) __HELICON_HINTS(unsigned long) __HELICON_HINTS(unsigned long long)
__HELICON_HINTS(float) __HELICON_HINTS(double)
__HELICON_HINTS(char2) __HELICON_HINTS(char4) __HELICON_HINTS(uchar2) __HELICON_HINTS(uchar4)
__HELICON_HINTS(short2) __HELICON_HINTS(short4) __HELICON_HINTS(ushort2) __HELICON_HINTS(ushort4)
__HELICON_HINTS(int2) __HELICON_HINTS(int4) __HELICON_HINTS(uint2) __HELICON_HINTS(uint4)
__HELICON_HINTS(longlong2) __HELICON_HINTS(ulonglong2) __HELICON_HINTS(float2) __HELICON_HINTS(float4)
__HELICON_HINTS(double2)
#undef __HELICON_HINTS

/// A pointer with the hint how long its memory should stay in the cache, which may be ignored.
__HELICON_MEMORY void *__nv_associate_access_property(const void *p, unsigned long long) {
  return const_cast<void *>(p);
}

// Which address space a generic address lies in.
__HELICON_MEMORY unsigned int __isGlobal(const void *p) { return __nvvm_isspacep_global(p); }
__HELICON_MEMORY unsigned int __isShared(const void *p) { return __nvvm_isspacep_shared(p); }
__HELICON_MEMORY unsigned int __isConstant(const void *p) { return __nvvm_isspacep_const(p); }
__HELICON_MEMORY unsigned int __isLocal(const void *p) { return __nvvm_isspacep_local(p); }
__HELICON_MEMORY unsigned int __isGridConstant(const void *p) {
  unsigned int is_param;
  asm("{ .reg .pred p; isspacep.param p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(is_param) : "l"(p));
  return is_param;
}
__HELICON_MEMORY unsigned int __isClusterShared(const void *p) { return __nvvm_isspacep_shared_cluster(p); }
__HELICON_MEMORY unsigned int __isCtaShared(const void *p) { return __nvvm_isspacep_shared(p); }

#define __HELICON_SPACE(name, space)                                                                   \
  __HELICON_MEMORY size_t __cvta_generic_to_##name(const void *p) {                                    \
    return (size_t)(const void __attribute__((address_space(space))) *)p;                              \
  }                                                                                                    \
  __HELICON_MEMORY void *__cvta_##name##_to_generic(size_t address) {                                  \
    return (void *)(void __attribute__((address_space(space))) *)address;                              \
  }
__HELICON_SPACE(global, 1)
__HELICON_SPACE(shared, 3)
__HELICON_SPACE(constant, 4)
__HELICON_SPACE(local, 5)
#undef __HELICON_SPACE
// A kernel's parameters are read where they are, at generic addresses.
__HELICON_MEMORY size_t __cvta_generic_to_grid_constant(const void *p) {
  size_t address;
  asm("cvta.to.param.u64 %0, %1;" : "=l"(address) : "l"(p));
  return address;
}
__HELICON_MEMORY void *__cvta_grid_constant_to_generic(size_t address) {
  void *p;
  asm("cvta.param.u64 %0, %1;" : "=l"(p) : "l"(address));
  return p;
}

#undef __HELICON_MEMORY

#endif
