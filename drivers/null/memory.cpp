// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Null driver: memory, copies, fills.
#include "drivers/null/state.h"
#include "helicon/gen/null_impl.h"

#include <cstdlib>
#include <cstring>

namespace hel::null {
namespace {

CUdeviceptr address(const void *pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }
char *bytes_at(CUdeviceptr at) { return reinterpret_cast<char *>(at); }

Result<void> check_device_range(CUdeviceptr at, size_t bytes) HEL_REQUIRES(state().mutex) {
  if (find_allocation(at, bytes) == nullptr) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%zu bytes at 0x%llx are not device memory", bytes, at);
  }
  return {};
}

Result<void> release(CUdeviceptr at, bool host) HEL_REQUIRES(state().mutex) {
  auto found = state().memory.find(at);
  if (found == state().memory.end() || (found->second.kind == Allocation::Host) != host) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "0x%llx was not allocated so", at);
  }
  drain_all(HEL_TRY(current_context()));
  std::free(bytes_at(at));
  state().memory.erase(found);
  return {};
}

Result<void> allocate(CUdeviceptr *out, size_t bytes, Allocation::Kind kind, unsigned flags) {
  Lock lock(state().mutex);
  Context *context = HEL_TRY(current_context());
  HEL_TRY(need(out, "the place for the pointer"));
  if (bytes == 0) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "0 bytes");
  }
  if (bytes > kDeviceBytes) {
    return HEL_FAIL_KIND(CUDA_ERROR_OUT_OF_MEMORY, OutOfMemory, "%zu bytes, the device has %zu", bytes, kDeviceBytes);
  }
  *out = new_memory(bytes, kind, context->device, flags);
  return {};
}

/// Queues a copy; `wait` makes it happen before the call returns.
Result<void> copy(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream handle, bool wait)
    HEL_REQUIRES(state().mutex) {
  Stream *stream = HEL_TRY(find_stream(handle));
  Command *command = enqueue(stream, "copy " + std::to_string(bytes) + " bytes",
                             [=] { std::memmove(bytes_at(to), bytes_at(from), bytes); });
  if (wait) {
    perform(command);
  }
  return {};
}

Result<void> copy_checked(CUdeviceptr to, bool to_device, CUdeviceptr from, bool from_device, size_t bytes,
                          CUstream handle, bool wait) {
  Lock lock(state().mutex);
  if (to_device) {
    HEL_TRY(check_device_range(to, bytes));
  }
  if (from_device) {
    HEL_TRY(check_device_range(from, bytes));
  }
  HEL_TRY(need(bytes_at(to), "the destination"));
  HEL_TRY(need(bytes_at(from), "the source"));
  return copy(to, from, bytes, handle, wait);
}

Result<void> copy_3d(const CUDA_MEMCPY3D *p, CUstream handle, bool wait) {
  Lock lock(state().mutex);
  Stream *stream = HEL_TRY(find_stream(handle));
  HEL_TRY(need(p, "pCopy"));
  if (p->srcMemoryType == CU_MEMORYTYPE_ARRAY || p->dstMemoryType == CU_MEMORYTYPE_ARRAY) {
    return HEL_FAIL_KIND(CUDA_ERROR_NOT_SUPPORTED, Unsupported, "the null driver has no arrays");
  }
  CUDA_MEMCPY3D c = *p;
  char *to = c.dstMemoryType == CU_MEMORYTYPE_HOST ? static_cast<char *>(c.dstHost) : bytes_at(c.dstDevice);
  const char *from = c.srcMemoryType == CU_MEMORYTYPE_HOST ? static_cast<const char *>(c.srcHost) : bytes_at(c.srcDevice);
  std::string text = format("copy %zu x %zu x %zu bytes", c.WidthInBytes, c.Height, c.Depth);
  Command *command = enqueue(stream, text, [=] {
    for (size_t z = 0; z < c.Depth; z++) {
      for (size_t y = 0; y < c.Height; y++) {
        std::memmove(to + ((z + c.dstZ) * c.dstHeight + y + c.dstY) * c.dstPitch + c.dstXInBytes,
                     from + ((z + c.srcZ) * c.srcHeight + y + c.srcY) * c.srcPitch + c.srcXInBytes, c.WidthInBytes);
      }
    }
  });
  if (wait) {
    perform(command);
  }
  return {};
}

Result<void> fill(CUdeviceptr at, size_t pitch, unsigned char value, size_t width, size_t rows, CUstream handle,
                  bool wait) {
  Lock lock(state().mutex);
  Stream *stream = HEL_TRY(find_stream(handle));
  if (width > pitch) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "rows of %zu bytes do not fit a pitch of %zu", width, pitch);
  }
  HEL_TRY(check_device_range(at, rows == 0 ? 0 : (rows - 1) * pitch + width));
  Command *command = enqueue(stream, format("fill %zu bytes", width * rows), [=] {
    for (size_t y = 0; y < rows; y++) {
      std::memset(bytes_at(at) + y * pitch, value, width);
    }
  });
  if (wait) {
    perform(command);
  }
  return {};
}

}  // namespace

const Allocation *find_allocation(CUdeviceptr at, size_t bytes) {
  auto above = state().memory.upper_bound(at);
  if (above == state().memory.begin()) {
    return nullptr;
  }
  auto &[start, allocation] = *std::prev(above);
  size_t offset = at - start;
  return offset < allocation.bytes && bytes <= allocation.bytes - offset ? &allocation : nullptr;
}

CUdeviceptr new_memory(size_t bytes, Allocation::Kind kind, int device, unsigned flags) {
  CUdeviceptr at = address(std::calloc(1, bytes));
  state().memory[at] = {bytes, kind, device, flags};
  return at;
}

Result<void> mem_alloc(CUdeviceptr *dptr, size_t bytesize) { return allocate(dptr, bytesize, Allocation::Device, 0); }

Result<void> mem_alloc_managed(CUdeviceptr *dptr, size_t bytesize, unsigned int flags) {
  return allocate(dptr, bytesize, Allocation::Managed, flags);
}

Result<void> mem_host_alloc(void **pp, size_t bytesize, unsigned int Flags) {
  return allocate(reinterpret_cast<CUdeviceptr *>(pp), bytesize, Allocation::Host, Flags);
}

Result<void> mem_alloc_host(void **pp, size_t bytesize) { return mem_host_alloc(pp, bytesize, 0); }

Result<void> mem_alloc_pitch(CUdeviceptr *dptr, size_t *pPitch, size_t WidthInBytes, size_t Height,
                             unsigned int ElementSizeBytes) {
  HEL_TRY(need(pPitch, "pPitch"));
  size_t pitch = (WidthInBytes + 511) & ~size_t{511};
  HEL_TRY(allocate(dptr, pitch * Height, Allocation::Device, 0));
  *pPitch = pitch;
  return {};
}

Result<void> mem_alloc_async(CUdeviceptr *dptr, size_t bytesize, CUstream hStream) { return mem_alloc(dptr, bytesize); }

Result<void> mem_free(CUdeviceptr dptr) {
  Lock lock(state().mutex);
  return release(dptr, false);
}

Result<void> mem_free_async(CUdeviceptr dptr, CUstream hStream) { return mem_free(dptr); }

Result<void> mem_free_host(void *p) {
  Lock lock(state().mutex);
  return release(address(p), true);
}

Result<void> mem_get_info(size_t *free, size_t *total) {
  Lock lock(state().mutex);
  HEL_TRY(current_context());
  *total = kDeviceBytes;
  *free = kDeviceBytes;
  for (const auto &[at, allocation] : state().memory) {
    *free -= allocation.kind == Allocation::Device ? std::min(*free, allocation.bytes) : 0;
  }
  return {};
}

Result<void> pointer_get_attributes(unsigned int numAttributes, CUpointer_attribute *attributes, void **data,
                                    CUdeviceptr ptr) {
  Lock lock(state().mutex);
  const Allocation *found = find_allocation(ptr, 0);
  for (unsigned i = 0; i < numAttributes; i++) {
    switch (attributes[i]) {
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      *static_cast<unsigned *>(data[i]) = found == nullptr ? 0
                                          : found->kind == Allocation::Host ? CU_MEMORYTYPE_HOST
                                                                            : CU_MEMORYTYPE_DEVICE;
      break;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      *static_cast<unsigned *>(data[i]) = found != nullptr && found->kind == Allocation::Managed;
      break;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      *static_cast<int *>(data[i]) = found == nullptr ? CU_DEVICE_INVALID : found->device;
      break;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      *static_cast<CUdeviceptr *>(data[i]) = found == nullptr ? 0 : ptr;
      break;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      *static_cast<void **>(data[i]) =
          found == nullptr || found->kind == Allocation::Device ? nullptr : bytes_at(ptr);
      break;
    default:
      return HEL_FAIL_KIND(CUDA_ERROR_NOT_SUPPORTED, Unsupported, "pointer attribute %d", static_cast<int>(attributes[i]));
    }
  }
  return {};
}

Result<void> memcpy(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount) {
  return copy_checked(dst, false, src, false, ByteCount, nullptr, true);
}

Result<void> memcpy_htod(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount) {
  return copy_checked(dstDevice, true, address(srcHost), false, ByteCount, nullptr, true);
}

Result<void> memcpy_dtoh(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount) {
  return copy_checked(address(dstHost), false, srcDevice, true, ByteCount, nullptr, true);
}

Result<void> memcpy_dtod(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount) {
  return copy_checked(dstDevice, true, srcDevice, true, ByteCount, nullptr, true);
}

Result<void> memcpy_async(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount, CUstream hStream) {
  return copy_checked(dst, false, src, false, ByteCount, hStream, false);
}

Result<void> memcpy_htod_async(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount, CUstream hStream) {
  return copy_checked(dstDevice, true, address(srcHost), false, ByteCount, hStream, false);
}

Result<void> memcpy_dtoh_async(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream) {
  return copy_checked(address(dstHost), false, srcDevice, true, ByteCount, hStream, false);
}

Result<void> memcpy_dtod_async(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream) {
  return copy_checked(dstDevice, true, srcDevice, true, ByteCount, hStream, false);
}

Result<void> memcpy3d(const CUDA_MEMCPY3D *pCopy) { return copy_3d(pCopy, nullptr, true); }

Result<void> memcpy3d_async(const CUDA_MEMCPY3D *pCopy, CUstream hStream) { return copy_3d(pCopy, hStream, false); }

Result<void> memset_d8(CUdeviceptr dstDevice, unsigned char uc, size_t N) {
  return fill(dstDevice, N, uc, N, 1, nullptr, true);
}

Result<void> memset_d8_async(CUdeviceptr dstDevice, unsigned char uc, size_t N, CUstream hStream) {
  return fill(dstDevice, N, uc, N, 1, hStream, false);
}

Result<void> memset_d2d8(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width, size_t Height) {
  return fill(dstDevice, dstPitch, uc, Width, Height, nullptr, true);
}

Result<void> memset_d2d8_async(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width, size_t Height,
                               CUstream hStream) {
  return fill(dstDevice, dstPitch, uc, Width, Height, hStream, false);
}

}  // namespace hel::null
