// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sampling in every mode. A coordinate becomes, for each axis, two neighbouring texels and the weight of the second in
// 1/256 (hardware keeps 8 fractional bits); outside the texture the address mode says which texels those are.
#include "device/lib/texture/texel.h"

namespace {

struct Colour {
  float v[4];
};

/// One level of a texture, or the part of it that the layers leave.
struct Level {
  const unsigned char *texels;
  uint64 pitch, slice;
  int width, height, depth;
};

/// Two neighbours on one axis. kOutside: the border.
struct Axis {
  int low, high;
  float weight;  ///< of `high`
};

constexpr int kOutside = -1;

__device__ float half_at(const unsigned char *from, uint32 c) {
  return static_cast<float>(reinterpret_cast<const _Float16 *>(from)[c]);
}

__device__ float fraction(int value, int largest) {
  float f = static_cast<float>(value) / static_cast<float>(largest);
  return f < -1.0f ? -1.0f : f;
}

__device__ int integer_at(const TextureState &t, const unsigned char *from, uint32 c) {
  switch (t.channel) {
  case kTexelU8: return from[c];
  case kTexelS8: return reinterpret_cast<const signed char *>(from)[c];
  case kTexelU16: return reinterpret_cast<const unsigned short *>(from)[c];
  case kTexelS16: return reinterpret_cast<const short *>(from)[c];
  default: return reinterpret_cast<const int *>(from)[c];
  }
}

__device__ float float_at(const TextureState &t, const unsigned char *from, uint32 c) {
  if (t.channel == kTexelF32) {
    return reinterpret_cast<const float *>(from)[c];
  }
  if (t.channel == kTexelF16) {
    return half_at(from, c);
  }
  const int value = integer_at(t, from, c);
  if ((t.flags & kTextureSrgb) != 0 && c < 3) {
    return kSrgbToLinear[value];
  }
  constexpr int kLargest[] = {255, 127, 65535, 32767};
  return fraction(value, kLargest[t.channel & 3]);
}

__device__ Colour colour_at(const TextureState &t, const unsigned char *from) {
  Colour colour = {};
  for (uint32 c = 0; c < t.channels; ++c) {
    colour.v[c] = float_at(t, from, c);
  }
  return colour;
}

__device__ HlTexel integers_at(const TextureState &t, const unsigned char *from) {
  uint32 v[4] = {};
  for (uint32 c = 0; c < t.channels; ++c) {
    v[c] = static_cast<uint32>(integer_at(t, from, c));
  }
  return {v[0], v[1], v[2], v[3]};
}

__device__ HlTexel registers(const Colour &c) {
  return {bits_of(c.v[0]), bits_of(c.v[1]), bits_of(c.v[2]), bits_of(c.v[3])};
}

__device__ Colour border_of(const TextureState &t) {
  return {{t.border[0], t.border[1], t.border[2], t.border[3]}};
}

__device__ Colour mix(const Colour &a, const Colour &b, float weight) {
  Colour mixed;
  for (int c = 0; c < 4; ++c) {
    mixed.v[c] = a.v[c] + weight * (b.v[c] - a.v[c]);
  }
  return mixed;
}

__device__ int at_least_one(uint32 size) { return size == 0 ? 1 : static_cast<int>(size); }

__device__ Level level_of(const TextureState &t, uint32 level) {
  Level l;
  l.texels = t.texels + t.level_offset[level];
  l.width = at_least_one(t.width >> level);
  l.height = at_least_one(t.height >> level);
  const bool layered = (t.flags & kTextureLayered) != 0;
  l.depth = layered ? static_cast<int>(t.depth) : at_least_one(t.depth >> level);
  l.pitch = level == 0 ? t.pitch : static_cast<uint64>(l.width) * t.texel_bytes;
  l.slice = level == 0 ? t.slice : l.pitch * static_cast<uint64>(l.height);
  l.texels += t.first_layer * l.slice;
  return l;
}

/// The texel that stands for number `i`.
__device__ int place(int i, int size, uint32 mode) {
  if (mode == kAddressWrap) {
    i %= size;
    return i < 0 ? i + size : i;
  }
  if (i >= 0 && i < size) {
    return i;
  }
  return mode == kAddressBorder ? kOutside : i < 0 ? 0 : size - 1;
}

/// A coordinate in texels. Periods are taken off before the size is multiplied in, which keeps the precision.
__device__ float in_texels(const TextureState &t, float x, int size, uint32 mode) {
  if ((t.flags & kTextureNormalised) != 0) {
    const float whole = __builtin_floorf(x);
    if (mode == kAddressWrap) {
      x -= whole;
    } else if (mode == kAddressMirror) {
      x -= whole;
      const float half = 0.5f * whole;
      x = half != __builtin_floorf(half) ? 1.0f - x : x;
    }
    x *= static_cast<float>(size);
  }
  // Not-a-number is 0, and what is far outside is just outside.
  x = x == x ? x : 0.0f;
  const float most = static_cast<float>(size) + 2.0f;
  return x < -2.0f ? -2.0f : x > most ? most : x;
}

/// The two texels before their address mode.
__device__ Axis neighbours(float x, bool linear) {
  if (!linear) {
    const int i = static_cast<int>(__builtin_floorf(x));
    return {i, i, 0.0f};
  }
  const int fixed = static_cast<int>(__builtin_rintf((x - 0.5f) * 256.0f));
  const int low = fixed >> 8;
  return {low, low + 1, static_cast<float>(fixed & 255) / 256.0f};
}

__device__ Axis axis_of(const TextureState &t, int number, float coordinate, int size) {
  const uint32 mode = t.address[number];
  Axis axis = neighbours(in_texels(t, coordinate, size, mode), (t.flags & kTextureLinear) != 0);
  axis.low = place(axis.low, size, mode);
  axis.high = place(axis.high, size, mode);
  return axis;
}

__device__ Axis fixed_axis(int at) { return {at, at, 0.0f}; }

// --- cube maps: a direction is a face and two coordinates on it, both in [0, 1)

struct OnFace {
  int face;
  float s, t;
};

__device__ OnFace on_face(float x, float y, float z) {
  const float ax = __builtin_fabsf(x), ay = __builtin_fabsf(y), az = __builtin_fabsf(z);
  int face;
  float m, s, t;
  if (ax >= ay && ax >= az) {
    face = x >= 0 ? 0 : 1;
    m = ax;
    s = x >= 0 ? -z : z;
    t = -y;
  } else if (ay >= az) {
    face = y >= 0 ? 2 : 3;
    m = ay;
    s = x;
    t = y >= 0 ? z : -z;
  } else {
    face = z >= 0 ? 4 : 5;
    m = az;
    s = z >= 0 ? x : -x;
    t = -y;
  }
  return {face, (s / m + 1.0f) * 0.5f, (t / m + 1.0f) * 0.5f};
}

/// The direction of a point of a face whose coordinates are in [-1, 1], or a little outside.
__device__ OnFace across_edge(int face, float s, float t) {
  switch (face) {
  case 0: return on_face(1.0f, -t, -s);
  case 1: return on_face(-1.0f, -t, s);
  case 2: return on_face(s, 1.0f, t);
  case 3: return on_face(s, -1.0f, -t);
  case 4: return on_face(s, -t, 1.0f);
  default: return on_face(-s, -t, -1.0f);
  }
}

__device__ const unsigned char *texel_at(const TextureState &t, const Level &l, int x, int y, int z) {
  return l.texels + static_cast<uint64>(z) * l.slice + static_cast<uint64>(y) * l.pitch +
         static_cast<uint64>(x) * t.texel_bytes;
}

__device__ bool is_beyond(int i, int n) { return i < 0 || i >= n; }

__device__ int inside(int i, int n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }

/// Texel (i, j) of a face, or of the face beyond one edge.
__device__ Colour edge_texel(const TextureState &t, const Level &l, int first_face, int face, int i, int j) {
  const int n = l.width;
  if (!is_beyond(i, n) && !is_beyond(j, n)) {
    return colour_at(t, texel_at(t, l, i, j, first_face + face));
  }
  const float size = static_cast<float>(n);
  const OnFace other = across_edge(face, (2.0f * static_cast<float>(i) + 1.0f) / size - 1.0f,
                                   (2.0f * static_cast<float>(j) + 1.0f) / size - 1.0f);
  return colour_at(t, texel_at(t, l, inside(static_cast<int>(other.s * size), n),
                               inside(static_cast<int>(other.t * size), n), first_face + other.face));
}

/// The same beyond a corner too, where three faces meet: their mean.
__device__ Colour seamless_texel(const TextureState &t, const Level &l, int first_face, int face, int i, int j) {
  const int n = l.width;
  if (!is_beyond(i, n) || !is_beyond(j, n)) {
    return edge_texel(t, l, first_face, face, i, j);
  }
  const Colour a = edge_texel(t, l, first_face, face, inside(i, n), inside(j, n));
  const Colour b = edge_texel(t, l, first_face, face, i, inside(j, n));
  const Colour c = edge_texel(t, l, first_face, face, inside(i, n), j);
  Colour mean;
  for (int k = 0; k < 4; ++k) {
    mean.v[k] = (a.v[k] + b.v[k] + c.v[k]) / 3.0f;
  }
  return mean;
}

__device__ Colour sample_seamless(const TextureState &t, const Level &l, int first_face, const OnFace &at) {
  const float size = static_cast<float>(l.width);
  const Axis u = neighbours(at.s * size, true), v = neighbours(at.t * size, true);
  const Colour low = mix(seamless_texel(t, l, first_face, at.face, u.low, v.low),
                         seamless_texel(t, l, first_face, at.face, u.high, v.low), u.weight);
  const Colour high = mix(seamless_texel(t, l, first_face, at.face, u.low, v.high),
                          seamless_texel(t, l, first_face, at.face, u.high, v.high), u.weight);
  return mix(low, high, v.weight);
}

// --- one level

struct Axes {
  Axis x, y, z;
};

__device__ Colour read(const TextureState &t, const Level &l, int x, int y, int z) {
  return x < 0 || y < 0 || z < 0 ? border_of(t) : colour_at(t, texel_at(t, l, x, y, z));
}

__device__ Colour read_row(const TextureState &t, const Level &l, const Axis &x, int y, int z) {
  const Colour low = read(t, l, x.low, y, z);
  return x.weight == 0.0f ? low : mix(low, read(t, l, x.high, y, z), x.weight);
}

__device__ Colour read_plane(const TextureState &t, const Level &l, const Axis &x, const Axis &y, int z) {
  const Colour low = read_row(t, l, x, y.low, z);
  return y.weight == 0.0f ? low : mix(low, read_row(t, l, x, y.high, z), y.weight);
}

__device__ Colour read_filtered(const TextureState &t, const Level &l, const Axes &a) {
  const Colour low = read_plane(t, l, a.x, a.y, a.z.low);
  return a.z.weight == 0.0f ? low : mix(low, read_plane(t, l, a.x, a.y, a.z.high), a.z.weight);
}

__device__ HlTexel read_integers(const TextureState &t, const Level &l, const Axes &a) {
  if (a.x.low < 0 || a.y.low < 0 || a.z.low < 0) {
    return registers(border_of(t));
  }
  return integers_at(t, texel_at(t, l, a.x.low, a.y.low, a.z.low));
}

__device__ int layer_of(const Level &l, uint32 layer, int faces) {
  const uint32 layers = static_cast<uint32>(l.depth / faces);
  return static_cast<int>(layer < layers ? layer : layers - 1) * faces;
}

struct Request {
  uint32 shape;
  float x, y, z;
  uint32 layer;
};

__device__ Axis face_axis(const TextureState &t, float coordinate, int size) {
  Axis axis = neighbours(coordinate * static_cast<float>(size), (t.flags & kTextureLinear) != 0);
  axis.low = place(axis.low, size, kAddressClamp);
  axis.high = place(axis.high, size, kAddressClamp);
  return axis;
}

__device__ Axes axes_of(const TextureState &t, const Level &l, const Request &r) {
  if (r.shape == kShapeCube || r.shape == kShapeCubeLayered) {
    const OnFace at = on_face(r.x, r.y, r.z);
    const int first = layer_of(l, r.shape == kShapeCubeLayered ? r.layer : 0, 6);
    return {face_axis(t, at.s, l.width), face_axis(t, at.t, l.height), fixed_axis(first + at.face)};
  }
  const bool flat = r.shape == kShape1D || r.shape == kShape1DLayered;
  const Axis x = axis_of(t, 0, r.x, l.width);
  const Axis y = flat ? fixed_axis(0) : axis_of(t, 1, r.y, l.height);
  if (r.shape == kShape3D) {
    return {x, y, axis_of(t, 2, r.z, l.depth)};
  }
  const bool layered = r.shape == kShape1DLayered || r.shape == kShape2DLayered;
  return {x, y, fixed_axis(layered ? layer_of(l, r.layer, 1) : 0)};
}

__device__ Colour sample_level(const TextureState &t, uint32 level, const Request &r) {
  const Level l = level_of(t, level);
  const bool cube = r.shape == kShapeCube || r.shape == kShapeCubeLayered;
  constexpr uint32 kSeamless = kTextureSeamless | kTextureLinear;
  if (cube && (t.flags & kSeamless) == kSeamless) {
    const int first = layer_of(l, r.shape == kShapeCubeLayered ? r.layer : 0, 6);
    return sample_seamless(t, l, first, on_face(r.x, r.y, r.z));
  }
  return read_filtered(t, l, axes_of(t, l, r));
}

/// The level of detail in 1/256.
__device__ int level_in_fixed(const TextureState &t, float level) {
  level += t.level_bias;
  level = level < t.min_level ? t.min_level : level;
  level = level > t.max_level ? t.max_level : level;
  const float last = static_cast<float>(t.last_level);
  level = level > 0.0f ? level : 0.0f;
  return static_cast<int>(__builtin_rintf((level < last ? level : last) * 256.0f));
}

}  // namespace

HL_OUT_OF_LINE HlTexel __hl_texture_sample(const TextureState *texture, uint32 shape, float x, float y, float z, uint32 layer,
                            float level) {
  const TextureState &t = *texture;
  const Request request = {shape, x, y, z, layer};
  const int fixed = t.last_level == 0 ? 0 : level_in_fixed(t, level);
  const bool floats = gives_floats(t);
  if (floats && (t.flags & kTextureMipLinear) != 0 && (fixed & 255) != 0) {
    const uint32 low = static_cast<uint32>(fixed >> 8);
    return registers(mix(sample_level(t, low, request), sample_level(t, low + 1, request),
                         static_cast<float>(fixed & 255) / 256.0f));
  }
  const uint32 nearest = static_cast<uint32>(fixed + ((t.flags & kTextureMipLinear) != 0 ? 0 : 128)) >> 8;
  if (floats) {
    return registers(sample_level(t, nearest, request));
  }
  const Level l = level_of(t, nearest);
  return read_integers(t, l, axes_of(t, l, request));
}

HL_OUT_OF_LINE HlTexel __hl_texture_convert(const TextureState *texture, const unsigned char *from) {
  return gives_floats(*texture) ? registers(colour_at(*texture, from)) : integers_at(*texture, from);
}

/// PTX's `tld4`: one component of the four texels that the linear filter would read, counter-clockwise from (0, 1).
HL_OUT_OF_LINE HlTexel __hl_texture_gather(const TextureState *texture, float x, float y, uint32 component) {
  const TextureState &t = *texture;
  const Level l = level_of(t, 0);
  Axis u = neighbours(in_texels(t, x, l.width, t.address[0]), true);
  Axis v = neighbours(in_texels(t, y, l.height, t.address[1]), true);
  u = {place(u.low, l.width, t.address[0]), place(u.high, l.width, t.address[0]), 0.0f};
  v = {place(v.low, l.height, t.address[1]), place(v.high, l.height, t.address[1]), 0.0f};
  auto one = [&](int i, int j) -> uint32 {
    if (i < 0 || j < 0) {
      return bits_of(t.border[component]);
    }
    const unsigned char *from = texel_at(t, l, i, j, 0);
    if (component >= t.channels) {
      return 0;
    }
    return gives_floats(t) ? bits_of(float_at(t, from, component))
                           : static_cast<uint32>(integer_at(t, from, component));
  };
  return {one(u.low, v.high), one(u.high, v.high), one(u.high, v.low), one(u.low, v.low)};
}
