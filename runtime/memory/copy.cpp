// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies. A copy of one dimension becomes the driver's call for its direction; every other copy becomes one
// CUDA_MEMCPY3D.
#include "runtime/memory/copy.h"
#include "helicon/gen/runtime_impl.h"
#include "runtime/core/context.h"
#include "runtime/core/convert.h"

namespace hel::rt {
namespace {

/// Where a copy goes: at once, or into a stream.
struct When {
  bool async = false;
  cudaStream_t stream = nullptr;
};

bool is_empty(const cudaExtent &extent) { return extent.width == 0 || extent.height == 0 || extent.depth == 0; }

Result<void> submit(const DriverTable &cu, const CUDA_MEMCPY3D &copy, When when) {
  if (copy.WidthInBytes == 0 || copy.Height == 0 || copy.Depth == 0) {
    return {};
  }
  return check(when.async ? cu.Memcpy3DAsync(&copy, when.stream) : cu.Memcpy3D(&copy));
}

/// One end of a copy of several dimensions. Offsets are in bytes and rows.
struct End {
  const void *pointer = nullptr;
  cudaArray_const_t array = nullptr;
  size_t pitch = 0;
  size_t rows = 0;
  size_t x = 0, y = 0, z = 0;
};

Result<CUmemorytype> memory_type(const End &end, cudaMemcpyKind kind, bool is_source) {
  bool host = is_source ? kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice
                        : kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost;
  if (end.array != nullptr) {
    if (host && kind != cudaMemcpyDefault) {
      return HEL_FAIL(cudaErrorInvalidMemcpyDirection, "direction %d has no array on this side",
                      static_cast<int>(kind));
    }
    return CU_MEMORYTYPE_ARRAY;
  }
  if (kind == cudaMemcpyDefault) {
    return CU_MEMORYTYPE_UNIFIED;
  }
  return host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
}

Result<CUDA_MEMCPY3D> describe(const End &dst, const End &src, cudaExtent bytes, cudaMemcpyKind kind) {
  HEL_TRY(check_direction(kind));
  CUDA_MEMCPY3D copy{};
  copy.srcMemoryType = HEL_TRY(memory_type(src, kind, true));
  copy.srcXInBytes = src.x;
  copy.srcY = src.y;
  copy.srcZ = src.z;
  copy.srcHost = src.pointer;
  copy.srcDevice = device_pointer(src.pointer);
  copy.srcArray = driver_array(src.array);
  copy.srcPitch = src.pitch;
  copy.srcHeight = src.rows;
  copy.dstMemoryType = HEL_TRY(memory_type(dst, kind, false));
  copy.dstXInBytes = dst.x;
  copy.dstY = dst.y;
  copy.dstZ = dst.z;
  copy.dstHost = const_cast<void *>(dst.pointer);
  copy.dstDevice = device_pointer(dst.pointer);
  copy.dstArray = driver_array(dst.array);
  copy.dstPitch = dst.pitch;
  copy.dstHeight = dst.rows;
  copy.WidthInBytes = bytes.width;
  copy.Height = bytes.height;
  copy.Depth = bytes.depth;
  return copy;
}

Result<void> check_pitch(const End &end, const cudaExtent &bytes) {
  if (end.array == nullptr && bytes.width > end.pitch && bytes.height * bytes.depth > 1) {
    return HEL_FAIL(cudaErrorInvalidPitchValue, "rows of %zu bytes do not fit a pitch of %zu", bytes.width, end.pitch);
  }
  return {};
}

Result<void> copy_ends(const End &dst, const End &src, cudaExtent bytes, cudaMemcpyKind kind, When when) {
  const DriverTable *cu = HEL_TRY(bound_driver());
  HEL_TRY(check_pitch(dst, bytes));
  HEL_TRY(check_pitch(src, bytes));
  CUDA_MEMCPY3D copy = HEL_TRY(describe(dst, src, bytes, kind));
  return submit(*cu, copy, when);
}

Result<void> copy_2d(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                     cudaMemcpyKind kind, When when) {
  if (width > dpitch || width > spitch) {
    return HEL_FAIL(cudaErrorInvalidPitchValue, "rows of %zu bytes do not fit pitches of %zu and %zu", width, dpitch,
                    spitch);
  }
  return copy_ends({.pointer = dst, .pitch = dpitch}, {.pointer = src, .pitch = spitch}, {width, height, 1}, kind,
                   when);
}

unsigned channel_bytes(CUarray_format format) {
  switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT8:
      return 1;
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_SIGNED_INT16:
    case CU_AD_FORMAT_HALF:
      return 2;
    default:
      return 4;
  }
}

Result<End> end_of(const DriverTable &cu, cudaArray_t array, const cudaPitchedPtr &pointer, const cudaPos &at) {
  if ((array == nullptr) == (pointer.ptr == nullptr)) {
    return HEL_FAIL(cudaErrorInvalidValue, "each side of a copy is either an array or a pointer");
  }
  size_t element = HEL_TRY(array_element_bytes(cu, array));
  return End{pointer.ptr, array, pointer.pitch, pointer.ysize, at.x * element, at.y, at.z};
}

Result<void> copy_3d(const cudaMemcpy3DParms *p, When when) {
  const DriverTable *cu = HEL_TRY(bound_driver());
  if (p == nullptr) {
    return HEL_FAIL(cudaErrorInvalidValue, "the parameters are null");
  }
  return is_empty(p->extent) ? Result<void>{} : submit(*cu, HEL_TRY(driver_copy(*cu, p)), when);
}

Result<void> copy_3d_peer(const cudaMemcpy3DPeerParms *p, When when) {
  const DriverTable *cu = HEL_TRY(bound_driver());
  if (p == nullptr) {
    return HEL_FAIL(cudaErrorInvalidValue, "the parameters are null");
  }
  if (is_empty(p->extent)) {
    return {};
  }
  HEL_TRY(check_device(p->srcDevice));
  HEL_TRY(check_device(p->dstDevice));
  End src = HEL_TRY(end_of(*cu, p->srcArray, p->srcPtr, p->srcPos));
  End dst = HEL_TRY(end_of(*cu, p->dstArray, p->dstPtr, p->dstPos));
  size_t element = HEL_TRY(array_element_bytes(*cu, p->srcArray != nullptr ? p->srcArray : p->dstArray));
  return copy_ends(dst, src, {p->extent.width * element, p->extent.height, p->extent.depth}, cudaMemcpyDefault, when);
}

}  // namespace

Result<void> check_direction(cudaMemcpyKind kind) {
  if (static_cast<unsigned>(kind) > cudaMemcpyDefault) {
    return HEL_FAIL(cudaErrorInvalidMemcpyDirection, "%d is no copy direction", static_cast<int>(kind));
  }
  return {};
}

Result<CUDA_MEMCPY3D> driver_copy(const DriverTable &cu, const cudaMemcpy3DParms *p) {
  if (p == nullptr) {
    return HEL_FAIL(cudaErrorInvalidValue, "the parameters are null");
  }
  End src = HEL_TRY(end_of(cu, p->srcArray, p->srcPtr, p->srcPos));
  End dst = HEL_TRY(end_of(cu, p->dstArray, p->dstPtr, p->dstPos));
  // The extent counts elements of an array that takes part, else bytes.
  size_t element = HEL_TRY(array_element_bytes(cu, p->srcArray != nullptr ? p->srcArray : p->dstArray));
  const cudaExtent bytes{p->extent.width * element, p->extent.height, p->extent.depth};
  HEL_TRY(check_pitch(dst, bytes));
  HEL_TRY(check_pitch(src, bytes));
  return describe(dst, src, bytes, p->kind);
}

Result<size_t> array_element_bytes(const DriverTable &cu, cudaArray_const_t array) {
  if (array == nullptr) {
    return size_t{1};
  }
  CUDA_ARRAY3D_DESCRIPTOR descriptor{};
  HEL_TRY(check(cu.Array3DGetDescriptor(&descriptor, driver_array(array))));
  return size_t{channel_bytes(descriptor.Format)} * descriptor.NumChannels;
}

Result<size_t> array_row_bytes(const DriverTable &cu, cudaArray_const_t array) {
  CUDA_ARRAY3D_DESCRIPTOR descriptor{};
  HEL_TRY(check(cu.Array3DGetDescriptor(&descriptor, driver_array(array))));
  return descriptor.Width * channel_bytes(descriptor.Format) * descriptor.NumChannels;
}

Result<void> memcpy(void *dst, const void *src, size_t count, cudaMemcpyKind kind) {
  const DriverTable *cu = HEL_TRY(bound_driver());
  HEL_TRY(check_direction(kind));
  if (count == 0) {
    return {};
  }
  switch (kind) {
    case cudaMemcpyHostToDevice:
      return check(cu->MemcpyHtoD(device_pointer(dst), src, count));
    case cudaMemcpyDeviceToHost:
      return check(cu->MemcpyDtoH(dst, device_pointer(src), count));
    case cudaMemcpyDeviceToDevice:
      return check(cu->MemcpyDtoD(device_pointer(dst), device_pointer(src), count));
    default:
      return check(cu->Memcpy(device_pointer(dst), device_pointer(src), count));
  }
}

Result<void> memcpy_async(void *dst, const void *src, size_t count, cudaMemcpyKind kind, cudaStream_t stream) {
  const DriverTable *cu = HEL_TRY(bound_driver());
  HEL_TRY(check_direction(kind));
  if (count == 0) {
    return {};
  }
  switch (kind) {
    case cudaMemcpyHostToDevice:
      return check(cu->MemcpyHtoDAsync(device_pointer(dst), src, count, stream));
    case cudaMemcpyDeviceToHost:
      return check(cu->MemcpyDtoHAsync(dst, device_pointer(src), count, stream));
    case cudaMemcpyDeviceToDevice:
      return check(cu->MemcpyDtoDAsync(device_pointer(dst), device_pointer(src), count, stream));
    default:
      return check(cu->MemcpyAsync(device_pointer(dst), device_pointer(src), count, stream));
  }
}

Result<void> memcpy_peer(void *dst, int dstDevice, const void *src, int srcDevice, size_t count) {
  const DriverTable *cu = HEL_TRY(bound_driver());
  CUcontext to = HEL_TRY(primary_context(dstDevice));
  CUcontext from = HEL_TRY(primary_context(srcDevice));
  return check(cu->MemcpyPeer(device_pointer(dst), to, device_pointer(src), from, count));
}

Result<void> memcpy_peer_async(void *dst, int dstDevice, const void *src, int srcDevice, size_t count,
                               cudaStream_t stream) {
  const DriverTable *cu = HEL_TRY(bound_driver());
  CUcontext to = HEL_TRY(primary_context(dstDevice));
  CUcontext from = HEL_TRY(primary_context(srcDevice));
  return check(cu->MemcpyPeerAsync(device_pointer(dst), to, device_pointer(src), from, count, stream));
}

Result<void> memcpy2d(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                      cudaMemcpyKind kind) {
  return copy_2d(dst, dpitch, src, spitch, width, height, kind, {});
}

Result<void> memcpy2d_async(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                            cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_2d(dst, dpitch, src, spitch, width, height, kind, {true, stream});
}

Result<void> memcpy2d_to_array(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t spitch,
                               size_t width, size_t height, cudaMemcpyKind kind) {
  return copy_ends({.array = dst, .x = wOffset, .y = hOffset}, {.pointer = src, .pitch = spitch}, {width, height, 1},
                   kind, {});
}

Result<void> memcpy2d_to_array_async(cudaArray_t dst, size_t wOffset, size_t hOffset, const void *src, size_t spitch,
                                     size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_ends({.array = dst, .x = wOffset, .y = hOffset}, {.pointer = src, .pitch = spitch}, {width, height, 1},
                   kind, {true, stream});
}

Result<void> memcpy2d_from_array(void *dst, size_t dpitch, cudaArray_const_t src, size_t wOffset, size_t hOffset,
                                 size_t width, size_t height, cudaMemcpyKind kind) {
  return copy_ends({.pointer = dst, .pitch = dpitch}, {.array = src, .x = wOffset, .y = hOffset}, {width, height, 1},
                   kind, {});
}

Result<void> memcpy2d_from_array_async(void *dst, size_t dpitch, cudaArray_const_t src, size_t wOffset, size_t hOffset,
                                       size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_ends({.pointer = dst, .pitch = dpitch}, {.array = src, .x = wOffset, .y = hOffset}, {width, height, 1},
                   kind, {true, stream});
}

Result<void> memcpy2d_array_to_array(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst, cudaArray_const_t src,
                                     size_t wOffsetSrc, size_t hOffsetSrc, size_t width, size_t height,
                                     cudaMemcpyKind kind) {
  return copy_ends({.array = dst, .x = wOffsetDst, .y = hOffsetDst}, {.array = src, .x = wOffsetSrc, .y = hOffsetSrc},
                   {width, height, 1}, kind, {});
}

Result<void> memcpy3d(const cudaMemcpy3DParms *p) { return copy_3d(p, {}); }

Result<void> memcpy3d_async(const cudaMemcpy3DParms *p, cudaStream_t stream) { return copy_3d(p, {true, stream}); }

Result<void> memcpy3d_peer(const cudaMemcpy3DPeerParms *p) { return copy_3d_peer(p, {}); }

Result<void> memcpy3d_peer_async(const cudaMemcpy3DPeerParms *p, cudaStream_t stream) {
  return copy_3d_peer(p, {true, stream});
}

}  // namespace hel::rt
