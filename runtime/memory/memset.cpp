// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Filling memory with a byte.
#include "helicon/gen/runtime_impl.h"
#include "runtime/core/context.h"
#include "runtime/core/convert.h"

namespace hel::rt {
namespace {

unsigned char low_byte(int value) { return static_cast<unsigned char>(value & 0xff); }

/// Calls `fill(first byte, rows)` for each run of rows that lie one pitch apart.
template <typename Fill> Result<void> for_each_slice(const cudaPitchedPtr &where, const cudaExtent &extent, Fill fill) {
  if (extent.width == 0 || extent.height == 0 || extent.depth == 0) {
    return {};
  }
  if (extent.width > where.pitch || (extent.depth > 1 && extent.height > where.ysize)) {
    return HEL_FAIL(cudaErrorInvalidValue, "%zu bytes and %zu rows do not fit slices of %zu x %zu", extent.width,
                    extent.height, where.pitch, where.ysize);
  }
  if (extent.depth == 1 || extent.height == where.ysize) {
    return fill(device_pointer(where.ptr), extent.height * extent.depth);
  }
  for (size_t z = 0; z < extent.depth; z++) {
    HEL_TRY(fill(device_pointer(where.ptr) + z * where.pitch * where.ysize, extent.height));
  }
  return {};
}

}  // namespace

Result<void> memset(void *devPtr, int value, size_t count) {
  const DriverTable *cu = HEL_TRY(bound_driver());
  return count == 0 ? Result<void>{} : check(cu->MemsetD8(device_pointer(devPtr), low_byte(value), count));
}

Result<void> memset_async(void *devPtr, int value, size_t count, cudaStream_t stream) {
  const DriverTable *cu = HEL_TRY(bound_driver());
  return count == 0 ? Result<void>{} : check(cu->MemsetD8Async(device_pointer(devPtr), low_byte(value), count, stream));
}

Result<void> memset2d(void *devPtr, size_t pitch, int value, size_t width, size_t height) {
  return memset3d({devPtr, pitch, width, height}, value, {width, height, 1});
}

Result<void> memset2d_async(void *devPtr, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream) {
  return memset3d_async({devPtr, pitch, width, height}, value, {width, height, 1}, stream);
}

Result<void> memset3d(cudaPitchedPtr pitchedDevPtr, int value, cudaExtent extent) {
  const DriverTable *cu = HEL_TRY(bound_driver());
  return for_each_slice(pitchedDevPtr, extent, [&](CUdeviceptr at, size_t rows) {
    return check(cu->MemsetD2D8(at, pitchedDevPtr.pitch, low_byte(value), extent.width, rows));
  });
}

Result<void> memset3d_async(cudaPitchedPtr pitchedDevPtr, int value, cudaExtent extent, cudaStream_t stream) {
  const DriverTable *cu = HEL_TRY(bound_driver());
  return for_each_slice(pitchedDevPtr, extent, [&](CUdeviceptr at, size_t rows) {
    return check(cu->MemsetD2D8Async(at, pitchedDevPtr.pitch, low_byte(value), extent.width, rows, stream));
  });
}

}  // namespace hel::rt
