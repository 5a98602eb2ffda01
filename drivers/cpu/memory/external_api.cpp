// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points: memory and semaphores of other interfaces. Memory is a file that can be mapped. What other interfaces
// call a semaphore is an object of a GPU's driver in the kernel, which nothing here could signal or wait for: they are
// refused.
#include "drivers/cpu/core/checks.h"
#include "drivers/cpu/core/context.h"
#include "drivers/cpu/memory/array.h"
#include "drivers/cpu/memory/registry.h"
#include "helicon/gen/cpu_impl.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace hel::cpu {
namespace {

class ExternalMemory : public HandleObject<ExternalMemory, Tag::ExternalMemory> {
public:
  /// Takes over the open file.
  ExternalMemory(int file, size_t bytes) : file_(file), bytes_(bytes) {}
  ~ExternalMemory() override { close(file_); }

  /// `bytes` bytes from `offset` on. The mapping outlives the object.
  Result<Allocation *> map(Context &context, unsigned long long offset, unsigned long long bytes) const {
    if (bytes == 0 || offset > bytes_ || bytes > bytes_ - offset) {
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%llu bytes from %llu on lie outside the memory of %zu bytes", bytes,
                      offset, bytes_);
    }
    return map_file(context, file_, offset, bytes);
  }

private:
  const int file_;
  const size_t bytes_;
};

Result<void> check_memory_type(CUexternalMemoryHandleType type) {
  if (type != CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD && type != CU_EXTERNAL_MEMORY_HANDLE_TYPE_DMABUF_FD) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE,
                    "external memory of type %d does not exist on this system; file descriptors do",
                    static_cast<int>(type));
  }
  return {};
}

/// The file holds so much memory, and may be read and written.
Result<void> check_file(int file, size_t bytes) {
  if (bytes == 0) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "0 bytes of external memory");
  }
  struct stat facts{};
  if (fstat(file, &facts) != 0) {
    return HEL_FAIL(CUDA_ERROR_INVALID_HANDLE, "file descriptor %d: %s", file, std::strerror(errno));
  }
  if (S_ISREG(facts.st_mode) && static_cast<size_t>(facts.st_size) < bytes) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%zu bytes of a file of %lld", bytes,
                    static_cast<long long>(facts.st_size));
  }
  void *probe = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (probe == MAP_FAILED) {
    return HEL_FAIL(CUDA_ERROR_INVALID_HANDLE, "file descriptor %d cannot be mapped: %s", file, std::strerror(errno));
  }
  munmap(probe, bytes);
  return {};
}

}  // namespace

Result<void> import_external_memory(CUexternalMemory *extMem_out,
                                    const CUDA_EXTERNAL_MEMORY_HANDLE_DESC *memHandleDesc) {
  HEL_TRY(current_context());
  HEL_TRY(check_out(extMem_out, "extMem_out"));
  HEL_TRY(check_out(memHandleDesc, "memHandleDesc"));
  HEL_TRY(check_memory_type(memHandleDesc->type));
  HEL_TRY(check_flags(memHandleDesc->flags, CUDA_EXTERNAL_MEMORY_DEDICATED));
  const int file = memHandleDesc->handle.fd;
  HEL_TRY(check_file(file, memHandleDesc->size));
  *extMem_out = HEL_TRY(publish(new ExternalMemory(file, memHandleDesc->size)))->handle();
  return {};
}

Result<void> external_memory_get_mapped_buffer(CUdeviceptr *devPtr, CUexternalMemory extMem,
                                               const CUDA_EXTERNAL_MEMORY_BUFFER_DESC *bufferDesc) {
  Context *context = HEL_TRY(current_context());
  HEL_TRY(check_out(devPtr, "devPtr"));
  HEL_TRY(check_out(bufferDesc, "bufferDesc"));
  HEL_TRY(check_flags(bufferDesc->flags, 0));
  Ref<ExternalMemory> memory = HEL_TRY(find<ExternalMemory>(extMem));
  *devPtr = HEL_TRY(memory->map(*context, bufferDesc->offset, bufferDesc->size))->base;
  return {};
}

Result<void> external_memory_get_mapped_mipmapped_array(CUmipmappedArray *mipmap, CUexternalMemory extMem,
                                                        const CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC *mipmapDesc) {
  Context *context = HEL_TRY(current_context());
  HEL_TRY(check_out(mipmap, "mipmap"));
  HEL_TRY(check_out(mipmapDesc, "mipmapDesc"));
  Ref<ExternalMemory> memory = HEL_TRY(find<ExternalMemory>(extMem));
  const LevelLayout layout = HEL_TRY(lay_out_levels(*context, mipmapDesc->arrayDesc, mipmapDesc->numLevels));
  Allocation *allocation = HEL_TRY(memory->map(*context, mipmapDesc->offset, layout.bytes));
  *mipmap = HEL_TRY(
      make_mipmapped_array(*context, mipmapDesc->arrayDesc, layout, std::make_shared<ArrayMemory>(*allocation)));
  return {};
}

Result<void> destroy_external_memory(CUexternalMemory extMem) {
  HEL_TRY(current_context());
  HEL_TRY(retire<ExternalMemory>(extMem));
  return {};
}

Result<void> import_external_semaphore(CUexternalSemaphore *extSem_out,
                                       const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC *semHandleDesc) {
  HEL_TRY(current_context());
  HEL_TRY(check_out(extSem_out, "extSem_out"));
  HEL_TRY(check_out(semHandleDesc, "semHandleDesc"));
  HEL_TRY(check_flags(semHandleDesc->flags, 0));
  const int type = semHandleDesc->type;
  if (type < CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD ||
      type > CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_WIN32) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "no external semaphore has the type %d", type);
  }
  return HEL_FAIL_KIND(CUDA_ERROR_NOT_SUPPORTED, Unsupported, "external semaphores (type %d) belong to a GPU's driver",
                       type);
}

// There are no handles of semaphores, so none can be right.

static Result<void> refuse_semaphores(const CUexternalSemaphore *semaphores, unsigned count) {
  HEL_TRY(current_context());
  if (count == 0) {
    return {};
  }
  HEL_TRY(check_out(semaphores, "extSemArray"));
  return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%p is no external semaphore", static_cast<const void *>(semaphores[0]));
}

Result<void> signal_external_semaphores_async(const CUexternalSemaphore *extSemArray,
                                              const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS *, unsigned int numExtSems,
                                              CUstream) {
  return refuse_semaphores(extSemArray, numExtSems);
}

Result<void> wait_external_semaphores_async(const CUexternalSemaphore *extSemArray,
                                            const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS *, unsigned int numExtSems,
                                            CUstream) {
  return refuse_semaphores(extSemArray, numExtSems);
}

Result<void> destroy_external_semaphore(CUexternalSemaphore extSem) { return refuse_semaphores(&extSem, 1); }

}  // namespace hel::cpu
