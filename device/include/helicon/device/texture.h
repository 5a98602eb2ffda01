// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texture fetches through texture objects: tex2D<float4>(object, x, y), tex2D(&result, object, x, y), with levels of
// detail, gradients, layers, cube maps and gathers. A fetch gives four 32-bit registers, of which the result type takes
// as many as it has components: floats where the texture gives floats, else integers.
#ifndef __HELICON_DEVICE_TEXTURE_H__
#define __HELICON_DEVICE_TEXTURE_H__

struct __hl_texel {
  unsigned int x, y, z, w;
};

// --- result types

template <typename __T> struct __hl_texel_of {
  static constexpr bool __known = false;
};

__device__ __forceinline__ void __hl_from_register(unsigned int bits, float *value) {
  *value = __builtin_bit_cast(float, bits);
}
template <typename __S> __device__ __forceinline__ void __hl_from_register(unsigned int bits, __S *value) {
  *value = static_cast<__S>(bits);
}

#define __HELICON_TEXEL(type, ...)                                                \
  template <> struct __hl_texel_of<type> {                                        \
    static constexpr bool __known = true;                                         \
    static __device__ __forceinline__ type __from(const __hl_texel &t) {          \
      type v;                                                                     \
      __VA_ARGS__                                                                 \
      return v;                                                                   \
    }                                                                             \
  };
#define __HELICON_TEXELS(scalar, vector)                                                                               \
  __HELICON_TEXEL(scalar, __hl_from_register(t.x, &v);)                                                                \
  __HELICON_TEXEL(vector##1, __hl_from_register(t.x, &v.x);)                                                           \
  __HELICON_TEXEL(vector##2, __hl_from_register(t.x, &v.x); __hl_from_register(t.y, &v.y);)                            \
  __HELICON_TEXEL(vector##4, __hl_from_register(t.x, &v.x); __hl_from_register(t.y, &v.y);                             \
                  __hl_from_register(t.z, &v.z); __hl_from_register(t.w, &v.w);)
__HELICON_TEXEL(char, __hl_from_register(t.x, &v);)
__HELICON_TEXELS(signed char, char)
__HELICON_TEXELS(unsigned char, uchar)
__HELICON_TEXELS(short, short)
__HELICON_TEXELS(unsigned short, ushort)
__HELICON_TEXELS(int, int)
__HELICON_TEXELS(unsigned int, uint)
__HELICON_TEXELS(float, float)
#undef __HELICON_TEXELS
#undef __HELICON_TEXEL

template <typename __T> __device__ __forceinline__ __T __hl_texel_as(const __hl_texel &t) {
  static_assert(__hl_texel_of<__T>::__known,
                "a texture gives 8, 16 or 32 bit integers or floats, or built-in vectors of 1, 2 or 4 of them");
  return __hl_texel_of<__T>::__from(t);
}

// --- fetches. Each line declares the library's function and defines the forms that programs call: with the result as
// the return value, through a pointer, and with the question whether the texel is resident (there are no sparse arrays).

#define __HELICON_UNPACK(...) __VA_ARGS__
#define __HELICON_FETCH(name, symbol, private_parameters, parameters, arguments)                                       \
  extern "C" __device__ __attribute__((pure, nothrow, noconvergent)) __hl_texel symbol(                                \
      unsigned long long object, __HELICON_UNPACK private_parameters);                                                 \
  template <typename __T>                                                                                              \
  __device__ __forceinline__ __T name(unsigned long long object, __HELICON_UNPACK parameters) {                        \
    return __hl_texel_as<__T>(symbol(object, __HELICON_UNPACK arguments));                                             \
  }                                                                                                                    \
  template <typename __T>                                                                                              \
  __device__ __forceinline__ void name(__T *result, unsigned long long object, __HELICON_UNPACK parameters) {          \
    *result = __hl_texel_as<__T>(symbol(object, __HELICON_UNPACK arguments));                                          \
  }
#define __HELICON_SPARSE(name, symbol, parameters, arguments)                                                          \
  template <typename __T>                                                                                              \
  __device__ __forceinline__ __T name(unsigned long long object, __HELICON_UNPACK parameters, bool *isResident) {      \
    *isResident = true;                                                                                                \
    return __hl_texel_as<__T>(symbol(object, __HELICON_UNPACK arguments));                                             \
  }
#define __HELICON_BOTH(name, symbol, private_parameters, parameters, arguments)                                        \
  __HELICON_FETCH(name, symbol, private_parameters, parameters, arguments)                                             \
  __HELICON_SPARSE(name, symbol, parameters, arguments)

__HELICON_FETCH(tex1Dfetch, __hl_tex_1dfetch, (int), (int x), (x))
__HELICON_FETCH(tex1D, __hl_tex_1d, (float), (float x), (x))
__HELICON_BOTH(tex2D, __hl_tex_2d, (float, float), (float x, float y), (x, y))
__HELICON_BOTH(tex3D, __hl_tex_3d, (float, float, float), (float x, float y, float z), (x, y, z))
__HELICON_FETCH(tex1DLayered, __hl_tex_1d_layered, (float, unsigned int), (float x, int layer), (x, layer))
__HELICON_BOTH(tex2DLayered, __hl_tex_2d_layered, (float, float, unsigned int), (float x, float y, int layer),
               (x, y, layer))
__HELICON_FETCH(texCubemap, __hl_tex_cube, (float, float, float), (float x, float y, float z), (x, y, z))
__HELICON_FETCH(texCubemapLayered, __hl_tex_cube_layered, (float, float, float, unsigned int),
                (float x, float y, float z, int layer), (x, y, z, layer))

__HELICON_FETCH(tex1DLod, __hl_tex_1d_lod, (float, float), (float x, float level), (x, level))
__HELICON_BOTH(tex2DLod, __hl_tex_2d_lod, (float, float, float), (float x, float y, float level), (x, y, level))
__HELICON_BOTH(tex3DLod, __hl_tex_3d_lod, (float, float, float, float), (float x, float y, float z, float level),
               (x, y, z, level))
__HELICON_FETCH(tex1DLayeredLod, __hl_tex_1d_layered_lod, (float, unsigned int, float),
                (float x, int layer, float level), (x, layer, level))
__HELICON_BOTH(tex2DLayeredLod, __hl_tex_2d_layered_lod, (float, float, unsigned int, float),
               (float x, float y, int layer, float level), (x, y, layer, level))
__HELICON_FETCH(texCubemapLod, __hl_tex_cube_lod, (float, float, float, float),
                (float x, float y, float z, float level), (x, y, z, level))
__HELICON_FETCH(texCubemapLayeredLod, __hl_tex_cube_layered_lod, (float, float, float, unsigned int, float),
                (float x, float y, float z, int layer, float level), (x, y, z, layer, level))

__HELICON_FETCH(tex1DGrad, __hl_tex_1d_grad, (float, float, float), (float x, float dPdx, float dPdy), (x, dPdx, dPdy))
__HELICON_BOTH(tex2DGrad, __hl_tex_2d_grad, (float, float, float, float, float, float),
               (float x, float y, float2 dPdx, float2 dPdy), (x, y, dPdx.x, dPdx.y, dPdy.x, dPdy.y))
__HELICON_BOTH(tex3DGrad, __hl_tex_3d_grad, (float, float, float, float, float, float, float, float, float),
               (float x, float y, float z, float4 dPdx, float4 dPdy),
               (x, y, z, dPdx.x, dPdx.y, dPdx.z, dPdy.x, dPdy.y, dPdy.z))
__HELICON_FETCH(tex1DLayeredGrad, __hl_tex_1d_layered_grad, (float, unsigned int, float, float),
                (float x, int layer, float dPdx, float dPdy), (x, layer, dPdx, dPdy))
__HELICON_BOTH(tex2DLayeredGrad, __hl_tex_2d_layered_grad,
               (float, float, unsigned int, float, float, float, float),
               (float x, float y, int layer, float2 dPdx, float2 dPdy),
               (x, y, layer, dPdx.x, dPdx.y, dPdy.x, dPdy.y))
__HELICON_FETCH(texCubemapGrad, __hl_tex_cube_grad, (float, float, float, float, float, float, float, float, float),
                (float x, float y, float z, float4 dPdx, float4 dPdy),
                (x, y, z, dPdx.x, dPdx.y, dPdx.z, dPdy.x, dPdy.y, dPdy.z))
__HELICON_FETCH(texCubemapLayeredGrad, __hl_tex_cube_layered_grad,
                (float, float, float, unsigned int, float, float, float, float, float, float),
                (float x, float y, float z, int layer, float4 dPdx, float4 dPdy),
                (x, y, z, layer, dPdx.x, dPdx.y, dPdx.z, dPdy.x, dPdy.y, dPdy.z))

#undef __HELICON_BOTH
#undef __HELICON_SPARSE
#undef __HELICON_FETCH
#undef __HELICON_UNPACK

// Component `comp` of the four texels that a linear filter would read.
extern "C" __device__ __attribute__((pure, nothrow, noconvergent)) __hl_texel
__hl_texture_gather(const void *object, float x, float y, unsigned int component);
template <typename __T>
__device__ __forceinline__ __T tex2Dgather(unsigned long long object, float x, float y, int comp = 0) {
  return __hl_texel_as<__T>(__hl_texture_gather((const void *)object, x, y, comp));
}
template <typename __T>
__device__ __forceinline__ void tex2Dgather(__T *result, unsigned long long object, float x, float y, int comp = 0) {
  *result = tex2Dgather<__T>(object, x, y, comp);
}
template <typename __T>
__device__ __forceinline__ __T tex2Dgather(unsigned long long object, float x, float y, bool *isResident,
                                           int comp = 0) {
  *isResident = true;
  return tex2Dgather<__T>(object, x, y, comp);
}

#endif
