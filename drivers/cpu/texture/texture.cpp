// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/texture/texture.h"

#include "abi/srgb.h"
#include "drivers/cpu/core/checks.h"
#include "drivers/cpu/core/device.h"
#include "drivers/cpu/memory/array.h"
#include "drivers/cpu/memory/registry.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace hel::cpu {
namespace {

size_t limit(const Context &context, CUdevice_attribute which) {
  return static_cast<size_t>(device_attribute(context.device(), which).value());
}

Result<TexelFormat> checked_format(CUarray_format format, unsigned channels) {
  std::optional<TexelFormat> known = texel_format(format, channels);
  if (!known) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "texels of format %d with %u channels are not possible",
                    static_cast<int>(format), channels);
  }
  return *known;
}

Result<void> check_address(const Context &context, CUdeviceptr address) {
  const size_t alignment = limit(context, CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT);
  if (address == 0 || address % alignment != 0) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "texture memory at 0x%llx is not aligned to %zu bytes", address,
                    alignment);
  }
  if (in_driver_range(address) && find_allocation(address) == nullptr) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "texture memory at 0x%llx is %s", address,
                    describe_address(reinterpret_cast<void *>(address)).c_str());
  }
  return {};
}

void set_format(TexelSource &source, const TexelFormat &format) {
  source.format = format;
  source.state.channel = format.channel;
  source.state.channels = static_cast<unsigned char>(format.channels);
  source.state.texel_bytes = static_cast<unsigned char>(format.bytes());
}

Result<TexelSource> linear_source(const Context &context, const CUDA_RESOURCE_DESC &resource) {
  const auto &linear = resource.res.linear;
  TexelSource source;
  set_format(source, HEL_TRY(checked_format(linear.format, linear.numChannels)));
  HEL_TRY(check_address(context, linear.devPtr));
  const size_t texels = linear.sizeInBytes / source.format.bytes();
  const size_t most = limit(context, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH);
  if (texels > most) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "a linear texture of %zu texels (up to %zu are possible)", texels, most);
  }
  abi::TextureState &state = source.state;
  state.texels = reinterpret_cast<unsigned char *>(linear.devPtr);
  state.width = static_cast<unsigned>(texels);
  state.height = state.depth = 1;
  state.pitch = state.slice = linear.sizeInBytes;
  state.flags = abi::kTextureIsLinearMemory;
  source.linear_memory = true;
  return source;
}

Result<TexelSource> pitch_source(const Context &context, const CUDA_RESOURCE_DESC &resource) {
  const auto &pitched = resource.res.pitch2D;
  TexelSource source;
  set_format(source, HEL_TRY(checked_format(pitched.format, pitched.numChannels)));
  HEL_TRY(check_address(context, pitched.devPtr));
  if (pitched.width == 0 || pitched.height == 0 ||
      pitched.width > limit(context, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH) ||
      pitched.height > limit(context, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT)) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "a pitched texture of %zu x %zu is not possible", pitched.width,
                    pitched.height);
  }
  const size_t pitch_alignment = limit(context, CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT);
  if (pitched.pitchInBytes < pitched.width * source.format.bytes() || pitched.pitchInBytes % pitch_alignment != 0 ||
      pitched.pitchInBytes > limit(context, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH)) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE,
                    "a pitch of %zu bytes for rows of %zu texels of %zu bytes (multiples of %zu are possible)",
                    pitched.pitchInBytes, pitched.width, source.format.bytes(), pitch_alignment);
  }
  abi::TextureState &state = source.state;
  state.texels = reinterpret_cast<unsigned char *>(pitched.devPtr);
  state.width = static_cast<unsigned>(pitched.width);
  state.height = static_cast<unsigned>(pitched.height);
  state.depth = 1;
  state.pitch = pitched.pitchInBytes;
  state.slice = pitched.pitchInBytes * pitched.height;
  return source;
}

/// `levels` are those of an array, or of a mipmapped array in order.
Result<TexelSource> array_source(const std::vector<Ref<Array>> &levels, unsigned first_level) {
  const Array &first = *levels[first_level];
  const CUDA_ARRAY3D_DESCRIPTOR &d = first.descriptor();
  TexelSource source;
  set_format(source, HEL_TRY(checked_format(d.Format, d.NumChannels)));
  source.whole = levels.front()->descriptor();
  abi::TextureState &state = source.state;
  state.texels = first.data();
  state.width = static_cast<unsigned>(d.Width);
  state.height = static_cast<unsigned>(first.rows());
  state.depth = static_cast<unsigned>(first.planes());
  state.pitch = first.pitch();
  state.slice = first.slice();
  state.flags = (d.Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP)) != 0 ? abi::kTextureLayered : 0;
  state.last_level = static_cast<unsigned char>(levels.size() - 1 - first_level);
  for (size_t i = first_level; i < levels.size(); i++) {
    state.level_offset[i - first_level] = levels[i]->offset() - first.offset();
  }
  return source;
}

/// The size of a view is that of the resource, also where it begins at a smaller level.
Result<void> check_view_size(const TexelSource &source, const CUDA_RESOURCE_VIEW_DESC &view) {
  auto same = [](size_t asked, size_t is) { return asked == is || (asked == 0 && is == 1); };
  const bool layered = (source.state.flags & abi::kTextureLayered) != 0;
  const CUDA_ARRAY3D_DESCRIPTOR &whole = source.whole;
  if (!same(view.width, whole.Width) || !same(view.height, std::max<size_t>(whole.Height, 1)) ||
      (!layered && !same(view.depth, std::max<size_t>(whole.Depth, 1)))) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "a view of %zu x %zu x %zu texels of %zu x %zu x %zu", view.width,
                    view.height, view.depth, whole.Width, whole.Height, whole.Depth);
  }
  return {};
}

Result<void> apply_view(TexelSource &source, const CUDA_RESOURCE_VIEW_DESC &view) {
  abi::TextureState &state = source.state;
  if (view.format != CU_RES_VIEW_FORMAT_NONE) {
    if (view.format >= CU_RES_VIEW_FORMAT_UNSIGNED_BC1 && view.format <= CU_RES_VIEW_FORMAT_UNSIGNED_BC7) {
      return HEL_FAIL_KIND(CUDA_ERROR_NOT_SUPPORTED, Unsupported, "block-compressed views are not supported");
    }
    std::optional<TexelFormat> seen = view_format(view.format);
    if (!seen || seen->bytes() != source.format.bytes()) {
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "texels of %zu bytes cannot be seen as format %d",
                      source.format.bytes(), static_cast<int>(view.format));
    }
    set_format(source, *seen);
  }
  HEL_TRY(check_view_size(source, view));
  const bool layered = (state.flags & abi::kTextureLayered) != 0;
  if (view.firstLayer > view.lastLayer || (layered && view.lastLayer >= state.depth) ||
      (!layered && view.lastLayer != 0)) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "a view of the layers %u to %u of %u", view.firstLayer, view.lastLayer,
                    state.depth);
  }
  if (layered && (view.firstLayer != 0 || view.lastLayer != 0)) {
    state.first_layer = view.firstLayer;
    state.depth = view.lastLayer - view.firstLayer + 1;
  }
  return {};
}

Result<TexelSource> array_or_mipmap(const CUDA_RESOURCE_DESC &resource, const CUDA_RESOURCE_VIEW_DESC *view) {
  TexelSource source;
  if (resource.resType == CU_RESOURCE_TYPE_ARRAY) {
    if (view != nullptr && (view->firstMipmapLevel != 0 || view->lastMipmapLevel != 0)) {
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "a view of levels of an array that has none");
    }
    Ref<Array> array = HEL_TRY(find<Array>(resource.res.array.hArray));
    source = HEL_TRY(array_source({array}, 0));
    source.owner = Ref<Object>(*array);
  } else {
    Ref<MipmappedArray> array = HEL_TRY(find<MipmappedArray>(resource.res.mipmap.hMipmappedArray));
    unsigned first = 0;
    std::vector<Ref<Array>> levels = array->levels();
    if (view != nullptr) {
      if (view->firstMipmapLevel > view->lastMipmapLevel || view->lastMipmapLevel >= levels.size()) {
        return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "a view of the levels %u to %u of %zu", view->firstMipmapLevel,
                        view->lastMipmapLevel, levels.size());
      }
      first = view->firstMipmapLevel;
      levels.resize(view->lastMipmapLevel + 1);
    }
    source = HEL_TRY(array_source(levels, first));
    source.owner = Ref<Object>(*array);
    source.mipmapped = true;
  }
  if (view != nullptr) {
    HEL_TRY(apply_view(source, *view));
  }
  return source;
}

constexpr unsigned kSamplerFlags = CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_SRGB |
                                   CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION | CU_TRSF_SEAMLESS_CUBEMAP;

Result<void> check_sampler(const TexelSource &source, const CUDA_TEXTURE_DESC &sampler) {
  HEL_TRY(check_flags(sampler.flags, kSamplerFlags));
  for (CUaddress_mode mode : sampler.addressMode) {
    if (mode < CU_TR_ADDRESS_MODE_WRAP || mode > CU_TR_ADDRESS_MODE_BORDER) {
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "no address mode has the number %d", static_cast<int>(mode));
    }
  }
  for (CUfilter_mode mode : {sampler.filterMode, sampler.mipmapFilterMode}) {
    if (mode != CU_TR_FILTER_MODE_POINT && mode != CU_TR_FILTER_MODE_LINEAR) {
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "no filter mode has the number %d", static_cast<int>(mode));
    }
  }
  if (source.mipmapped && (sampler.flags & CU_TRSF_NORMALIZED_COORDINATES) == 0) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "a texture with levels needs normalised coordinates");
  }
  return {};
}

/// A fraction as an integer of `bits` bits, from a number that has four bits more than that; halves go to zero.
float as_fraction(float value, int bits, bool has_sign) {
  const int own = has_sign ? bits - 1 : bits;
  const double largest = (1u << own) - 1, grain = std::ldexp(1.0, own + 4);
  const double size = std::floor(std::min(std::fabs(static_cast<double>(value)), 1.0) * grain) / grain;
  const double fraction = std::ceil(size * largest - 0.5) / largest;
  return static_cast<float>(value >= 0 ? fraction : has_sign ? -fraction : 0);
}

/// A linear value as the nearest of the 8-bit numbers that stand for linear ones.
float as_srgb(float value) {
  const double v = std::clamp(static_cast<double>(value), 0.0, 1.0);
  const double encoded = v <= 0.0031308 ? v * 12.92 : 1.055 * std::pow(v, 1 / 2.4) - 0.055;
  return static_cast<float>(abi::kSrgbToLinear[static_cast<int>(std::floor(encoded * 255 + 0.5))]) / 16384.0f;
}

/// The border's colour as a texel would have it. Textures of integers keep the bits.
void set_border(abi::TextureState &state, const CUDA_TEXTURE_DESC &sampler) {
  const bool srgb = (state.flags & abi::kTextureSrgb) != 0, fraction = (state.flags & abi::kTextureFraction) != 0;
  const bool has_sign = state.channel == abi::kTexelS8 || state.channel == abi::kTexelS16;
  const int bits = state.channel <= abi::kTexelS8 ? 8 : 16;
  for (int c = 0; c < 4; c++) {
    const float value = sampler.borderColor[c];
    state.border[c] = c >= state.channels ? 0.0f
                      : srgb && c < 3     ? as_srgb(value)
                      : fraction          ? as_fraction(value, bits, has_sign)
                                          : value;
  }
}

}  // namespace

Result<TexelSource> texel_source(const Context &context, const CUDA_RESOURCE_DESC &resource,
                                 const CUDA_RESOURCE_VIEW_DESC *view) {
  HEL_TRY(check_flags(resource.flags, 0));
  const bool is_array =
      resource.resType == CU_RESOURCE_TYPE_ARRAY || resource.resType == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
  if (view != nullptr && !is_array) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "only arrays can be seen through a view");
  }
  if (is_array) {
    return array_or_mipmap(resource, view);
  }
  if (resource.resType == CU_RESOURCE_TYPE_LINEAR) {
    return linear_source(context, resource);
  }
  if (resource.resType == CU_RESOURCE_TYPE_PITCH2D) {
    return pitch_source(context, resource);
  }
  return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "no resource type has the number %d", static_cast<int>(resource.resType));
}

Result<abi::TextureState> texture_state(const TexelSource &source, const CUDA_TEXTURE_DESC &sampler) {
  HEL_TRY(check_sampler(source, sampler));
  abi::TextureState state = source.state;
  const TexelFormat &format = source.format;
  const bool normalised = (sampler.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
  const bool fraction =
      format.fraction || (format.can_be_fraction() && (sampler.flags & CU_TRSF_READ_AS_INTEGER) == 0);
  const bool linear = sampler.filterMode == CU_TR_FILTER_MODE_LINEAR && !source.linear_memory;
  if (linear && !fraction && !format.is_float()) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "the linear filter needs texels that are read as floating-point numbers");
  }
  auto set = [&](bool condition, unsigned flag) { state.flags |= condition ? flag : 0; };
  set(linear, abi::kTextureLinear);
  set(sampler.mipmapFilterMode == CU_TR_FILTER_MODE_LINEAR, abi::kTextureMipLinear);
  set(normalised, abi::kTextureNormalised);
  set(fraction, abi::kTextureFraction);
  set((sampler.flags & CU_TRSF_SRGB) != 0 && format.channel == abi::kTexelU8, abi::kTextureSrgb);
  set((sampler.flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0, abi::kTextureSeamless);
  bool borderless = true;
  for (int i = 0; i < 3; i++) {
    CUaddress_mode mode = sampler.addressMode[i];
    // Without normalised coordinates there is no period.
    if (!normalised && (mode == CU_TR_ADDRESS_MODE_WRAP || mode == CU_TR_ADDRESS_MODE_MIRROR)) {
      mode = CU_TR_ADDRESS_MODE_CLAMP;
    }
    state.address[i] = static_cast<unsigned char>(mode);
    borderless = borderless && (mode != CU_TR_ADDRESS_MODE_BORDER || i == 2);
  }
  set(borderless && !source.linear_memory && state.last_level == 0 && format.bytes() == 4 * format.channels &&
          state.slice < (uint64_t{1} << 31),
      abi::kTexturePlain);
  state.max_anisotropy = static_cast<unsigned char>(std::clamp(sampler.maxAnisotropy, 1u, 16u));
  state.level_bias = sampler.mipmapLevelBias;
  state.min_level = sampler.minMipmapLevelClamp;
  state.max_level = sampler.maxMipmapLevelClamp;
  set_border(state, sampler);
  return state;
}

Result<TexelSource> surface_source(const Context &context, const CUDA_RESOURCE_DESC &resource) {
  if (resource.resType != CU_RESOURCE_TYPE_ARRAY) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "a surface is made of an array");
  }
  // GPUs take an array without the flag for surfaces too.
  return texel_source(context, resource, nullptr);
}

void Texture::owner_gone() { TextureStates::instance().give_back(state); }

void Surface::owner_gone() { TextureStates::instance().give_back(state); }

}  // namespace hel::cpu
