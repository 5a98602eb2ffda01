// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays: memory with a layout of the device's own, for textures and surfaces. A cudaArray_t is the driver's CUarray.
#include "helicon/gen/runtime_impl.h"
#include "runtime/core/context.h"
#include "runtime/core/convert.h"
#include "runtime/memory/channel_format.h"

namespace hel::rt {
namespace {

CUmipmappedArray driver_mipmap(cudaMipmappedArray_const_t array) {
  return reinterpret_cast<CUmipmappedArray>(const_cast<cudaMipmappedArray_t>(array));
}

/// The answers of both APIs have the same members.
static_assert(sizeof(cudaArrayMemoryRequirements) == sizeof(CUDA_ARRAY_MEMORY_REQUIREMENTS));
static_assert(sizeof(cudaArraySparseProperties) == sizeof(CUDA_ARRAY_SPARSE_PROPERTIES));

}  // namespace

Result<void> malloc_array(cudaArray_t *array, const cudaChannelFormatDesc *desc, size_t width, size_t height,
                          unsigned int flags) {
  return malloc3d_array(array, desc, {width, height, 0}, flags);
}

Result<void> malloc3d_array(cudaArray_t *array, const cudaChannelFormatDesc *desc, cudaExtent extent,
                            unsigned int flags) {
  const DriverTable *cu = HEL_TRY(bound_driver());
  if (array == nullptr || desc == nullptr) {
    return HEL_FAIL(cudaErrorInvalidValue, "an argument is null");
  }
  const CUDA_ARRAY3D_DESCRIPTOR descriptor = HEL_TRY(array_descriptor(*desc, extent, flags));
  return check(cu->Array3DCreate(reinterpret_cast<CUarray *>(array), &descriptor));
}

Result<void> free_array(cudaArray_t array) {
  const DriverTable *cu = HEL_TRY(bound_driver());
  return array == nullptr ? Result<void>{} : check(cu->ArrayDestroy(driver_array(array)));
}

Result<void> array_get_info(cudaChannelFormatDesc *desc, cudaExtent *extent, unsigned int *flags, cudaArray_t array) {
  CUDA_ARRAY3D_DESCRIPTOR descriptor{};
  HEL_TRY(check(HEL_TRY(bound_driver())->Array3DGetDescriptor(&descriptor, driver_array(array))));
  if (desc != nullptr) {
    *desc = channel_desc(descriptor.Format, descriptor.NumChannels);
  }
  if (extent != nullptr) {
    *extent = {descriptor.Width, descriptor.Height, descriptor.Depth};
  }
  if (flags != nullptr) {
    *flags = descriptor.Flags;
  }
  return {};
}

cudaChannelFormatDesc create_channel_desc(int x, int y, int z, int w, cudaChannelFormatKind f) {
  return {x, y, z, w, f};
}

Result<void> get_channel_desc(cudaChannelFormatDesc *desc, cudaArray_const_t array) {
  if (desc == nullptr) {
    return HEL_FAIL(cudaErrorInvalidValue, "desc is null");
  }
  return array_get_info(desc, nullptr, nullptr, const_cast<cudaArray_t>(array));
}

Result<void> malloc_mipmapped_array(cudaMipmappedArray_t *mipmappedArray, const cudaChannelFormatDesc *desc,
                                    cudaExtent extent, unsigned int numLevels, unsigned int flags) {
  const DriverTable *cu = HEL_TRY(bound_driver());
  if (mipmappedArray == nullptr || desc == nullptr) {
    return HEL_FAIL(cudaErrorInvalidValue, "an argument is null");
  }
  const CUDA_ARRAY3D_DESCRIPTOR descriptor = HEL_TRY(array_descriptor(*desc, extent, flags));
  return check(cu->MipmappedArrayCreate(reinterpret_cast<CUmipmappedArray *>(mipmappedArray), &descriptor, numLevels));
}

Result<void> get_mipmapped_array_level(cudaArray_t *levelArray, cudaMipmappedArray_const_t mipmappedArray,
                                       unsigned int level) {
  const DriverTable *cu = HEL_TRY(bound_driver());
  return check(
      cu->MipmappedArrayGetLevel(reinterpret_cast<CUarray *>(levelArray), driver_mipmap(mipmappedArray), level));
}

Result<void> free_mipmapped_array(cudaMipmappedArray_t mipmappedArray) {
  const DriverTable *cu = HEL_TRY(bound_driver());
  return mipmappedArray == nullptr ? Result<void>{} : check(cu->MipmappedArrayDestroy(driver_mipmap(mipmappedArray)));
}

Result<void> array_get_plane(cudaArray_t *pPlaneArray, cudaArray_t hArray, unsigned int planeIdx) {
  return check(
      HEL_TRY(bound_driver())->ArrayGetPlane(reinterpret_cast<CUarray *>(pPlaneArray), driver_array(hArray), planeIdx));
}

Result<void> array_get_memory_requirements(cudaArrayMemoryRequirements *memoryRequirements, cudaArray_t array,
                                           int device) {
  return check(HEL_TRY(bound_driver())
                   ->ArrayGetMemoryRequirements(reinterpret_cast<CUDA_ARRAY_MEMORY_REQUIREMENTS *>(memoryRequirements),
                                                driver_array(array), device));
}

Result<void> mipmapped_array_get_memory_requirements(cudaArrayMemoryRequirements *memoryRequirements,
                                                     cudaMipmappedArray_t mipmap, int device) {
  auto *requirements = reinterpret_cast<CUDA_ARRAY_MEMORY_REQUIREMENTS *>(memoryRequirements);
  return check(
      HEL_TRY(bound_driver())->MipmappedArrayGetMemoryRequirements(requirements, driver_mipmap(mipmap), device));
}

Result<void> array_get_sparse_properties(cudaArraySparseProperties *sparseProperties, cudaArray_t array) {
  return check(HEL_TRY(bound_driver())
                   ->ArrayGetSparseProperties(reinterpret_cast<CUDA_ARRAY_SPARSE_PROPERTIES *>(sparseProperties),
                                              driver_array(array)));
}

Result<void> mipmapped_array_get_sparse_properties(cudaArraySparseProperties *sparseProperties,
                                                   cudaMipmappedArray_t mipmap) {
  return check(HEL_TRY(bound_driver())
                   ->MipmappedArrayGetSparseProperties(
                       reinterpret_cast<CUDA_ARRAY_SPARSE_PROPERTIES *>(sparseProperties), driver_mipmap(mipmap)));
}

}  // namespace hel::rt
