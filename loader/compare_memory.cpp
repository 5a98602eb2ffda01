// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory in compare mode: all of it is managed, so that both sides can reach it.
#include "loader/compare_state.h"

namespace hel::loader::comparing {
namespace {

CUresult note(CUresult code, CUdeviceptr address, size_t bytes) {
  if (code == CUDA_SUCCESS) {
    note_buffer(address, bytes);
  }
  return code;
}

CUresult allocate(CUdeviceptr *address, size_t bytes) {
  CUresult code = gpu().MemAllocManaged(address, bytes, CU_MEM_ATTACH_GLOBAL);
  return code == CUDA_SUCCESS ? note(code, *address, bytes) : code;
}

CUresult allocate_managed(CUdeviceptr *address, size_t bytes, unsigned flags) {
  CUresult code = gpu().MemAllocManaged(address, bytes, flags);
  return code == CUDA_SUCCESS ? note(code, *address, bytes) : code;
}

CUresult allocate_pitch(CUdeviceptr *address, size_t *pitch, size_t width, size_t height, unsigned element) {
  if (address == nullptr || pitch == nullptr || width == 0 || height == 0 ||
      (element != 4 && element != 8 && element != 16)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  *pitch = (width + 511) / 512 * 512;
  return allocate(address, *pitch * height);
}

CUresult allocate_async(CUdeviceptr *address, size_t bytes, CUstream stream) {
  return is_captured(stream) ? gpu().MemAllocAsync(address, bytes, stream) : allocate(address, bytes);
}
CUresult allocate_from_pool(CUdeviceptr *address, size_t bytes, CUmemoryPool pool, CUstream stream) {
  return is_captured(stream) ? gpu().MemAllocFromPoolAsync(address, bytes, pool, stream) : allocate(address, bytes);
}

CUresult release(CUdeviceptr address) {
  {
    Lock lock(state().mutex);
    state().buffers.erase(address);
  }
  return gpu().MemFree(address);
}

CUresult release_async(CUdeviceptr address, CUstream stream) {
  if (is_captured(stream)) {
    return gpu().MemFreeAsync(address, stream);
  }
  CUresult code = gpu().StreamSynchronize(stream);
  return code == CUDA_SUCCESS ? release(address) : code;
}

CUresult host_allocate(void **address, size_t bytes, unsigned flags) {
  CUresult code = gpu().MemHostAlloc(address, bytes, flags);
  return code == CUDA_SUCCESS ? note(code, reinterpret_cast<CUdeviceptr>(*address), bytes) : code;
}

CUresult host_release(void *address) {
  {
    Lock lock(state().mutex);
    state().buffers.erase(reinterpret_cast<CUdeviceptr>(address));
  }
  return gpu().MemFreeHost(address);
}

/// A managed variable is one on both sides (dispatch_code.cpp), and memory like any other.
CUresult library_get_managed(CUdeviceptr *address, size_t *bytes, CUlibrary library, const char *name) {
  CUdeviceptr storage = 0;
  size_t size = 0;
  CUresult code = below().LibraryGetManaged(&storage, &size, library, name);
  if (code != CUDA_SUCCESS) {
    return code;
  }
  bool is_known = false;
  {
    Lock lock(state().mutex);
    is_known = state().buffers.count(storage) != 0;
  }
  if (!is_known) {
    note_buffer(storage, size);
  }
  if (address != nullptr) {
    *address = storage;
  }
  if (bytes != nullptr) {
    *bytes = size;
  }
  return CUDA_SUCCESS;
}

}  // namespace

void note_buffer(CUdeviceptr address, size_t bytes) {
  Lock lock(state().mutex);
  state().buffers[address] = {state().allocations++, bytes};
}

void put_memory_functions(DriverTable &table) {
  table.MemAlloc = allocate;
  table.MemAllocManaged = allocate_managed;
  table.MemAllocPitch = allocate_pitch;
  table.MemAllocAsync = allocate_async;
  table.MemAllocFromPoolAsync = allocate_from_pool;
  table.MemFree = release;
  table.MemFreeAsync = release_async;
  table.MemHostAlloc = host_allocate;
  table.MemFreeHost = host_release;
  table.LibraryGetManaged = library_get_managed;
}

}  // namespace hel::loader::comparing
