// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of other interfaces by the driver API: a file that both sides see. Semaphores of other interfaces are refused.
// RUN: %mcc %s -o %t && %run %t
// gpu: no (a GPU's driver takes no file of the host)
// covers: C-4.21.2-01 C-4.21.2-02
#include "check.h"

#include <cuda.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

constexpr size_t kBytes = 1 << 20;

static int make_file() {
  const int file = memfd_create("external", MFD_CLOEXEC);
  CHECK(file >= 0 && ftruncate(file, kBytes) == 0);
  return file;
}

static CUDA_EXTERNAL_MEMORY_HANDLE_DESC description(int file) {
  CUDA_EXTERNAL_MEMORY_HANDLE_DESC desc = {};
  desc.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD;
  desc.handle.fd = file;
  desc.size = kBytes;
  return desc;
}

static void memory() {
  const int file = make_file();
  int *seen = static_cast<int *>(mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
  CUDA_EXTERNAL_MEMORY_HANDLE_DESC desc = description(file);
  CUexternalMemory memory, none = nullptr;
  CHECK_CU(cuImportExternalMemory(&memory, &desc));  // the descriptor is the library's now
  CUDA_EXTERNAL_MEMORY_BUFFER_DESC part = {};
  part.offset = 4096;
  part.size = 8192;
  CUdeviceptr mapped = 0, nothing = 0;
  CHECK_CU(cuExternalMemoryGetMappedBuffer(&mapped, memory, &part));
  CHECK_CU(cuMemsetD32(mapped, 99, 2048));
  CHECK(seen[1023] == 0 && seen[1024] == 99 && seen[3071] == 99 && seen[3072] == 0);

  CHECK_ERROR(cuExternalMemoryGetMappedBuffer(nullptr, memory, &part), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuExternalMemoryGetMappedBuffer(&nothing, memory, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuExternalMemoryGetMappedBuffer(&nothing, nullptr, &part), CUDA_ERROR_INVALID_VALUE);
  part.size = kBytes;
  CHECK_ERROR(cuExternalMemoryGetMappedBuffer(&nothing, memory, &part), CUDA_ERROR_INVALID_VALUE);
  part.size = 8;
  part.flags = 3;
  CHECK_ERROR(cuExternalMemoryGetMappedBuffer(&nothing, memory, &part), CUDA_ERROR_INVALID_VALUE);

  CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC shape = {};
  shape.arrayDesc = {64, 32, 0, CU_AD_FORMAT_FLOAT, 1, 0};
  shape.numLevels = 2;
  CUmipmappedArray mipmap;
  CUarray level;
  CHECK_CU(cuExternalMemoryGetMappedMipmappedArray(&mipmap, memory, &shape));
  CHECK_CU(cuMipmappedArrayGetLevel(&level, mipmap, 1));
  CUDA_ARRAY_DESCRIPTOR told;
  CHECK_CU(cuArrayGetDescriptor(&told, level));
  CHECK(told.Width == 32 && told.Height == 16);
  CHECK_CU(cuMipmappedArrayDestroy(mipmap));
  CHECK_ERROR(cuExternalMemoryGetMappedMipmappedArray(nullptr, memory, &shape), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuExternalMemoryGetMappedMipmappedArray(&mipmap, memory, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuExternalMemoryGetMappedMipmappedArray(&mipmap, nullptr, &shape), CUDA_ERROR_INVALID_VALUE);
  shape.arrayDesc.Height = 1 << 14;
  CHECK_ERROR(cuExternalMemoryGetMappedMipmappedArray(&mipmap, memory, &shape), CUDA_ERROR_INVALID_VALUE);

  CHECK_CU(cuDestroyExternalMemory(memory));
  CHECK_ERROR(cuDestroyExternalMemory(memory), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuMemsetD32(mapped, 1, 1));  // the mapping lives on
  CHECK_EQ(seen[1024], 1);
  CHECK_CU(cuMemFree(mapped));
  desc = description(make_file());
  CHECK_ERROR(cuImportExternalMemory(nullptr, &desc), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuImportExternalMemory(&none, nullptr), CUDA_ERROR_INVALID_VALUE);
  desc.size = 2 * kBytes;
  CHECK_ERROR(cuImportExternalMemory(&none, &desc), CUDA_ERROR_INVALID_VALUE);
  desc = description(-1);
  CHECK_ERROR(cuImportExternalMemory(&none, &desc), CUDA_ERROR_INVALID_HANDLE);
  desc.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_HEAP;
  CHECK_ERROR(cuImportExternalMemory(&none, &desc), CUDA_ERROR_INVALID_VALUE);
  CHECK(none == nullptr);
  munmap(seen, kBytes);
}

static void semaphores() {
  CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC desc = {};
  CUexternalSemaphore semaphore = nullptr;
  desc.type = CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD;
  CHECK_ERROR(cuImportExternalSemaphore(&semaphore, &desc), CUDA_ERROR_NOT_SUPPORTED);
  CHECK_ERROR(cuImportExternalSemaphore(nullptr, &desc), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuImportExternalSemaphore(&semaphore, nullptr), CUDA_ERROR_INVALID_VALUE);
  CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS signal = {};
  CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS wait = {};
  CHECK_ERROR(cuSignalExternalSemaphoresAsync(&semaphore, &signal, 1, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuWaitExternalSemaphoresAsync(&semaphore, &wait, 1, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuDestroyExternalSemaphore(semaphore), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuSignalExternalSemaphoresAsync(nullptr, nullptr, 0, nullptr));
  CHECK_CU(cuWaitExternalSemaphoresAsync(nullptr, nullptr, 0, nullptr));
}

int main() {
  CUcontext context;
  CHECK_CU(cuInit(0));
  CHECK_CU(cuCtxCreate(&context, nullptr, 0, 0));
  memory();
  semaphores();
  CHECK_CU(cuCtxDestroy(context));
  return check_report();
}
