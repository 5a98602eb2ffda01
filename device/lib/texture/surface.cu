// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Surface loads and stores (PTX's `suld.b` and `sust.b`): bytes of an array, without conversion. x counts bytes.
#include "device/lib/texture/texel.h"

namespace {

/// As cudaSurfaceBoundaryMode has them.
enum BoundaryMode : uint32 { kBoundaryZero = 0, kBoundaryClamp = 1, kBoundaryTrap = 2 };

__device__ int clamped(int i, int size) { return i < 0 ? 0 : i < size ? i : size - 1; }

/// Where `bytes` at (x, y, z) are; null: outside, to be read as zeros and not to be written.
__device__ unsigned char *place_of(const TextureState &s, int x, int y, int z, uint32 bytes, uint32 mode) {
  const int row = static_cast<int>(s.width * s.texel_bytes), size = static_cast<int>(bytes);
  const bool inside = x >= 0 && x <= row - size && static_cast<uint32>(y) < s.height && static_cast<uint32>(z) < s.depth;
  if (!inside) {
    if (mode == kBoundaryTrap) {
      __hl_fault("a surface was accessed outside its extent (cudaBoundaryModeTrap)");
    }
    if (mode == kBoundaryZero) {
      return nullptr;
    }
    x = clamped(x / size, row / size) * size;
    y = clamped(y, static_cast<int>(s.height));
    z = clamped(z, static_cast<int>(s.depth));
  }
  return s.texels + (s.first_layer + static_cast<uint64>(static_cast<uint32>(z))) * s.slice +
         static_cast<uint64>(static_cast<uint32>(y)) * s.pitch + static_cast<uint32>(x);
}

__device__ HlTexel load(const unsigned char *from, uint32 bytes) {
  switch (bytes) {
  case 1: return {*from, 0, 0, 0};
  case 2: return {*reinterpret_cast<const unsigned short *>(from), 0, 0, 0};
  default: break;
  }
  auto *words = reinterpret_cast<const uint32 *>(from);
  HlTexel texel = {words[0], 0, 0, 0};
  if (bytes > 4) {
    texel.y = words[1];
  }
  if (bytes > 8) {
    texel.z = words[2];
    texel.w = words[3];
  }
  return texel;
}

__device__ void store(unsigned char *to, uint32 bytes, const HlTexel &texel) {
  switch (bytes) {
  case 1: *to = static_cast<unsigned char>(texel.x); return;
  case 2: *reinterpret_cast<unsigned short *>(to) = static_cast<unsigned short>(texel.x); return;
  default: break;
  }
  auto *words = reinterpret_cast<uint32 *>(to);
  words[0] = texel.x;
  if (bytes > 4) {
    words[1] = texel.y;
  }
  if (bytes > 8) {
    words[2] = texel.z;
    words[3] = texel.w;
  }
}

__device__ HlTexel read(uint64 object, int x, int y, int z, uint32 bytes, uint32 mode) {
  const unsigned char *from = place_of(texture_of(object), x, y, z, bytes, mode);
  return from == nullptr ? HlTexel{0, 0, 0, 0} : load(from, bytes);
}

__device__ void write(uint64 object, int x, int y, int z, uint32 bytes, uint32 mode, const HlTexel &texel) {
  if (unsigned char *to = place_of(texture_of(object), x, y, z, bytes, mode)) {
    store(to, bytes, texel);
  }
}

}  // namespace

HL_API HlTexel __hl_surf_read_1d(uint64 object, int x, uint32 bytes, uint32 mode) {
  return read(object, x, 0, 0, bytes, mode);
}
HL_API HlTexel __hl_surf_read_2d(uint64 object, int x, int y, uint32 bytes, uint32 mode) {
  return read(object, x, y, 0, bytes, mode);
}
HL_API HlTexel __hl_surf_read_3d(uint64 object, int x, int y, int z, uint32 bytes, uint32 mode) {
  return read(object, x, y, z, bytes, mode);
}
HL_API HlTexel __hl_surf_read_1d_layered(uint64 object, int x, int layer, uint32 bytes, uint32 mode) {
  return read(object, x, 0, layer, bytes, mode);
}
HL_API HlTexel __hl_surf_read_2d_layered(uint64 object, int x, int y, int layer, uint32 bytes, uint32 mode) {
  return read(object, x, y, layer, bytes, mode);
}

HL_API void __hl_surf_write_1d(uint64 object, int x, uint32 bytes, uint32 mode, HlTexel texel) {
  write(object, x, 0, 0, bytes, mode, texel);
}
HL_API void __hl_surf_write_2d(uint64 object, int x, int y, uint32 bytes, uint32 mode, HlTexel texel) {
  write(object, x, y, 0, bytes, mode, texel);
}
HL_API void __hl_surf_write_3d(uint64 object, int x, int y, int z, uint32 bytes, uint32 mode, HlTexel texel) {
  write(object, x, y, z, bytes, mode, texel);
}
HL_API void __hl_surf_write_1d_layered(uint64 object, int x, int layer, uint32 bytes, uint32 mode, HlTexel texel) {
  write(object, x, 0, layer, bytes, mode, texel);
}
HL_API void __hl_surf_write_2d_layered(uint64 object, int x, int y, int layer, uint32 bytes, uint32 mode,
                                       HlTexel texel) {
  write(object, x, y, layer, bytes, mode, texel);
}
