// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texels as textures give them: four 32-bit registers, which hold floats or integers (what PTX's `tex` returns).
#pragma once

#include "abi/srgb.h"
#include "abi/texture.h"
#include "device/lib/lib.h"

using hel::abi::TextureState;
using namespace hel::abi;

/// What the functions of this folder return; the headers have the same struct.
struct HlTexel {
  uint32 x, y, z, w;
};

/// The shapes of PTX's `tex`.
enum HlTextureShape : uint32 {
  kShape1D = 0,
  kShape2D = 1,
  kShape3D = 2,
  kShape1DLayered = 3,
  kShape2DLayered = 4,
  kShapeCube = 5,
  kShapeCubeLayered = 6,
};

extern "C" __device__ __attribute__((noreturn)) void __hl_fault(const char *what);

#define HL_OUT_OF_LINE extern "C" HL_DEVICE __attribute__((noinline))

/// Samples in any mode. `level` is the level of detail before bias and clamping; `layer`: of a layered texture.
HL_OUT_OF_LINE HlTexel __hl_texture_sample(const TextureState *texture, uint32 shape, float x, float y, float z,
                                           uint32 layer, float level);
/// The texel at `from`, converted as the texture says.
HL_OUT_OF_LINE HlTexel __hl_texture_convert(const TextureState *texture, const unsigned char *from);

HL_LOCAL const TextureState &texture_of(uint64 object) { return *reinterpret_cast<const TextureState *>(object); }

HL_LOCAL bool gives_floats(const TextureState &t) {
  return t.channel >= kTexelF16 || (t.flags & kTextureFraction) != 0;
}
