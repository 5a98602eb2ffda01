// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texture and surface objects of the runtime API: the driver's, with descriptions in the runtime's types.
#include "helicon/gen/runtime_impl.h"
#include "runtime/core/context.h"
#include "runtime/core/convert.h"
#include "runtime/memory/channel_format.h"
#include "runtime/texture_descriptions.h"

#include <cstring>

namespace hel::rt {
namespace {

/// Where linear and pitched memory lies, and what its elements are.
template <typename From, typename To> Result<void> describe_memory(const From &from, To *to) {
  const ChannelFormat format = HEL_TRY(channel_format(from.desc));
  to->devPtr = device_pointer(from.devPtr);
  to->format = format.format;
  to->numChannels = format.channels;
  return {};
}

}  // namespace

Result<CUDA_RESOURCE_DESC> driver_resource(const cudaResourceDesc &from) {
  CUDA_RESOURCE_DESC to{};
  to.resType = static_cast<CUresourcetype>(from.resType);
  to.flags = from.flags;
  switch (from.resType) {
    case cudaResourceTypeArray:
      if (from.res.array.array == nullptr) {
        return HEL_FAIL(cudaErrorInvalidResourceHandle, "the resource is a null array");
      }
      to.res.array.hArray = driver_array(from.res.array.array);
      break;
    case cudaResourceTypeMipmappedArray:
      to.res.mipmap.hMipmappedArray = reinterpret_cast<CUmipmappedArray>(from.res.mipmap.mipmap);
      break;
    case cudaResourceTypeLinear:
      HEL_TRY(describe_memory(from.res.linear, &to.res.linear));
      to.res.linear.sizeInBytes = from.res.linear.sizeInBytes;
      break;
    case cudaResourceTypePitch2D:
      HEL_TRY(describe_memory(from.res.pitch2D, &to.res.pitch2D));
      to.res.pitch2D.width = from.res.pitch2D.width;
      to.res.pitch2D.height = from.res.pitch2D.height;
      to.res.pitch2D.pitchInBytes = from.res.pitch2D.pitchInBytes;
      break;
    default:
      return HEL_FAIL(cudaErrorInvalidValue, "no resource type has the number %d", static_cast<int>(from.resType));
  }
  return to;
}

namespace {

cudaResourceDesc runtime_resource(const CUDA_RESOURCE_DESC &from) {
  cudaResourceDesc to{};
  to.resType = static_cast<cudaResourceType>(from.resType);
  to.flags = from.flags;
  switch (from.resType) {
  case CU_RESOURCE_TYPE_ARRAY: to.res.array.array = reinterpret_cast<cudaArray_t>(from.res.array.hArray); break;
  case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
    to.res.mipmap.mipmap = reinterpret_cast<cudaMipmappedArray_t>(from.res.mipmap.hMipmappedArray);
    break;
  case CU_RESOURCE_TYPE_LINEAR:
    to.res.linear.devPtr = reinterpret_cast<void *>(from.res.linear.devPtr);
    to.res.linear.desc = channel_desc(from.res.linear.format, from.res.linear.numChannels);
    to.res.linear.sizeInBytes = from.res.linear.sizeInBytes;
    break;
  case CU_RESOURCE_TYPE_PITCH2D:
    to.res.pitch2D.devPtr = reinterpret_cast<void *>(from.res.pitch2D.devPtr);
    to.res.pitch2D.desc = channel_desc(from.res.pitch2D.format, from.res.pitch2D.numChannels);
    to.res.pitch2D.width = from.res.pitch2D.width;
    to.res.pitch2D.height = from.res.pitch2D.height;
    to.res.pitch2D.pitchInBytes = from.res.pitch2D.pitchInBytes;
    break;
  }
  return to;
}

cudaTextureDesc runtime_sampler(const CUDA_TEXTURE_DESC &from) {
  cudaTextureDesc to{};
  for (int i = 0; i < 3; i++) {
    to.addressMode[i] = static_cast<cudaTextureAddressMode>(from.addressMode[i]);
  }
  auto has = [&](unsigned flag) { return (from.flags & flag) != 0; };
  to.filterMode = static_cast<cudaTextureFilterMode>(from.filterMode);
  to.readMode = has(CU_TRSF_READ_AS_INTEGER) ? cudaReadModeElementType : cudaReadModeNormalizedFloat;
  to.sRGB = has(CU_TRSF_SRGB);
  std::memcpy(to.borderColor, from.borderColor, sizeof to.borderColor);
  to.normalizedCoords = has(CU_TRSF_NORMALIZED_COORDINATES);
  to.maxAnisotropy = from.maxAnisotropy;
  to.mipmapFilterMode = static_cast<cudaTextureFilterMode>(from.mipmapFilterMode);
  to.mipmapLevelBias = from.mipmapLevelBias;
  to.minMipmapLevelClamp = from.minMipmapLevelClamp;
  to.maxMipmapLevelClamp = from.maxMipmapLevelClamp;
  to.disableTrilinearOptimization = has(CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION);
  to.seamlessCubemap = has(CU_TRSF_SEAMLESS_CUBEMAP);
  return to;
}

// The views of both APIs have the same members.
static_assert(sizeof(cudaResourceViewDesc) == sizeof(CUDA_RESOURCE_VIEW_DESC));

CUDA_RESOURCE_VIEW_DESC driver_view(const cudaResourceViewDesc &from) {
  CUDA_RESOURCE_VIEW_DESC to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

cudaResourceViewDesc runtime_view(const CUDA_RESOURCE_VIEW_DESC &from) {
  cudaResourceViewDesc to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

Result<void> check_out(const void *pointer) {
  return pointer != nullptr ? Result<void>{} : HEL_FAIL(cudaErrorInvalidValue, "an argument is null");
}

}  // namespace

CUDA_TEXTURE_DESC driver_sampler(const cudaTextureDesc &from) {
  CUDA_TEXTURE_DESC to{};
  for (int i = 0; i < 3; i++) {
    to.addressMode[i] = static_cast<CUaddress_mode>(from.addressMode[i]);
  }
  to.filterMode = static_cast<CUfilter_mode>(from.filterMode);
  to.flags = (from.readMode == cudaReadModeElementType ? CU_TRSF_READ_AS_INTEGER : 0u) |
             (from.normalizedCoords != 0 ? CU_TRSF_NORMALIZED_COORDINATES : 0u) |
             (from.sRGB != 0 ? CU_TRSF_SRGB : 0u) |
             (from.disableTrilinearOptimization != 0 ? CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION : 0u) |
             (from.seamlessCubemap != 0 ? CU_TRSF_SEAMLESS_CUBEMAP : 0u);
  to.maxAnisotropy = from.maxAnisotropy;
  to.mipmapFilterMode = static_cast<CUfilter_mode>(from.mipmapFilterMode);
  to.mipmapLevelBias = from.mipmapLevelBias;
  to.minMipmapLevelClamp = from.minMipmapLevelClamp;
  to.maxMipmapLevelClamp = from.maxMipmapLevelClamp;
  std::memcpy(to.borderColor, from.borderColor, sizeof to.borderColor);
  return to;
}

Result<void> check_filter(const DriverTable &cu, const CUDA_RESOURCE_DESC &resource, const cudaTextureDesc &sampler) {
  if (sampler.filterMode != cudaFilterModeLinear || resource.resType == CU_RESOURCE_TYPE_LINEAR) {
    return {};
  }
  CUarray_format format = resource.res.pitch2D.format;
  unsigned channels = resource.res.pitch2D.numChannels;
  if (resource.resType != CU_RESOURCE_TYPE_PITCH2D) {
    CUarray array = resource.res.array.hArray;
    if (resource.resType == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY) {
      HEL_TRY(check(cu.MipmappedArrayGetLevel(&array, resource.res.mipmap.hMipmappedArray, 0)));
    }
    CUDA_ARRAY3D_DESCRIPTOR descriptor{};
    HEL_TRY(check(cu.Array3DGetDescriptor(&descriptor, array)));
    format = descriptor.Format;
    channels = descriptor.NumChannels;
  }
  const cudaChannelFormatDesc desc = channel_desc(format, channels);
  const bool is_integer = desc.f == cudaChannelFormatKindSigned || desc.f == cudaChannelFormatKindUnsigned;
  if (is_integer && (sampler.readMode == cudaReadModeElementType || desc.x == 32)) {
    return HEL_FAIL(cudaErrorInvalidFilterSetting,
                    "the linear filter needs texels that are read as floating-point numbers");
  }
  return {};
}

Result<void> create_texture_object(cudaTextureObject_t *pTexObject, const cudaResourceDesc *pResDesc,
                                   const cudaTextureDesc *pTexDesc, const cudaResourceViewDesc *pResViewDesc) {
  const DriverTable *cu = HEL_TRY(bound_driver());
  HEL_TRY(check_out(pTexObject));
  HEL_TRY(check_out(pResDesc));
  HEL_TRY(check_out(pTexDesc));
  const CUDA_RESOURCE_DESC resource = HEL_TRY(driver_resource(*pResDesc));
  HEL_TRY(check_filter(*cu, resource, *pTexDesc));
  const CUDA_TEXTURE_DESC sampler = driver_sampler(*pTexDesc);
  CUDA_RESOURCE_VIEW_DESC view{};
  if (pResViewDesc != nullptr) {
    view = driver_view(*pResViewDesc);
  }
  return check(cu->TexObjectCreate(pTexObject, &resource, &sampler, pResViewDesc != nullptr ? &view : nullptr));
}

Result<void> destroy_texture_object(cudaTextureObject_t texObject) {
  return check(HEL_TRY(bound_driver())->TexObjectDestroy(texObject));
}

Result<void> get_texture_object_resource_desc(cudaResourceDesc *pResDesc, cudaTextureObject_t texObject) {
  const DriverTable *cu = HEL_TRY(bound_driver());
  HEL_TRY(check_out(pResDesc));
  CUDA_RESOURCE_DESC resource{};
  HEL_TRY(check(cu->TexObjectGetResourceDesc(&resource, texObject)));
  *pResDesc = runtime_resource(resource);
  return {};
}

Result<void> get_texture_object_texture_desc(cudaTextureDesc *pTexDesc, cudaTextureObject_t texObject) {
  const DriverTable *cu = HEL_TRY(bound_driver());
  HEL_TRY(check_out(pTexDesc));
  CUDA_TEXTURE_DESC sampler{};
  HEL_TRY(check(cu->TexObjectGetTextureDesc(&sampler, texObject)));
  *pTexDesc = runtime_sampler(sampler);
  return {};
}

Result<void> get_texture_object_resource_view_desc(cudaResourceViewDesc *pResViewDesc, cudaTextureObject_t texObject) {
  const DriverTable *cu = HEL_TRY(bound_driver());
  HEL_TRY(check_out(pResViewDesc));
  CUDA_RESOURCE_VIEW_DESC view{};
  HEL_TRY(check(cu->TexObjectGetResourceViewDesc(&view, texObject)));
  *pResViewDesc = runtime_view(view);
  return {};
}

Result<void> create_surface_object(cudaSurfaceObject_t *pSurfObject, const cudaResourceDesc *pResDesc) {
  const DriverTable *cu = HEL_TRY(bound_driver());
  HEL_TRY(check_out(pSurfObject));
  HEL_TRY(check_out(pResDesc));
  const CUDA_RESOURCE_DESC resource = HEL_TRY(driver_resource(*pResDesc));
  return check(cu->SurfObjectCreate(pSurfObject, &resource));
}

Result<void> destroy_surface_object(cudaSurfaceObject_t surfObject) {
  return check(HEL_TRY(bound_driver())->SurfObjectDestroy(surfObject));
}

Result<void> get_surface_object_resource_desc(cudaResourceDesc *pResDesc, cudaSurfaceObject_t surfObject) {
  const DriverTable *cu = HEL_TRY(bound_driver());
  HEL_TRY(check_out(pResDesc));
  CUDA_RESOURCE_DESC resource{};
  HEL_TRY(check(cu->SurfObjectGetResourceDesc(&resource, surfObject)));
  *pResDesc = runtime_resource(resource);
  return {};
}

}  // namespace hel::rt
