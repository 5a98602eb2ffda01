// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What texture fetches in programs call. The common textures (32-bit texels in one level, no border) have a
// short way that is widened with the kernel; all others are sampled lane by lane (sample.cu).
#include "device/lib/texture/filter.h"

namespace {

HL_PURE float texture_log2(float) __asm__("__hl_log2f");

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

/// blend_floats() for four texels of 24 bits with 4 further ones, in arithmetic that is widened well: all its sums are exact.
__device__ float blend_corners(const float *values, const HlCorners &corners) {
  uint32 largest = 0;
  for (int i = 0; i < 4; ++i) {
    const uint32 size = corners.weight[i] != 0 ? bits_of(values[i]) & 0x7fffffffu : 0u;
    largest = size > largest ? size : largest;
  }
  const uint64 top = largest >> 23;
  const double up = double_of((1023 + 27 + 127 - top) << 52), down = double_of((1023 - 27 - 127 - 8 + top) << 52);
  double sum = 0.0;
  float plain = 0.0f;
  for (int i = 0; i < 4; ++i) {
    const double weight = static_cast<double>(corners.weight[i]);
    sum += __builtin_trunc(static_cast<double>(values[i]) * up) * weight;
    plain += values[i] * static_cast<float>(weight * (1.0 / 256.0));
  }
  // A half is pushed beyond the middle, so that it is rounded away from zero.
  const float rounded = static_cast<float>(sum * (1.0 + 0x1p-50) * down);
  const float kept = __builtin_fabsf(rounded) < 0x1p-126f ? 0.0f : rounded;
  return top == 255 ? plain : kept;
}

__device__ uint32 bilinear(const unsigned char *row0, const unsigned char *row1, uint32 x0, uint32 x1, const HlCorners &corners) {
  auto at = [](const unsigned char *from, uint32 offset) { return *reinterpret_cast<const float *>(from + offset); };
  const float values[4] = {at(row0, x0), at(row0, x1), at(row1, x0), at(row1, x1)};
  return bits_of(blend_corners(values, corners));
}

__device__ HlAxis axis_of(const TextureState &t, int number, float x, uint32 size, bool linear) {
  return texture_axis(x, size, t.address[number], (t.flags & kTextureNormalised) != 0, linear);
}

/// `plane` is smaller than 2 GiB.
__device__ HlTexel plain_linear(const TextureState &t, const unsigned char *plane, float x, float y) {
  const HlAxis u = axis_of(t, 0, x, t.width, true), v = axis_of(t, 1, y, t.height, true);
  const uint32 pitch = static_cast<uint32>(t.pitch), bytes = t.texel_bytes;
  const uint32 x0 = static_cast<uint32>(u.low) * bytes, x1 = static_cast<uint32>(u.high) * bytes;
  const unsigned char *row0 = plane + static_cast<uint32>(v.low) * pitch, *row1 = plane + static_cast<uint32>(v.high) * pitch;
  const HlCorners corners = texture_corners(256, u.fraction, v.fraction);
  HlTexel texel = {bilinear(row0, row1, x0, x1, corners), 0, 0, 0};
  if (t.channels > 1) {
    texel.y = bilinear(row0 + 4, row1 + 4, x0, x1, corners);
  }
  if (t.channels > 2) {
    texel.z = bilinear(row0 + 8, row1 + 8, x0, x1, corners);
    texel.w = bilinear(row0 + 12, row1 + 12, x0, x1, corners);
  }
  return texel;
}

__device__ HlTexel plain_2d(const TextureState &t, const unsigned char *plane, float x, float y) {
  if ((t.flags & kTextureLinear) != 0) {
    return plain_linear(t, plane, x, y);
  }
  const HlAxis u = axis_of(t, 0, x, t.width, false), v = axis_of(t, 1, y, t.height, false);
  return plain_texel(t, plane + static_cast<uint32>(v.low) * static_cast<uint32>(t.pitch) +
                            static_cast<uint32>(u.low) * static_cast<uint32>(t.texel_bytes));
}

__device__ bool is_plain(const TextureState &t) { return (t.flags & kTexturePlain) != 0; }

__device__ HlTexel sample(uint64 object, uint32 shape, float x, float y, float z, uint32 layer, float level) {
  return __hl_texture_sample(&texture_of(object), shape, x, y, z, layer, level);
}

/// A change of the coordinates from one pixel to the next, in texels.
struct Step {
  float x, y, z;
};

/// The sampler cuts a level off to 1/256; one that it computes itself is rounded.
__device__ float nearest_level(float level) { return level + 0x1p-9f; }

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
          longer > 0.0f ? nearest_level(texture_log2(longer / ratio)) : -126.0f};
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
  return longer > 0.0f ? nearest_level(texture_log2(0.5f * static_cast<float>(t.width) / longest * longer)) : -126.0f;
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
