// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What texture fetches in programs call. The common textures (32-bit texels in one level, no border) have a
// short way that is widened with the kernel; all others are sampled lane by lane (sample.cu).
#include "device/lib/texture/texel.h"

namespace {

HL_PURE float texture_log2(float) __asm__("__hl_log2f");

/// A coordinate in texels, in [0, size]: periods are taken off first. Not-a-number is 0.
__device__ float inside(float x, float scale, uint32 size, uint32 mode) {
  if (mode == kAddressWrap) {
    x -= __builtin_floorf(x);
  } else if (mode == kAddressMirror) {
    const float whole = __builtin_floorf(x), half = 0.5f * whole;
    x -= whole;
    x = half != __builtin_floorf(half) ? 1.0f - x : x;
  }
  x *= scale;
  x = x > 0.0f ? x : 0.0f;
  const float most = static_cast<float>(size);
  return x < most ? x : most;
}

__device__ HlTexel plain_texel(const TextureState &t, const unsigned char *from) {
  auto *channel = reinterpret_cast<const uint32 *>(from);
  HlTexel texel = {channel[0], 0, 0, 0};
  if (t.channels > 1) {
    texel.y = channel[1];
  }
  if (t.channels > 2) {
    texel.z = channel[2];
    texel.w = channel[3];
  }
  return texel;
}

/// Both neighbours are in the texture.
struct Pair {
  uint32 low, high;
  float weight;
};

__device__ Pair pair_of(float x, uint32 size, uint32 mode) {
  const int fixed = static_cast<int>(__builtin_rintf((x - 0.5f) * 256.0f));
  const int low = fixed >> 8, last = static_cast<int>(size) - 1;
  const int before = mode == kAddressWrap ? last : 0, after = mode == kAddressWrap ? 0 : last;
  return {static_cast<uint32>(low < 0 ? before : low), static_cast<uint32>(low < last ? low + 1 : after),
          static_cast<float>(fixed & 255) / 256.0f};
}

__device__ uint32 nearest(float x, uint32 size, uint32 mode) {
  const uint32 i = static_cast<uint32>(static_cast<int>(x));
  return i < size ? i : mode == kAddressWrap ? 0 : size - 1;
}

__device__ float mix(float a, float b, float weight) { return a + weight * (b - a); }

__device__ uint32 bilinear(const unsigned char *row0, const unsigned char *row1, uint32 x0, uint32 x1, float wx,
                           float wy) {
  auto at = [](const unsigned char *from, uint32 offset) { return *reinterpret_cast<const float *>(from + offset); };
  return bits_of(mix(mix(at(row0, x0), at(row0, x1), wx), mix(at(row1, x0), at(row1, x1), wx), wy));
}

/// `plane` is smaller than 2 GiB.
__device__ HlTexel plain_linear(const TextureState &t, const unsigned char *plane, float x, float y) {
  const Pair u = pair_of(x, t.width, t.address[0]), v = pair_of(y, t.height, t.address[1]);
  const uint32 pitch = static_cast<uint32>(t.pitch), x0 = u.low * t.texel_bytes, x1 = u.high * t.texel_bytes;
  const unsigned char *row0 = plane + v.low * pitch, *row1 = plane + v.high * pitch;
  HlTexel texel = {bilinear(row0, row1, x0, x1, u.weight, v.weight), 0, 0, 0};
  if (t.channels > 1) {
    texel.y = bilinear(row0 + 4, row1 + 4, x0, x1, u.weight, v.weight);
  }
  if (t.channels > 2) {
    texel.z = bilinear(row0 + 8, row1 + 8, x0, x1, u.weight, v.weight);
    texel.w = bilinear(row0 + 12, row1 + 12, x0, x1, u.weight, v.weight);
  }
  return texel;
}

__device__ HlTexel plain_2d(const TextureState &t, const unsigned char *plane, float x, float y) {
  x = inside(x, t.scale_x, t.width, t.address[0]);
  y = inside(y, t.scale_y, t.height, t.address[1]);
  if ((t.flags & kTextureLinear) != 0) {
    return plain_linear(t, plane, x, y);
  }
  const uint32 offset =
      nearest(y, t.height, t.address[1]) * static_cast<uint32>(t.pitch) +
                        nearest(x, t.width, t.address[0]) * static_cast<uint32>(t.texel_bytes);
  return plain_texel(t, plane + offset);
}

__device__ bool is_plain(const TextureState &t) { return (t.flags & kTexturePlain) != 0; }

__device__ HlTexel sample(uint64 object, uint32 shape, float x, float y, float z, uint32 layer, float level) {
  return __hl_texture_sample(&texture_of(object), shape, x, y, z, layer, level);
}

/// A change of the coordinates from one pixel to the next, in texels.
struct Step {
  float x, y, z;
};

__device__ float length(const Step &s) { return __builtin_sqrtf(s.x * s.x + s.y * s.y + s.z * s.z); }

/// The steps along both directions of the screen, and what follows: how many probes the longer one needs, and at which
/// level of detail each is made.
struct Footprint {
  Step longer;  ///< in coordinates
  uint32 probes;
  float level;
};

__device__ Footprint footprint_of(const TextureState &t, const Step &dx, const Step &dy, bool solid) {
  const float w = static_cast<float>(t.width), h = static_cast<float>(t.height);
  const float d = solid ? static_cast<float>(t.depth) : 0.0f;
  const float lx = length({dx.x * w, dx.y * h, dx.z * d}), ly = length({dy.x * w, dy.y * h, dy.z * d});
  const float longer = lx > ly ? lx : ly, shorter = lx > ly ? ly : lx;
  const float most = static_cast<float>(t.max_anisotropy);
  float ratio = 1.0f;
  if (most > 1.0f && longer > shorter) {
    ratio = shorter * most > longer ? longer / shorter : most;
  }
  return {lx > ly ? dx : dy, static_cast<uint32>(__builtin_ceilf(ratio)),
          longer > 0.0f ? texture_log2(longer / ratio) : -126.0f};
}

/// Samples along the longer step and takes the mean.
__device__ HlTexel sample_footprint(const TextureState &t, const Footprint &f, uint32 shape, float x, float y, float z,
                                    uint32 layer) {
  if (f.probes <= 1 || !gives_floats(t)) {
    return __hl_texture_sample(&t, shape, x, y, z, layer, f.level);
  }
  float sum[4] = {};
  const float count = static_cast<float>(f.probes);
  for (uint32 i = 0; i < f.probes; ++i) {
    const float at = (static_cast<float>(i) + 0.5f) / count - 0.5f;
    const HlTexel one = __hl_texture_sample(&t, shape, x + at * f.longer.x, y + at * f.longer.y,
                                            z + at * f.longer.z, layer, f.level);
    sum[0] += float_of(one.x);
    sum[1] += float_of(one.y);
    sum[2] += float_of(one.z);
    sum[3] += float_of(one.w);
  }
  return {bits_of(sum[0] / count), bits_of(sum[1] / count), bits_of(sum[2] / count), bits_of(sum[3] / count)};
}

/// A face covers two units of the direction's longest component.
__device__ float cube_level(const TextureState &t, const Step &at, const Step &dx, const Step &dy) {
  const float ax = __builtin_fabsf(at.x), ay = __builtin_fabsf(at.y), az = __builtin_fabsf(at.z);
  const float longest = ax >= ay && ax >= az ? ax : ay >= az ? ay : az;
  const float lx = length(dx), ly = length(dy), longer = lx > ly ? lx : ly;
  return longer > 0.0f ? texture_log2(0.5f * static_cast<float>(t.width) / longest * longer) : -126.0f;
}

}  // namespace

HL_API HlTexel __hl_tex_1dfetch(uint64 object, int x) {
  const TextureState &t = texture_of(object);
  if (static_cast<uint32>(x) >= t.width) {
    return {0, 0, 0, 0};
  }
  const unsigned char *from = t.texels + static_cast<uint64>(static_cast<uint32>(x)) * t.texel_bytes;
  return t.texel_bytes == 4 * t.channels ? plain_texel(t, from) : __hl_texture_convert(&t, from);
}

HL_API HlTexel __hl_tex_1d(uint64 object, float x) {
  const TextureState &t = texture_of(object);
  return is_plain(t) ? plain_2d(t, t.texels, x, 0.0f) : sample(object, kShape1D, x, 0, 0, 0, 0);
}
HL_API HlTexel __hl_tex_2d(uint64 object, float x, float y) {
  const TextureState &t = texture_of(object);
  return is_plain(t) ? plain_2d(t, t.texels, x, y) : sample(object, kShape2D, x, y, 0, 0, 0);
}
HL_API HlTexel __hl_tex_3d(uint64 object, float x, float y, float z) {
  return sample(object, kShape3D, x, y, z, 0, 0);
}
HL_API HlTexel __hl_tex_1d_layered(uint64 object, float x, uint32 layer) {
  return sample(object, kShape1DLayered, x, 0, 0, layer, 0);
}
HL_API HlTexel __hl_tex_2d_layered(uint64 object, float x, float y, uint32 layer) {
  const TextureState &t = texture_of(object);
  if (!is_plain(t)) {
    return sample(object, kShape2DLayered, x, y, 0, layer, 0);
  }
  const uint32 at = t.first_layer + (layer < t.depth ? layer : t.depth - 1);
  return plain_2d(t, t.texels + at * t.slice, x, y);
}
HL_API HlTexel __hl_tex_cube(uint64 object, float x, float y, float z) {
  return sample(object, kShapeCube, x, y, z, 0, 0);
}
HL_API HlTexel __hl_tex_cube_layered(uint64 object, float x, float y, float z, uint32 layer) {
  return sample(object, kShapeCubeLayered, x, y, z, layer, 0);
}

// At a level of detail.

HL_API HlTexel __hl_tex_1d_lod(uint64 object, float x, float level) {
  return sample(object, kShape1D, x, 0, 0, 0, level);
}
HL_API HlTexel __hl_tex_2d_lod(uint64 object, float x, float y, float level) {
  return sample(object, kShape2D, x, y, 0, 0, level);
}
HL_API HlTexel __hl_tex_3d_lod(uint64 object, float x, float y, float z, float level) {
  return sample(object, kShape3D, x, y, z, 0, level);
}
HL_API HlTexel __hl_tex_1d_layered_lod(uint64 object, float x, uint32 layer, float level) {
  return sample(object, kShape1DLayered, x, 0, 0, layer, level);
}
HL_API HlTexel __hl_tex_2d_layered_lod(uint64 object, float x, float y, uint32 layer, float level) {
  return sample(object, kShape2DLayered, x, y, 0, layer, level);
}
HL_API HlTexel __hl_tex_cube_lod(uint64 object, float x, float y, float z, float level) {
  return sample(object, kShapeCube, x, y, z, 0, level);
}
HL_API HlTexel __hl_tex_cube_layered_lod(uint64 object, float x, float y, float z, uint32 layer, float level) {
  return sample(object, kShapeCubeLayered, x, y, z, layer, level);
}

// At the level of detail that the steps to the next pixels ask for.

HL_OUT_OF_LINE HlTexel __hl_tex_1d_grad(uint64 object, float x, float dx, float dy) {
  const TextureState &t = texture_of(object);
  return sample_footprint(t, footprint_of(t, {dx, 0, 0}, {dy, 0, 0}, false), kShape1D, x, 0, 0, 0);
}
HL_OUT_OF_LINE HlTexel __hl_tex_2d_grad(uint64 object, float x, float y, float dxx, float dxy, float dyx, float dyy) {
  const TextureState &t = texture_of(object);
  return sample_footprint(t, footprint_of(t, {dxx, dxy, 0}, {dyx, dyy, 0}, false), kShape2D, x, y, 0, 0);
}
HL_OUT_OF_LINE HlTexel __hl_tex_3d_grad(uint64 object, float x, float y, float z, float dxx, float dxy, float dxz,
                                        float dyx, float dyy, float dyz) {
  const TextureState &t = texture_of(object);
  return sample_footprint(t, footprint_of(t, {dxx, dxy, dxz}, {dyx, dyy, dyz}, true), kShape3D, x, y, z, 0);
}
HL_OUT_OF_LINE HlTexel __hl_tex_1d_layered_grad(uint64 object, float x, uint32 layer, float dx, float dy) {
  const TextureState &t = texture_of(object);
  return sample_footprint(t, footprint_of(t, {dx, 0, 0}, {dy, 0, 0}, false), kShape1DLayered, x, 0, 0, layer);
}
HL_OUT_OF_LINE HlTexel __hl_tex_2d_layered_grad(uint64 object, float x, float y, uint32 layer, float dxx, float dxy,
                                                float dyx, float dyy) {
  const TextureState &t = texture_of(object);
  return sample_footprint(t, footprint_of(t, {dxx, dxy, 0}, {dyx, dyy, 0}, false), kShape2DLayered, x, y, 0, layer);
}
HL_OUT_OF_LINE HlTexel __hl_tex_cube_grad(uint64 object, float x, float y, float z, float dxx, float dxy, float dxz,
                                          float dyx, float dyy, float dyz) {
  const float level = cube_level(texture_of(object), {x, y, z}, {dxx, dxy, dxz}, {dyx, dyy, dyz});
  return sample(object, kShapeCube, x, y, z, 0, level);
}
HL_OUT_OF_LINE HlTexel __hl_tex_cube_layered_grad(uint64 object, float x, float y, float z, uint32 layer, float dxx,
                                                  float dxy, float dxz, float dyx, float dyy, float dyz) {
  const float level = cube_level(texture_of(object), {x, y, z}, {dxx, dxy, dxz}, {dyx, dyy, dyz});
  return sample(object, kShapeCubeLayered, x, y, z, layer, level);
}
