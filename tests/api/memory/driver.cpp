// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory by the driver API: device, page-locked, registered and managed memory, and what is told about a pointer.
// RUN: %mcc %s -o %t -lcuda && %run %t
// covers: C-3.3-01 M-3.2.6-01 M-3.2.6-02 M-3.2.6-03 M-3.2.10-01
#include <cuda.h>

#include <cstdint>
#include <cstdlib>

#include "check.h"

constexpr size_t kBytes = 1 << 16;

static CUdeviceptr address(void *p) { return reinterpret_cast<CUdeviceptr>(p); }

static void device_memory() {
  size_t free_before = 0, free_during = 0, free_after = 0, total = 0, device_total = 0;
  CHECK_CU(cuMemGetInfo(&free_before, &total));
  CHECK_CU(cuDeviceTotalMem(&device_total, 0));
  CHECK_EQ(total, device_total);
  CHECK(free_before > 0 && free_before <= total);
  CHECK_ERROR(cuMemGetInfo(nullptr, nullptr), check::is_own_driver() ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);

  CUdeviceptr rows = 0, base = 0;
  size_t pitch = 0, bytes = 0;
  CHECK_CU(cuMemAllocPitch(&rows, &pitch, 100, 33, 4));
  CHECK(pitch >= 100 && pitch % 16 == 0);
  CHECK_CU(cuMemsetD2D8(rows, pitch, 1, 100, 33));
  CHECK_CU(cuMemGetAddressRange(&base, &bytes, rows + 32 * pitch + 99));
  CHECK_EQ(base, rows);
  CHECK(bytes >= 32 * pitch + 100);
  CHECK_CU(cuMemGetAddressRange(nullptr, &bytes, rows));
  CHECK_CU(cuMemGetAddressRange(&base, nullptr, rows));
  CHECK_ERROR(cuMemGetAddressRange(&base, &bytes, address(&base)), CUDA_ERROR_NOT_FOUND);
  CHECK_ERROR(cuMemAllocPitch(nullptr, &pitch, 100, 33, 4), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemAllocPitch(&base, nullptr, 100, 33, 4), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemAllocPitch(&base, &pitch, 100, 33, 5), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemAllocPitch(&base, &pitch, 0, 33, 4), CUDA_ERROR_INVALID_VALUE);
  base = 77;
  CHECK_ERROR(cuMemAllocPitch(&base, &pitch, 1 << 20, 1 << 30, 4), CUDA_ERROR_OUT_OF_MEMORY);
  CHECK(base == CUdeviceptr{77} || !check::is_own_driver());

  CUdeviceptr large = 0;
  CHECK_CU(cuMemAlloc(&large, 64 << 20));
  CHECK_CU(cuMemGetInfo(&free_during, &total));
  CHECK(free_during + (64 << 20) <= free_before || !check::is_own_driver());  // other programs use a GPU too
  CHECK_CU(cuMemFree(large));
  CHECK_CU(cuMemFree(rows));
  CHECK_CU(cuMemGetInfo(&free_after, &total));
  CHECK(free_after == free_before || !check::is_own_driver());
  CHECK_ERROR(cuMemGetAddressRange(&base, &bytes, large), CUDA_ERROR_NOT_FOUND);
}

static void page_locked() {
  void *plain = nullptr, *combined = nullptr, *none = &plain;
  unsigned flags = 0;
  CUdeviceptr seen = 0;
  CHECK_CU(cuMemAllocHost(&plain, kBytes));
  CHECK_CU(cuMemHostAlloc(&combined, kBytes, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_WRITECOMBINED));
  static_cast<int *>(plain)[5] = 55;
  CHECK_CU(cuMemHostGetDevicePointer(&seen, static_cast<char *>(plain) + 20, 0));
  int value = 0;
  CHECK_CU(cuMemcpyDtoH(&value, seen, 4));
  CHECK_EQ(value, 55);
  CHECK_CU(cuMemHostGetFlags(&flags, combined));
  CHECK((flags & (CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_WRITECOMBINED)) ==
        (CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_WRITECOMBINED));
  CHECK_CU(cuMemHostGetFlags(&flags, plain));
  CHECK((flags & CU_MEMHOSTALLOC_WRITECOMBINED) == 0);

  CHECK_ERROR(cuMemAllocHost(nullptr, kBytes), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemHostAlloc(nullptr, kBytes, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemHostAlloc(&none, kBytes, 0x100), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemHostAlloc(&none, SIZE_MAX / 2, 0), CUDA_ERROR_OUT_OF_MEMORY);
  CHECK(none == &plain || !check::is_own_driver());
  CHECK_ERROR(cuMemHostGetDevicePointer(nullptr, plain, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemHostGetDevicePointer(&seen, plain, 1), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemHostGetDevicePointer(&seen, &flags, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemHostGetFlags(nullptr, plain), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemHostGetFlags(&flags, &flags), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemFreeHost(static_cast<char *>(plain) + 8), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemFreeHost(&flags), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuMemFreeHost(plain));
  CHECK_ERROR(cuMemFreeHost(plain), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuMemFreeHost(combined));
}

static void registered() {
  char *memory = static_cast<char *>(aligned_alloc(4096, kBytes));
  CUdeviceptr seen = 0;
  unsigned flags = 0;
  CHECK_CU(cuMemHostRegister(memory, kBytes, CU_MEMHOSTREGISTER_DEVICEMAP | CU_MEMHOSTREGISTER_PORTABLE));
  CHECK_ERROR(cuMemHostRegister(memory, kBytes, 0), CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  CHECK_CU(cuMemHostGetDevicePointer(&seen, memory + 100, 0));
  CHECK_CU(cuMemHostGetFlags(&flags, memory));
  CHECK((flags & CU_MEMHOSTREGISTER_PORTABLE) != 0);
  CHECK_CU(cuMemsetD8(seen, 0x42, 100));
  CHECK_EQ(memory[150], 0x42);
  CHECK_ERROR(cuMemHostUnregister(memory + 4096), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuMemHostUnregister(memory));
  CHECK_ERROR(cuMemHostUnregister(memory), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
  CHECK_ERROR(cuMemHostGetFlags(&flags, memory), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemHostUnregister(nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemHostRegister(nullptr, kBytes, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemHostRegister(memory, 0, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemHostRegister(memory, kBytes, 0x1000), CUDA_ERROR_INVALID_VALUE);
  free(memory);
}

static void managed() {
  CUdeviceptr memory = 0;
  CHECK_CU(cuMemAllocManaged(&memory, kBytes, CU_MEM_ATTACH_GLOBAL));
  CHECK_CU(cuMemsetD32(memory, 7, kBytes / 4));
  CHECK_CU(cuCtxSynchronize());
  CHECK_EQ(reinterpret_cast<int *>(memory)[99], 7);
  CHECK_ERROR(cuMemAllocManaged(nullptr, kBytes, CU_MEM_ATTACH_GLOBAL), CUDA_ERROR_INVALID_VALUE);
  CUdeviceptr none = 77;
  CHECK_ERROR(cuMemAllocManaged(&none, kBytes, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemAllocManaged(&none, 0, CU_MEM_ATTACH_GLOBAL), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemAllocManaged(&none, kBytes, CU_MEM_ATTACH_GLOBAL | CU_MEM_ATTACH_HOST), CUDA_ERROR_INVALID_VALUE);
  CHECK(none == CUdeviceptr{77} || !check::is_own_driver());

  // Attachment to a stream: whole allocations of managed memory only.
  CUstream stream;
  CHECK_CU(cuStreamCreate(&stream, 0));
  CHECK_CU(cuStreamAttachMemAsync(stream, memory, 0, CU_MEM_ATTACH_SINGLE));
  CHECK_CU(cuStreamSynchronize(stream));
  CHECK_CU(cuStreamAttachMemAsync(stream, memory, kBytes, CU_MEM_ATTACH_GLOBAL));
  CHECK_OWN_ERROR(cuStreamAttachMemAsync(stream, memory, 0, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuStreamAttachMemAsync(stream, memory, 4, CU_MEM_ATTACH_HOST), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuStreamAttachMemAsync(stream, 0, 0, CU_MEM_ATTACH_HOST), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuStreamAttachMemAsync(nullptr, memory, 0, CU_MEM_ATTACH_SINGLE), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuStreamDestroy(stream));
  CHECK_OWN_ERROR(cuStreamAttachMemAsync(stream, memory, 0, CU_MEM_ATTACH_SINGLE), CUDA_ERROR_INVALID_HANDLE);
  CHECK_CU(cuMemFree(memory));
}

static void pointers() {
  CUcontext context = nullptr, of_pointer = nullptr;
  CHECK_CU(cuCtxGetCurrent(&context));
  CUdeviceptr device = 0, shared = 0, base = 0, in_device = 0;
  void *host = nullptr, *in_host = nullptr;
  CHECK_CU(cuMemAlloc(&device, kBytes));
  CHECK_CU(cuMemAllocManaged(&shared, kBytes, CU_MEM_ATTACH_GLOBAL));
  CHECK_CU(cuMemAllocHost(&host, kBytes));
  unsigned type = 0, is_managed = 7, on = 1, sync = 0;
  int ordinal = -1;
  size_t bytes = 0;
  CUpointer_attribute asked[] = {CU_POINTER_ATTRIBUTE_CONTEXT,          CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                 CU_POINTER_ATTRIBUTE_IS_MANAGED,       CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                                 CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, CU_POINTER_ATTRIBUTE_RANGE_SIZE,
                                 CU_POINTER_ATTRIBUTE_DEVICE_POINTER,   CU_POINTER_ATTRIBUTE_HOST_POINTER};
  void *answers[] = {&of_pointer, &type, &is_managed, &ordinal, &base, &bytes, &in_device, &in_host};
  CHECK_CU(cuPointerGetAttributes(8, asked, answers, device + 100));
  CHECK_EQ(of_pointer, context);
  CHECK_EQ(type, unsigned{CU_MEMORYTYPE_DEVICE});
  CHECK_EQ(is_managed, 0u);
  CHECK_EQ(ordinal, 0);
  CHECK_EQ(base, device);
  CHECK_EQ(bytes, kBytes);
  CHECK_EQ(in_device, device + 100);
  CHECK(in_host == nullptr);
  CHECK_CU(cuPointerGetAttributes(8, asked, answers, shared + 8));
  CHECK_EQ(is_managed, 1u);
  CHECK_EQ(address(in_host), shared + 8);
  CHECK_CU(cuPointerGetAttributes(8, asked, answers, address(host)));
  CHECK_EQ(type, unsigned{CU_MEMORYTYPE_HOST});
  CHECK_EQ(in_host, host);
  CHECK_CU(cuPointerGetAttributes(8, asked, answers, address(&type)));  // unknown: zeros
  CHECK((of_pointer == nullptr && base == 0 && bytes == 0 && is_managed == 0) || !check::is_own_driver());
  CHECK_ERROR(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address(&type)), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuPointerGetAttribute(&in_host, CU_POINTER_ATTRIBUTE_HOST_POINTER, device), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuPointerGetAttributes(8, nullptr, answers, device), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuPointerGetAttributes(8, asked, nullptr, device), CUDA_ERROR_INVALID_VALUE);
  asked[0] = static_cast<CUpointer_attribute>(999);
  CHECK_ERROR(cuPointerGetAttributes(8, asked, answers, device), CUDA_ERROR_INVALID_VALUE);

  // What can be shared with other processes, and blocks that are told apart.
  unsigned legacy = 7;
  unsigned long long first = 0, same = 0, second = 0;
  CHECK_CU(cuPointerGetAttribute(&legacy, CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE, device));
  CHECK_EQ(legacy, 1u);
  CHECK_CU(cuPointerGetAttribute(&legacy, CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE, address(host)));
  CHECK_EQ(legacy, 0u);
  CHECK_CU(cuPointerGetAttribute(&first, CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID, device));
  CHECK_CU(cuPointerGetAttribute(&same, CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID, device + kBytes - 1));
  CHECK_CU(cuPointerGetAttribute(&second, CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID, shared));
  CHECK(first == same && first != second);

  CHECK_CU(cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, device));
  CHECK_CU(cuPointerGetAttribute(&sync, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, device + 4));
  CHECK_EQ(sync, 1u);
  CHECK_ERROR(cuPointerSetAttribute(nullptr, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, device), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, device), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, address(&on)), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuMemFree(device));
  CHECK_CU(cuMemFree(shared));
  CHECK_CU(cuMemFreeHost(host));
}

static void no_context() {
  size_t a = 0, b = 0;
  CUdeviceptr d = 0;
  void *p = nullptr;
  unsigned flags = 0;
  CHECK_ERROR(cuMemGetInfo(&a, &b), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_ERROR(cuMemAllocPitch(&d, &a, 4, 4, 4), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_ERROR(cuMemAllocHost(&p, 4), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_ERROR(cuMemHostAlloc(&p, 4, 0), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_ERROR(cuMemHostRegister(&d, 4, 0), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_ERROR(cuMemHostGetFlags(&flags, &d), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_ERROR(cuMemAllocManaged(&d, 4, CU_MEM_ATTACH_GLOBAL), CUDA_ERROR_INVALID_CONTEXT);
}

int main() {
  CUcontext context;
  void *p = nullptr;
  CHECK_OWN_ERROR(cuMemAllocHost(&p, 4), CUDA_ERROR_NOT_INITIALIZED);
  CHECK_CU(cuInit(0));
  no_context();
  CHECK_CU(cuCtxCreate(&context, nullptr, 0, 0));
  device_memory();
  page_locked();
  registered();
  managed();
  pointers();
  CHECK_CU(cuCtxDestroy(context));
  return check_report();
}
