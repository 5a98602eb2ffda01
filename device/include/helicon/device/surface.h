// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Surface loads and stores through surface objects: surf2Dread<float>(object, x, y), surf2Dwrite(value, object, x, y).
// x counts bytes. The last argument says what happens outside: 0 zero, 1 clamp, 2 trap (cudaSurfaceBoundaryMode).
#ifndef __HELICON_DEVICE_SURFACE_H__
#define __HELICON_DEVICE_SURFACE_H__

#include "helicon/device/texture.h"

template <typename __T> __device__ __forceinline__ __T __hl_from_bytes(const __hl_texel &t) {
  static_assert(sizeof(__T) == 1 || sizeof(__T) == 2 || sizeof(__T) == 4 || sizeof(__T) == 8 || sizeof(__T) == 16,
                "a surface is accessed by 1, 2, 4, 8 or 16 bytes");
  __T value;
  __builtin_memcpy(&value, &t, sizeof(__T));
  return value;
}
template <typename __T> __device__ __forceinline__ __hl_texel __hl_to_bytes(const __T &value) {
  static_assert(sizeof(__T) == 1 || sizeof(__T) == 2 || sizeof(__T) == 4 || sizeof(__T) == 8 || sizeof(__T) == 16,
                "a surface is accessed by 1, 2, 4, 8 or 16 bytes");
  __hl_texel t = {0, 0, 0, 0};
  __builtin_memcpy(&t, &value, sizeof(__T));
  return t;
}

#define __HELICON_UNPACK(...) __VA_ARGS__
#define __HELICON_DECLARE_SURFACE(shape, types)                                                                        \
  extern "C" __device__ __attribute__((noconvergent)) __hl_texel __hl_surf_read_##shape(                               \
      unsigned long long object, __HELICON_UNPACK types, unsigned int bytes, unsigned int mode);                       \
  extern "C" __device__ __attribute__((noconvergent)) void __hl_surf_write_##shape(                                    \
      unsigned long long object, __HELICON_UNPACK types, unsigned int bytes, unsigned int mode, __hl_texel texel);
#define __HELICON_SURFACE(name, shape, parameters, arguments)                                                          \
  template <typename __T>                                                                                              \
  __device__ __forceinline__ __T name##read(unsigned long long object, __HELICON_UNPACK parameters, int mode = 2) {    \
    return __hl_from_bytes<__T>(__hl_surf_read_##shape(object, __HELICON_UNPACK arguments, sizeof(__T), mode));        \
  }                                                                                                                    \
  template <typename __T>                                                                                              \
  __device__ __forceinline__ void name##read(__T *result, unsigned long long object, __HELICON_UNPACK parameters,      \
                                             int mode = 2) {                                                           \
    *result = __hl_from_bytes<__T>(__hl_surf_read_##shape(object, __HELICON_UNPACK arguments, sizeof(__T), mode));     \
  }                                                                                                                    \
  template <typename __T>                                                                                              \
  __device__ __forceinline__ void name##write(__T value, unsigned long long object, __HELICON_UNPACK parameters,       \
                                              int mode = 2) {                                                          \
    __hl_surf_write_##shape(object, __HELICON_UNPACK arguments, sizeof(__T), mode, __hl_to_bytes(value));              \
  }

__HELICON_DECLARE_SURFACE(1d, (int))
__HELICON_DECLARE_SURFACE(2d, (int, int))
__HELICON_DECLARE_SURFACE(3d, (int, int, int))
__HELICON_DECLARE_SURFACE(1d_layered, (int, int))
__HELICON_DECLARE_SURFACE(2d_layered, (int, int, int))

__HELICON_SURFACE(surf1D, 1d, (int x), (x))
__HELICON_SURFACE(surf2D, 2d, (int x, int y), (x, y))
__HELICON_SURFACE(surf3D, 3d, (int x, int y, int z), (x, y, z))
__HELICON_SURFACE(surf1DLayered, 1d_layered, (int x, int layer), (x, layer))
__HELICON_SURFACE(surf2DLayered, 2d_layered, (int x, int y, int layer), (x, y, layer))
// The faces of a cube map are layers: six for each layer of the cube.
__HELICON_SURFACE(surfCubemap, 2d_layered, (int x, int y, int face), (x, y, face))
__HELICON_SURFACE(surfCubemapLayered, 2d_layered, (int x, int y, int layerFace), (x, y, layerFace))

#undef __HELICON_SURFACE
#undef __HELICON_DECLARE_SURFACE
#undef __HELICON_UNPACK

#endif
