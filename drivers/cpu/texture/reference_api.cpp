// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points: texture references of the driver API.
#include "drivers/cpu/core/checks.h"
#include "drivers/cpu/core/device.h"
#include "drivers/cpu/module/module.h"
#include "drivers/cpu/texture/reference.h"
#include "helicon/gen/cpu_impl.h"

namespace hel::cpu {
namespace {

using Settings = TextureReference::Settings;

Result<Ref<TextureReference>> find_reference(CUtexref handle) {
  HEL_TRY(current_context());
  return find<TextureReference>(handle);
}

/// Changes some of the settings of a reference.
template <typename Change> Result<void> change(CUtexref handle, Change change_settings) {
  Ref<TextureReference> reference = HEL_TRY(find_reference(handle));
  Settings settings = reference->settings();
  change_settings(settings);
  return reference->change(settings);
}

/// Gives one of the settings of a reference.
template <typename T, typename Read> Result<void> give(T *out, CUtexref handle, Read read) {
  HEL_TRY(check_out(out, "the result"));
  *out = read(HEL_TRY(find_reference(handle))->settings());
  return {};
}

Result<void> check_dimension(int dim) {
  return dim >= 0 && dim < 3 ? Result<void>{} : HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "no dimension has the number %d", dim);
}

Result<void> check_enumerator(int value, int last) {
  return value >= 0 && value <= last ? Result<void>{} : HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "no mode has the number %d", value);
}

/// The part of an address that the texture alignment does not allow; the program adds it to its coordinates.
Result<size_t> beyond_alignment(const Context &context, CUdeviceptr address, bool can_tell) {
  const auto alignment =
      static_cast<size_t>(device_attribute(context.device(), CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT).value());
  const size_t beyond = address % alignment;
  if (beyond != 0 && !can_tell) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "texture memory at 0x%llx is not aligned to %zu bytes", address, alignment);
  }
  return beyond;
}

Result<Ref<TextureReference>> make_reference(Context &context) {
  Ref<TextureReference> reference = HEL_TRY(publish(new TextureReference(context)));
  context.add_child(*reference, Tag::TextureReference);
  Settings settings;
  for (CUaddress_mode &mode : settings.sampler.addressMode) {
    mode = CU_TR_ADDRESS_MODE_CLAMP;
  }
  HEL_TRY(reference->change(settings));
  return reference;
}

}  // namespace

Result<void> tex_ref_create(CUtexref *pTexRef) {
  Context *context = HEL_TRY(current_context());
  HEL_TRY(check_out(pTexRef, "pTexRef"));
  *pTexRef = HEL_TRY(make_reference(*context))->handle();
  return {};
}

Result<void> tex_ref_destroy(CUtexref hTexRef) {
  Ref<TextureReference> reference = HEL_TRY(find_reference(hTexRef));
  reference->context().remove_child(*reference);
  HEL_TRY(retire<TextureReference>(hTexRef));
  return {};
}

Result<void> module_get_tex_ref(CUtexref *pTexRef, CUmodule hmod, const char *name) {
  HEL_TRY(current_context());
  HEL_TRY(check_out(pTexRef, "pTexRef"));
  HEL_TRY(check_out(name, "name"));
  Ref<Module> module = HEL_TRY(find<Module>(hmod));
  const Global global = HEL_TRY(module->global(name));
  if (global.bytes != sizeof(CUtexObject)) {
    return HEL_FAIL(CUDA_ERROR_NOT_FOUND, "'%s' is no texture reference", name);
  }
  Ref<TextureReference> reference = HEL_TRY(make_reference(module->context()));
  HEL_TRY(reference->stand_for(global.address));
  *pTexRef = reference->handle();
  return {};
}

Result<void> tex_ref_set_array(CUtexref hTexRef, CUarray hArray, unsigned int Flags) {
  HEL_TRY(check_flags(Flags, CU_TRSA_OVERRIDE_FORMAT));
  return change(hTexRef, [&](Settings &s) {
    s.resource = {};
    s.resource.resType = CU_RESOURCE_TYPE_ARRAY;
    s.resource.res.array.hArray = hArray;
    s.bound = true;
  });
}

Result<void> tex_ref_set_mipmapped_array(CUtexref hTexRef, CUmipmappedArray hMipmappedArray, unsigned int Flags) {
  HEL_TRY(check_flags(Flags, CU_TRSA_OVERRIDE_FORMAT));
  return change(hTexRef, [&](Settings &s) {
    s.resource = {};
    s.resource.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
    s.resource.res.mipmap.hMipmappedArray = hMipmappedArray;
    s.bound = true;
  });
}

Result<void> tex_ref_set_address(size_t *ByteOffset, CUtexref hTexRef, CUdeviceptr dptr, size_t bytes) {
  Ref<TextureReference> reference = HEL_TRY(find_reference(hTexRef));
  const size_t beyond = HEL_TRY(beyond_alignment(reference->context(), dptr, ByteOffset != nullptr));
  HEL_TRY(change(hTexRef, [&](Settings &s) {
    s.resource = {};
    s.resource.resType = CU_RESOURCE_TYPE_LINEAR;
    s.resource.res.linear.devPtr = dptr - beyond;
    s.resource.res.linear.format = s.format;
    s.resource.res.linear.numChannels = static_cast<unsigned>(s.channels);
    s.resource.res.linear.sizeInBytes = bytes + beyond;
    s.bound = true;
  }));
  if (ByteOffset != nullptr) {
    *ByteOffset = beyond;
  }
  return {};
}

Result<void> tex_ref_set_address2d(CUtexref hTexRef, const CUDA_ARRAY_DESCRIPTOR *desc, CUdeviceptr dptr,
                                       size_t Pitch) {
  HEL_TRY(check_out(desc, "desc"));
  return change(hTexRef, [&](Settings &s) {
    s.resource = {};
    s.resource.resType = CU_RESOURCE_TYPE_PITCH2D;
    s.resource.res.pitch2D.devPtr = dptr;
    s.resource.res.pitch2D.format = desc->Format;
    s.resource.res.pitch2D.numChannels = desc->NumChannels;
    s.resource.res.pitch2D.width = desc->Width;
    s.resource.res.pitch2D.height = desc->Height;
    s.resource.res.pitch2D.pitchInBytes = Pitch;
    s.bound = true;
  });
}

Result<void> tex_ref_set_format(CUtexref hTexRef, CUarray_format fmt, int NumPackedComponents) {
  if (!texel_format(fmt, static_cast<unsigned>(NumPackedComponents))) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "texels of format %d with %d channels are not possible",
                    static_cast<int>(fmt), NumPackedComponents);
  }
  return change(hTexRef, [&](Settings &s) {
    s.format = fmt;
    s.channels = NumPackedComponents;
    if (s.resource.resType == CU_RESOURCE_TYPE_LINEAR) {
      s.resource.res.linear.format = fmt;
      s.resource.res.linear.numChannels = static_cast<unsigned>(NumPackedComponents);
    }
  });
}

Result<void> tex_ref_set_address_mode(CUtexref hTexRef, int dim, CUaddress_mode am) {
  HEL_TRY(check_dimension(dim));
  HEL_TRY(check_enumerator(am, CU_TR_ADDRESS_MODE_BORDER));
  return change(hTexRef, [&](Settings &s) { s.sampler.addressMode[dim] = am; });
}

Result<void> tex_ref_set_filter_mode(CUtexref hTexRef, CUfilter_mode fm) {
  HEL_TRY(check_enumerator(fm, CU_TR_FILTER_MODE_LINEAR));
  return change(hTexRef, [&](Settings &s) { s.sampler.filterMode = fm; });
}

Result<void> tex_ref_set_mipmap_filter_mode(CUtexref hTexRef, CUfilter_mode fm) {
  HEL_TRY(check_enumerator(fm, CU_TR_FILTER_MODE_LINEAR));
  return change(hTexRef, [&](Settings &s) { s.sampler.mipmapFilterMode = fm; });
}

Result<void> tex_ref_set_mipmap_level_bias(CUtexref hTexRef, float bias) {
  return change(hTexRef, [&](Settings &s) { s.sampler.mipmapLevelBias = bias; });
}

Result<void> tex_ref_set_mipmap_level_clamp(CUtexref hTexRef, float minMipmapLevelClamp, float maxMipmapLevelClamp) {
  return change(hTexRef, [&](Settings &s) {
    s.sampler.minMipmapLevelClamp = minMipmapLevelClamp;
    s.sampler.maxMipmapLevelClamp = maxMipmapLevelClamp;
  });
}

Result<void> tex_ref_set_max_anisotropy(CUtexref hTexRef, unsigned int maxAniso) {
  return change(hTexRef, [&](Settings &s) { s.sampler.maxAnisotropy = maxAniso; });
}

Result<void> tex_ref_set_border_color(CUtexref hTexRef, float *pBorderColor) {
  HEL_TRY(check_out(pBorderColor, "pBorderColor"));
  return change(hTexRef, [&](Settings &s) {
    for (int i = 0; i < 4; i++) {
      s.sampler.borderColor[i] = pBorderColor[i];
    }
  });
}

Result<void> tex_ref_set_flags(CUtexref hTexRef, unsigned int Flags) {
  HEL_TRY(check_flags(Flags, CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_SRGB |
                                 CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION | CU_TRSF_SEAMLESS_CUBEMAP));
  return change(hTexRef, [&](Settings &s) { s.sampler.flags = Flags; });
}

Result<void> tex_ref_get_array(CUarray *phArray, CUtexref hTexRef) {
  HEL_TRY(check_out(phArray, "phArray"));
  const Settings s = HEL_TRY(find_reference(hTexRef))->settings();
  if (!s.bound || s.resource.resType != CU_RESOURCE_TYPE_ARRAY) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "the texture reference is bound to no array");
  }
  *phArray = s.resource.res.array.hArray;
  return {};
}

Result<void> tex_ref_get_mipmapped_array(CUmipmappedArray *phMipmappedArray, CUtexref hTexRef) {
  HEL_TRY(check_out(phMipmappedArray, "phMipmappedArray"));
  const Settings s = HEL_TRY(find_reference(hTexRef))->settings();
  if (!s.bound || s.resource.resType != CU_RESOURCE_TYPE_MIPMAPPED_ARRAY) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "the texture reference is bound to no mipmapped array");
  }
  *phMipmappedArray = s.resource.res.mipmap.hMipmappedArray;
  return {};
}

Result<void> tex_ref_get_address(CUdeviceptr *pdptr, CUtexref hTexRef) {
  HEL_TRY(check_out(pdptr, "pdptr"));
  const Settings s = HEL_TRY(find_reference(hTexRef))->settings();
  if (s.bound && s.resource.resType == CU_RESOURCE_TYPE_LINEAR) {
    *pdptr = s.resource.res.linear.devPtr;
  } else if (s.bound && s.resource.resType == CU_RESOURCE_TYPE_PITCH2D) {
    *pdptr = s.resource.res.pitch2D.devPtr;
  } else {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "the texture reference is bound to no memory");
  }
  return {};
}

Result<void> tex_ref_get_format(CUarray_format *pFormat, int *pNumChannels, CUtexref hTexRef) {
  const Settings s = HEL_TRY(find_reference(hTexRef))->settings();
  if (pFormat != nullptr) {
    *pFormat = s.format;
  }
  if (pNumChannels != nullptr) {
    *pNumChannels = s.channels;
  }
  return {};
}

Result<void> tex_ref_get_address_mode(CUaddress_mode *pam, CUtexref hTexRef, int dim) {
  HEL_TRY(check_dimension(dim));
  return give(pam, hTexRef, [&](const Settings &s) { return s.sampler.addressMode[dim]; });
}

Result<void> tex_ref_get_filter_mode(CUfilter_mode *pfm, CUtexref hTexRef) {
  return give(pfm, hTexRef, [](const Settings &s) { return s.sampler.filterMode; });
}

Result<void> tex_ref_get_mipmap_filter_mode(CUfilter_mode *pfm, CUtexref hTexRef) {
  return give(pfm, hTexRef, [](const Settings &s) { return s.sampler.mipmapFilterMode; });
}

Result<void> tex_ref_get_mipmap_level_bias(float *pbias, CUtexref hTexRef) {
  return give(pbias, hTexRef, [](const Settings &s) { return s.sampler.mipmapLevelBias; });
}

Result<void> tex_ref_get_mipmap_level_clamp(float *pminMipmapLevelClamp, float *pmaxMipmapLevelClamp,
                                            CUtexref hTexRef) {
  HEL_TRY(give(pminMipmapLevelClamp, hTexRef, [](const Settings &s) { return s.sampler.minMipmapLevelClamp; }));
  return give(pmaxMipmapLevelClamp, hTexRef, [](const Settings &s) { return s.sampler.maxMipmapLevelClamp; });
}

Result<void> tex_ref_get_max_anisotropy(int *pmaxAniso, CUtexref hTexRef) {
  return give(pmaxAniso, hTexRef, [](const Settings &s) { return static_cast<int>(s.sampler.maxAnisotropy); });
}

Result<void> tex_ref_get_border_color(float *pBorderColor, CUtexref hTexRef) {
  HEL_TRY(check_out(pBorderColor, "pBorderColor"));
  const Settings s = HEL_TRY(find_reference(hTexRef))->settings();
  for (int i = 0; i < 4; i++) {
    pBorderColor[i] = s.sampler.borderColor[i];
  }
  return {};
}

Result<void> tex_ref_get_flags(unsigned int *pFlags, CUtexref hTexRef) {
  return give(pFlags, hTexRef, [](const Settings &s) { return s.sampler.flags; });
}

}  // namespace hel::cpu
