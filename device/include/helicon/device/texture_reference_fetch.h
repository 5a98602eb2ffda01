// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fetches through texture references and accesses through surface references: tex2D(reference, x, y). In device code such
// a variable is one 64-bit number, that of the texture object to which it is bound.
#ifndef __HELICON_DEVICE_TEXTURE_REFERENCE_FETCH_H__
#define __HELICON_DEVICE_TEXTURE_REFERENCE_FETCH_H__

#include "helicon/device/surface.h"
#include "helicon/device/texture.h"

template <typename __R> __device__ __forceinline__ unsigned long long __hl_bound_object(const __R &reference) {
  return *reinterpret_cast<const unsigned long long *>(&reference);
}

/// What a fetch gives: the element, or floats in its place (mode 1).
template <typename __T, int __M> struct __hl_fetched {
  typedef __T type;
};
#define __HELICON_FRACTION(element, result)   \
  template <> struct __hl_fetched<element, 1> { \
    typedef result type;                      \
  };
#define __HELICON_FRACTIONS(scalar, vector)                                   \
  __HELICON_FRACTION(scalar, float) __HELICON_FRACTION(vector##1, float1)     \
  __HELICON_FRACTION(vector##2, float2) __HELICON_FRACTION(vector##4, float4)
__HELICON_FRACTION(char, float)
__HELICON_FRACTIONS(signed char, char)
__HELICON_FRACTIONS(unsigned char, uchar)
__HELICON_FRACTIONS(short, short)
__HELICON_FRACTIONS(unsigned short, ushort)
#undef __HELICON_FRACTIONS
#undef __HELICON_FRACTION

#define __HELICON_UNPACK(...) __VA_ARGS__
#define __HELICON_REFERENCE_FETCH(name, dimensions, parameters, arguments)                        \
  template <typename __T, int __M>                                                                \
  __device__ __forceinline__ typename __hl_fetched<__T, __M>::type name(                          \
      const texture<__T, dimensions, __M> &reference, __HELICON_UNPACK parameters) {              \
    return name<typename __hl_fetched<__T, __M>::type>(__hl_bound_object(reference),              \
                                                       __HELICON_UNPACK arguments);               \
  }

__HELICON_REFERENCE_FETCH(tex1Dfetch, 1, (int x), (x))
__HELICON_REFERENCE_FETCH(tex1D, 1, (float x), (x))
__HELICON_REFERENCE_FETCH(tex2D, 2, (float x, float y), (x, y))
__HELICON_REFERENCE_FETCH(tex3D, 3, (float x, float y, float z), (x, y, z))
__HELICON_REFERENCE_FETCH(tex1DLayered, 0xF1, (float x, int layer), (x, layer))
__HELICON_REFERENCE_FETCH(tex2DLayered, 0xF2, (float x, float y, int layer), (x, y, layer))
__HELICON_REFERENCE_FETCH(texCubemap, 0x0C, (float x, float y, float z), (x, y, z))
__HELICON_REFERENCE_FETCH(texCubemapLayered, 0xFC, (float x, float y, float z, int layer), (x, y, z, layer))
__HELICON_REFERENCE_FETCH(tex1DLod, 1, (float x, float level), (x, level))
__HELICON_REFERENCE_FETCH(tex2DLod, 2, (float x, float y, float level), (x, y, level))
__HELICON_REFERENCE_FETCH(tex3DLod, 3, (float x, float y, float z, float level), (x, y, z, level))
__HELICON_REFERENCE_FETCH(tex1DLayeredLod, 0xF1, (float x, int layer, float level), (x, layer, level))
__HELICON_REFERENCE_FETCH(tex2DLayeredLod, 0xF2, (float x, float y, int layer, float level), (x, y, layer, level))
__HELICON_REFERENCE_FETCH(tex1DGrad, 1, (float x, float dPdx, float dPdy), (x, dPdx, dPdy))
__HELICON_REFERENCE_FETCH(tex2DGrad, 2, (float x, float y, float2 dPdx, float2 dPdy), (x, y, dPdx, dPdy))
__HELICON_REFERENCE_FETCH(tex3DGrad, 3, (float x, float y, float z, float4 dPdx, float4 dPdy), (x, y, z, dPdx, dPdy))
#undef __HELICON_REFERENCE_FETCH

#define __HELICON_REFERENCE_SURFACE(name, dimensions, parameters, arguments)                                      \
  template <typename __T, typename __S>                                                                           \
  __device__ __forceinline__ __T name##read(const surface<__S, dimensions> &reference, __HELICON_UNPACK parameters, \
                                            int mode = 2) {                                                       \
    return name##read<__T>(__hl_bound_object(reference), __HELICON_UNPACK arguments, mode);                       \
  }                                                                                                               \
  template <typename __T, typename __S>                                                                           \
  __device__ __forceinline__ void name##read(__T *result, const surface<__S, dimensions> &reference,              \
                                             __HELICON_UNPACK parameters, int mode = 2) {                         \
    *result = name##read<__T>(__hl_bound_object(reference), __HELICON_UNPACK arguments, mode);                    \
  }                                                                                                               \
  template <typename __T, typename __S>                                                                           \
  __device__ __forceinline__ void name##write(__T value, const surface<__S, dimensions> &reference,               \
                                              __HELICON_UNPACK parameters, int mode = 2) {                        \
    name##write<__T>(value, __hl_bound_object(reference), __HELICON_UNPACK arguments, mode);                      \
  }
__HELICON_REFERENCE_SURFACE(surf1D, 1, (int x), (x))
__HELICON_REFERENCE_SURFACE(surf2D, 2, (int x, int y), (x, y))
__HELICON_REFERENCE_SURFACE(surf3D, 3, (int x, int y, int z), (x, y, z))
__HELICON_REFERENCE_SURFACE(surf1DLayered, 0xF1, (int x, int layer), (x, layer))
__HELICON_REFERENCE_SURFACE(surf2DLayered, 0xF2, (int x, int y, int layer), (x, y, layer))
#undef __HELICON_REFERENCE_SURFACE
#undef __HELICON_UNPACK

#endif
