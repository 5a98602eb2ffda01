// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sampling in every mode: which texels a result is made of, and with which weights (filter.h).
#include "device/lib/texture/filter.h"

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

__device__ float half_at(const unsigned char *from, uint32 c) {
  return static_cast<float>(reinterpret_cast<const _Float16 *>(from)[c]);
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

constexpr int kLargest[] = {255, 127, 65535, 32767};

__device__ bool is_srgb(const TextureState &t, uint32 c) { return (t.flags & kTextureSrgb) != 0 && c < 3; }
__device__ bool is_fraction(const TextureState &t, uint32 c) { return t.channel < kTexelF16 && !is_srgb(t, c); }

/// A fraction below -1 is still one: the filter sees it.
__device__ float float_at(const TextureState &t, const unsigned char *from, uint32 c) {
  if (t.channel == kTexelF32) {
    return reinterpret_cast<const float *>(from)[c];
  }
  if (t.channel == kTexelF16) {
    return half_at(from, c);
  }
  const int value = integer_at(t, from, c);
  return is_srgb(t, c) ? static_cast<float>(kSrgbToLinear[value]) * 0x1p-14f
                       : static_cast<float>(value) / static_cast<float>(kLargest[t.channel & 3]);
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

__device__ HlTexel registers(const TextureState &t, Colour c) {
  for (int i = 0; i < 4; ++i) {
    c.v[i] = t.channel < kTexelF16 && c.v[i] < -1.0f ? -1.0f : c.v[i];
  }
  return {bits_of(c.v[0]), bits_of(c.v[1]), bits_of(c.v[2]), bits_of(c.v[3])};
}

__device__ Colour border_of(const TextureState &t) {
  return {{t.border[0], t.border[1], t.border[2], t.border[3]}};
}

/// What one result is made of.
struct Taps {
  Colour colours[kMostTaps];
  int weights[kMostTaps];
  int count;
};

__device__ void add(Taps &taps, const Colour &colour, int weight) {
  if (weight != 0) {
    taps.colours[taps.count] = colour;
    taps.weights[taps.count++] = weight;
  }
}

__device__ float blend(const TextureState &t, const Taps &taps, uint32 c) {
  float values[kMostTaps];
  int integers[kMostTaps];
  for (int i = 0; i < taps.count; ++i) {
    values[i] = taps.colours[i].v[c];
    integers[i] = is_fraction(t, c) ? static_cast<int>(__builtin_rintf(values[i] * static_cast<float>(kLargest[t.channel & 3]))) : 0;
  }
  if (is_fraction(t, c)) {
    return blend_integers(t.channel, integers, taps.weights, taps.count);
  }
  if (is_srgb(t, c)) {
    return blend_srgb(values, taps.weights, taps.count);
  }
  const int bits = t.channel == kTexelF16 ? 11 : 24;
  return blend_floats(values, taps.weights, taps.count, bits, 4, bits);
}

__device__ Colour blend(const TextureState &t, const Taps &taps) {
  Colour blended = {};
  for (uint32 c = 0; c < t.channels; ++c) {
    blended.v[c] = blend(t, taps, c);
  }
  return blended;
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

__device__ bool is_linear(const TextureState &t) { return (t.flags & kTextureLinear) != 0; }

__device__ HlAxis axis_of(const TextureState &t, int number, float x, int size) {
  return texture_axis(x, static_cast<uint32>(size), t.address[number], (t.flags & kTextureNormalised) != 0, is_linear(t));
}

__device__ HlAxis fixed_axis(int at) { return {at, at, 0}; }

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

/// A coordinate of a face, in [0, 1), as a place.
__device__ int on_edge(float coordinate, int size) {
  return static_cast<int>(__builtin_floor(static_cast<double>(coordinate) * static_cast<double>(size) * 256.0 - 127.5));
}

__device__ void add_seamless(Taps &taps, const TextureState &t, const Level &l, int first_face, const OnFace &at, int weight) {
  const int u = on_edge(at.s, l.width), v = on_edge(at.t, l.width), i = u >> 8, j = v >> 8;
  const HlCorners corners = texture_corners(weight, u & 255, v & 255);
  for (int k = 0; k < 4; ++k) {
    add(taps, seamless_texel(t, l, first_face, at.face, i + (k & 1), j + (k >> 1)), corners.weight[k]);
  }
}

// --- one level

struct Axes {
  HlAxis x, y, z;
};

__device__ Colour read(const TextureState &t, const Level &l, int x, int y, int z) {
  return x < 0 || y < 0 || z < 0 ? border_of(t) : colour_at(t, texel_at(t, l, x, y, z));
}

__device__ HlTexel read_integers(const TextureState &t, const Level &l, const Axes &a) {
  if (a.x.low < 0 || a.y.low < 0 || a.z.low < 0) {
    return {bits_of(t.border[0]), bits_of(t.border[1]), bits_of(t.border[2]), bits_of(t.border[3])};
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

__device__ HlAxis face_axis(const TextureState &t, float coordinate, int size) {
  if (!is_linear(t)) {
    const int i = static_cast<int>(__builtin_floorf(coordinate * static_cast<float>(size)));
    return fixed_axis(texture_place(i, size, kAddressClamp));
  }
  return texture_neighbours(on_edge(coordinate, size), size, kAddressClamp);
}

/// A texture without rows is one of one row that is sampled at its upper edge: half of what a border gives is the border's.
__device__ HlAxis only_row(const TextureState &t) { return is_linear(t) ? axis_of(t, 1, 0.0f, 1) : fixed_axis(0); }

__device__ Axes axes_of(const TextureState &t, const Level &l, const Request &r) {
  if (r.shape == kShapeCube || r.shape == kShapeCubeLayered) {
    const OnFace at = on_face(r.x, r.y, r.z);
    const int first = layer_of(l, r.shape == kShapeCubeLayered ? r.layer : 0, 6);
    return {face_axis(t, at.s, l.width), face_axis(t, at.t, l.height), fixed_axis(first + at.face)};
  }
  const bool flat = r.shape == kShape1D || r.shape == kShape1DLayered;
  const HlAxis x = axis_of(t, 0, r.x, l.width);
  const HlAxis y = flat ? only_row(t) : axis_of(t, 1, r.y, l.height);
  if (r.shape == kShape3D) {
    return {x, y, axis_of(t, 2, r.z, l.depth)};
  }
  const bool layered = r.shape == kShape1DLayered || r.shape == kShape2DLayered;
  return {x, y, fixed_axis(layered ? layer_of(l, r.layer, 1) : 0)};
}

__device__ void add_plane(Taps &taps, const TextureState &t, const Level &l, const Axes &a, int z, int weight) {
  const HlCorners corners = texture_corners(weight, a.x.fraction, a.y.fraction);
  for (int k = 0; k < 4; ++k) {
    if (corners.weight[k] != 0) {
      add(taps, read(t, l, (k & 1) != 0 ? a.x.high : a.x.low, k > 1 ? a.y.high : a.y.low, z), corners.weight[k]);
    }
  }
}

__device__ void add_level(Taps &taps, const TextureState &t, uint32 level, const Request &r, int weight) {
  const Level l = level_of(t, level);
  const bool cube = r.shape == kShapeCube || r.shape == kShapeCubeLayered;
  constexpr uint32 kSeamless = kTextureSeamless | kTextureLinear;
  if (cube && (t.flags & kSeamless) == kSeamless) {
    const int first = layer_of(l, r.shape == kShapeCubeLayered ? r.layer : 0, 6);
    add_seamless(taps, t, l, first, on_face(r.x, r.y, r.z), weight);
    return;
  }
  const Axes axes = axes_of(t, l, r);
  const HlSplit planes = texture_split(weight, axes.z.fraction);
  add_plane(taps, t, l, axes, axes.z.low, planes.low);
  if (planes.high != 0) {
    add_plane(taps, t, l, axes, axes.z.high, planes.high);
  }
}

__device__ int in_256ths(float level) { return static_cast<int>(__builtin_floorf(level * 256.0f)); }

/// Far from any level, and still a number that can be multiplied.
__device__ float near_levels(float level) { return level > 64.0f ? 64.0f : level > -64.0f ? level : -64.0f; }

/// The level of detail in 1/256. What the sampler adds and its limits are whole 256ths too.
__device__ int level_in_fixed(const TextureState &t, float level) {
  int fixed = in_256ths(near_levels(level)) + in_256ths(near_levels(t.level_bias));
  const int least = in_256ths(near_levels(t.min_level)), most = in_256ths(near_levels(t.max_level));
  fixed = fixed < least ? least : fixed;
  fixed = fixed > most ? most : fixed;
  const int last = static_cast<int>(t.last_level) * 256;
  return fixed < 0 ? 0 : fixed < last ? fixed : last;
}

}  // namespace

HL_OUT_OF_LINE HlTexel __hl_texture_sample(const TextureState *texture, uint32 shape, float x, float y, float z, uint32 layer,
                            float level) {
  const TextureState &t = *texture;
  const Request request = {shape, x, y, z, layer};
  const int fixed = t.last_level == 0 ? 0 : level_in_fixed(t, level);
  const int between = (t.flags & kTextureMipLinear) != 0 ? fixed & 255 : 0;
  const uint32 nearest = static_cast<uint32>(fixed + ((t.flags & kTextureMipLinear) != 0 ? 0 : 128)) >> 8;
  const Level l = level_of(t, nearest);
  if (!gives_floats(t)) {
    return read_integers(t, l, axes_of(t, l, request));
  }
  if (!is_linear(t) && between == 0) {
    const Axes axes = axes_of(t, l, request);
    return registers(t, read(t, l, axes.x.low, axes.y.low, axes.z.low));
  }
  Taps taps;
  taps.count = 0;
  add_level(taps, t, nearest, request, 256 - between);
  if (between != 0) {
    add_level(taps, t, nearest + 1, request, between);
  }
  return registers(t, blend(t, taps));
}

HL_OUT_OF_LINE HlTexel __hl_texture_convert(const TextureState *texture, const unsigned char *from) {
  return gives_floats(*texture) ? registers(*texture, colour_at(*texture, from)) : integers_at(*texture, from);
}

/// PTX's `tld4`: one component of the four texels that the linear filter would read, counter-clockwise from (0, 1).
HL_OUT_OF_LINE HlTexel __hl_texture_gather(const TextureState *texture, float x, float y, uint32 component) {
  const TextureState &t = *texture;
  const Level l = level_of(t, 0);
  const bool normalised = (t.flags & kTextureNormalised) != 0;
  const HlAxis u = texture_axis(x, static_cast<uint32>(l.width), t.address[0], normalised, /*linear=*/true);
  const HlAxis v = texture_axis(y, static_cast<uint32>(l.height), t.address[1], normalised, /*linear=*/true);
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
