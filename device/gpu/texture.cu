// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Textures and surfaces on a GPU: the instructions of PTX. A fetch gives 32-bit registers whatever the texture holds.
#include "device/lib/texture/texel.h"

#define GPU_TEXTURE extern "C" HL_DEVICE
#define RESULT "=r"(t.x), "=r"(t.y), "=r"(t.z), "=r"(t.w)
#define FETCH(name, parameters, instruction, coordinates, ...)                                             \
  GPU_TEXTURE HlTexel name parameters {                                                                    \
    HlTexel t;                                                                                             \
    asm(instruction " {%0, %1, %2, %3}, [%4, " coordinates ";" : RESULT : "l"(object), __VA_ARGS__);       \
    return t;                                                                                              \
  }

FETCH(__hl_tex_1dfetch, (uint64 object, int x), "tex.1d.v4.u32.s32", "{%5}]", "r"(x))
FETCH(__hl_tex_1d, (uint64 object, float x), "tex.1d.v4.u32.f32", "{%5}]", "f"(x))
FETCH(__hl_tex_2d, (uint64 object, float x, float y), "tex.2d.v4.u32.f32", "{%5, %6}]", "f"(x), "f"(y))
FETCH(__hl_tex_3d, (uint64 object, float x, float y, float z), "tex.3d.v4.u32.f32", "{%5, %6, %7, %7}]", "f"(x), "f"(y),
      "f"(z))
FETCH(__hl_tex_1d_layered, (uint64 object, float x, uint32 layer), "tex.a1d.v4.u32.f32", "{%5, %6}]", "r"(layer),
      "f"(x))
FETCH(__hl_tex_2d_layered, (uint64 object, float x, float y, uint32 layer), "tex.a2d.v4.u32.f32", "{%5, %6, %7, %7}]",
      "r"(layer), "f"(x), "f"(y))
FETCH(__hl_tex_cube, (uint64 object, float x, float y, float z), "tex.cube.v4.u32.f32", "{%5, %6, %7, %7}]", "f"(x),
      "f"(y), "f"(z))
FETCH(__hl_tex_cube_layered, (uint64 object, float x, float y, float z, uint32 layer), "tex.acube.v4.u32.f32",
      "{%5, %6, %7, %8}]", "r"(layer), "f"(x), "f"(y), "f"(z))

FETCH(__hl_tex_1d_lod, (uint64 object, float x, float level), "tex.level.1d.v4.u32.f32", "{%5}], %6", "f"(x),
      "f"(level))
FETCH(__hl_tex_2d_lod, (uint64 object, float x, float y, float level), "tex.level.2d.v4.u32.f32", "{%5, %6}], %7",
      "f"(x), "f"(y), "f"(level))
FETCH(__hl_tex_3d_lod, (uint64 object, float x, float y, float z, float level), "tex.level.3d.v4.u32.f32",
      "{%5, %6, %7, %7}], %8", "f"(x), "f"(y), "f"(z), "f"(level))
FETCH(__hl_tex_1d_layered_lod, (uint64 object, float x, uint32 layer, float level), "tex.level.a1d.v4.u32.f32",
      "{%5, %6}], %7", "r"(layer), "f"(x), "f"(level))
FETCH(__hl_tex_2d_layered_lod, (uint64 object, float x, float y, uint32 layer, float level), "tex.level.a2d.v4.u32.f32",
      "{%5, %6, %7, %7}], %8", "r"(layer), "f"(x), "f"(y), "f"(level))
FETCH(__hl_tex_cube_lod, (uint64 object, float x, float y, float z, float level), "tex.level.cube.v4.u32.f32",
      "{%5, %6, %7, %7}], %8", "f"(x), "f"(y), "f"(z), "f"(level))
FETCH(__hl_tex_cube_layered_lod, (uint64 object, float x, float y, float z, uint32 layer, float level),
      "tex.level.acube.v4.u32.f32", "{%5, %6, %7, %8}], %9", "r"(layer), "f"(x), "f"(y), "f"(z), "f"(level))

FETCH(__hl_tex_1d_grad, (uint64 object, float x, float dx, float dy), "tex.grad.1d.v4.u32.f32", "{%5}], {%6}, {%7}",
      "f"(x), "f"(dx), "f"(dy))
FETCH(__hl_tex_2d_grad, (uint64 object, float x, float y, float dxx, float dxy, float dyx, float dyy),
      "tex.grad.2d.v4.u32.f32", "{%5, %6}], {%7, %8}, {%9, %10}", "f"(x), "f"(y), "f"(dxx), "f"(dxy), "f"(dyx),
      "f"(dyy))
FETCH(__hl_tex_3d_grad,
      (uint64 object, float x, float y, float z, float dxx, float dxy, float dxz, float dyx, float dyy, float dyz),
      "tex.grad.3d.v4.u32.f32", "{%5, %6, %7, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13}", "f"(x), "f"(y), "f"(z),
      "f"(dxx), "f"(dxy), "f"(dxz), "f"(dyx), "f"(dyy), "f"(dyz))
FETCH(__hl_tex_1d_layered_grad, (uint64 object, float x, uint32 layer, float dx, float dy), "tex.grad.a1d.v4.u32.f32",
      "{%5, %6}], {%7}, {%8}", "r"(layer), "f"(x), "f"(dx), "f"(dy))
FETCH(__hl_tex_2d_layered_grad,
      (uint64 object, float x, float y, uint32 layer, float dxx, float dxy, float dyx, float dyy),
      "tex.grad.a2d.v4.u32.f32", "{%5, %6, %7, %7}], {%8, %9}, {%10, %11}", "r"(layer), "f"(x), "f"(y), "f"(dxx),
      "f"(dxy), "f"(dyx), "f"(dyy))
FETCH(__hl_tex_cube_grad,
      (uint64 object, float x, float y, float z, float dxx, float dxy, float dxz, float dyx, float dyy, float dyz),
      "tex.grad.cube.v4.u32.f32", "{%5, %6, %7, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13}", "f"(x), "f"(y),
      "f"(z), "f"(dxx), "f"(dxy), "f"(dxz), "f"(dyx), "f"(dyy), "f"(dyz))
FETCH(__hl_tex_cube_layered_grad,
      (uint64 object, float x, float y, float z, uint32 layer, float dxx, float dxy, float dxz, float dyx, float dyy,
       float dyz),
      "tex.grad.acube.v4.u32.f32", "{%5, %6, %7, %8}], {%9, %10, %11, %11}, {%12, %13, %14, %14}", "r"(layer), "f"(x),
      "f"(y), "f"(z), "f"(dxx), "f"(dxy), "f"(dxz), "f"(dyx), "f"(dyy), "f"(dyz))

#define GATHER(component) \
  asm("tld4." component ".2d.v4.u32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];" : RESULT : "l"(object), "f"(x), "f"(y))
GPU_TEXTURE HlTexel __hl_texture_gather(const TextureState *object, float x, float y, uint32 component) {
  HlTexel t;
  switch (component) {
  case 0: GATHER("r"); break;
  case 1: GATHER("g"); break;
  case 2: GATHER("b"); break;
  default: GATHER("a"); break;
  }
  return t;
}

// Surfaces: one instruction for each size and boundary mode, both of which are constants where a program calls.

#define LOAD(shape, mode, coordinates, ...)                                                                          \
  if (bytes == 1) {                                                                                                  \
    asm volatile("suld.b." shape ".b8." mode " %0, [%1, " coordinates "];" : "=h"(narrow) : "l"(object), __VA_ARGS__); \
  } else if (bytes == 2) {                                                                                           \
    asm volatile("suld.b." shape ".b16." mode " %0, [%1, " coordinates "];"                                          \
                 : "=h"(narrow) : "l"(object), __VA_ARGS__);                                                         \
  } else if (bytes == 4) {                                                                                           \
    asm volatile("suld.b." shape ".b32." mode " %0, [%1, " coordinates "];" : "=r"(t.x) : "l"(object), __VA_ARGS__); \
  } else if (bytes == 8) {                                                                                           \
    asm volatile("suld.b." shape ".b64." mode " %0, [%1, " coordinates "];" : "=l"(wide) : "l"(object), __VA_ARGS__); \
  } else {                                                                                                           \
    asm volatile("suld.b." shape ".v2.b64." mode " {%0, %1}, [%2, " coordinates "];"                                 \
                 : "=l"(wide), "=l"(wider) : "l"(object), __VA_ARGS__);                                              \
  }
#define STORE(shape, mode, coordinates, ...)                                                                         \
  if (bytes == 1) {                                                                                                  \
    asm volatile("sust.b." shape ".b8." mode " [%0, " coordinates "], %1;" ::"l"(object), "h"(narrow), __VA_ARGS__); \
  } else if (bytes == 2) {                                                                                           \
    asm volatile("sust.b." shape ".b16." mode " [%0, " coordinates "], %1;" ::"l"(object), "h"(narrow), __VA_ARGS__); \
  } else if (bytes == 4) {                                                                                           \
    asm volatile("sust.b." shape ".b32." mode " [%0, " coordinates "], %1;" ::"l"(object), "r"(t.x), __VA_ARGS__);   \
  } else if (bytes == 8) {                                                                                           \
    asm volatile("sust.b." shape ".b64." mode " [%0, " coordinates "], %1;" ::"l"(object), "l"(wide), __VA_ARGS__);  \
  } else {                                                                                                           \
    asm volatile("sust.b." shape ".v2.b64." mode " [%0, " coordinates "], {%1, %2};" ::"l"(object), "l"(wide),       \
                 "l"(wider), __VA_ARGS__);                                                                           \
  }
/// Modes: 0 zero, 1 clamp, 2 trap. Coordinates are named operands.
#define IN_MODE(access, shape, coordinates, ...)    \
  if (mode == 0) {                                  \
    access(shape, "zero", coordinates, __VA_ARGS__) \
  } else if (mode == 1) {                           \
    access(shape, "clamp", coordinates, __VA_ARGS__) \
  } else {                                          \
    access(shape, "trap", coordinates, __VA_ARGS__) \
  }
#define SURFACE(name, shape, parameters, coordinates, ...)                                              \
  GPU_TEXTURE HlTexel __hl_surf_read_##name(uint64 object, UNPACK parameters, uint32 bytes, uint32 mode) { \
    HlTexel t = {0, 0, 0, 0};                                                                           \
    unsigned short narrow = 0;                                                                          \
    uint64 wide = 0, wider = 0;                                                                         \
    IN_MODE(LOAD, shape, coordinates, __VA_ARGS__)                                                      \
    if (bytes <= 2) {                                                                                   \
      t.x = bytes == 1 ? narrow & 0xffu : narrow;                                                       \
    } else if (bytes >= 8) {                                                                            \
      t = {static_cast<uint32>(wide), static_cast<uint32>(wide >> 32), static_cast<uint32>(wider),      \
           static_cast<uint32>(wider >> 32)};                                                           \
    }                                                                                                   \
    return t;                                                                                           \
  }                                                                                                     \
  GPU_TEXTURE void __hl_surf_write_##name(uint64 object, UNPACK parameters, uint32 bytes, uint32 mode,  \
                                          HlTexel t) {                                                  \
    const unsigned short narrow = static_cast<unsigned short>(t.x);                                     \
    const uint64 wide = static_cast<uint64>(t.y) << 32 | t.x, wider = static_cast<uint64>(t.w) << 32 | t.z; \
    IN_MODE(STORE, shape, coordinates, __VA_ARGS__)                                                     \
  }
#define UNPACK(...) __VA_ARGS__

SURFACE(1d, "1d", (int x), "{%[x]}", [x] "r"(x))
SURFACE(2d, "2d", (int x, int y), "{%[x], %[y]}", [x] "r"(x), [y] "r"(y))
SURFACE(3d, "3d", (int x, int y, int z), "{%[x], %[y], %[z], %[z]}", [x] "r"(x), [y] "r"(y), [z] "r"(z))
SURFACE(1d_layered, "a1d", (int x, int layer), "{%[layer], %[x]}", [x] "r"(x), [layer] "r"(layer))
SURFACE(2d_layered, "a2d", (int x, int y, int layer), "{%[layer], %[x], %[y], %[y]}", [x] "r"(x), [y] "r"(y),
        [layer] "r"(layer))
