// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory and semaphores of other interfaces. Both APIs describe them by the same bytes, but for arrays.
#include "helicon/gen/runtime_impl.h"
#include "runtime/core/context.h"
#include "runtime/core/convert.h"
#include "runtime/memory/channel_format.h"

namespace hel::rt {

static_assert(sizeof(cudaExternalMemoryHandleDesc) == sizeof(CUDA_EXTERNAL_MEMORY_HANDLE_DESC));
static_assert(sizeof(cudaExternalMemoryBufferDesc) == sizeof(CUDA_EXTERNAL_MEMORY_BUFFER_DESC));
static_assert(sizeof(cudaExternalSemaphoreHandleDesc) == sizeof(CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC));
static_assert(sizeof(cudaExternalSemaphoreSignalParams) == sizeof(CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS));
static_assert(sizeof(cudaExternalSemaphoreWaitParams) == sizeof(CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS));

namespace {

CUexternalMemory driver_memory(cudaExternalMemory_t memory) { return reinterpret_cast<CUexternalMemory>(memory); }

const CUexternalSemaphore *driver_semaphores(const cudaExternalSemaphore_t *semaphores) {
  return reinterpret_cast<const CUexternalSemaphore *>(semaphores);
}

}  // namespace

Result<void> import_external_memory(cudaExternalMemory_t *extMem_out,
                                    const cudaExternalMemoryHandleDesc *memHandleDesc) {
  return check(HEL_TRY(bound_driver())
                   ->ImportExternalMemory(reinterpret_cast<CUexternalMemory *>(extMem_out),
                                          reinterpret_cast<const CUDA_EXTERNAL_MEMORY_HANDLE_DESC *>(memHandleDesc)));
}

Result<void> external_memory_get_mapped_buffer(void **devPtr, cudaExternalMemory_t extMem,
                                               const cudaExternalMemoryBufferDesc *bufferDesc) {
  return check(
      HEL_TRY(bound_driver())
          ->ExternalMemoryGetMappedBuffer(driver_out(devPtr), driver_memory(extMem),
                                          reinterpret_cast<const CUDA_EXTERNAL_MEMORY_BUFFER_DESC *>(bufferDesc)));
}

Result<void> external_memory_get_mapped_mipmapped_array(cudaMipmappedArray_t *mipmap, cudaExternalMemory_t extMem,
                                                        const cudaExternalMemoryMipmappedArrayDesc *mipmapDesc) {
  const DriverTable *cu = HEL_TRY(bound_driver());
  if (mipmapDesc == nullptr) {
    return HEL_FAIL(cudaErrorInvalidValue, "mipmapDesc is null");
  }
  CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC desc{};
  desc.offset = mipmapDesc->offset;
  desc.numLevels = mipmapDesc->numLevels;
  desc.arrayDesc = HEL_TRY(array_descriptor(mipmapDesc->formatDesc, mipmapDesc->extent, mipmapDesc->flags));
  return check(cu->ExternalMemoryGetMappedMipmappedArray(reinterpret_cast<CUmipmappedArray *>(mipmap),
                                                         driver_memory(extMem), &desc));
}

Result<void> destroy_external_memory(cudaExternalMemory_t extMem) {
  return check(HEL_TRY(bound_driver())->DestroyExternalMemory(driver_memory(extMem)));
}

Result<void> import_external_semaphore(cudaExternalSemaphore_t *extSem_out,
                                       const cudaExternalSemaphoreHandleDesc *semHandleDesc) {
  return check(
      HEL_TRY(bound_driver())
          ->ImportExternalSemaphore(reinterpret_cast<CUexternalSemaphore *>(extSem_out),
                                    reinterpret_cast<const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC *>(semHandleDesc)));
}

Result<void> signal_external_semaphores_async(const cudaExternalSemaphore_t *extSemArray,
                                              const cudaExternalSemaphoreSignalParams *paramsArray,
                                              unsigned int numExtSems, cudaStream_t stream) {
  return check(
      HEL_TRY(bound_driver())
          ->SignalExternalSemaphoresAsync(driver_semaphores(extSemArray),
                                          reinterpret_cast<const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS *>(paramsArray),
                                          numExtSems, stream));
}

Result<void> wait_external_semaphores_async(const cudaExternalSemaphore_t *extSemArray,
                                            const cudaExternalSemaphoreWaitParams *paramsArray, unsigned int numExtSems,
                                            cudaStream_t stream) {
  return check(HEL_TRY(bound_driver())
                   ->WaitExternalSemaphoresAsync(
                       driver_semaphores(extSemArray),
                       reinterpret_cast<const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS *>(paramsArray), numExtSems, stream));
}

Result<void> destroy_external_semaphore(cudaExternalSemaphore_t extSem) {
  return check(HEL_TRY(bound_driver())->DestroyExternalSemaphore(reinterpret_cast<CUexternalSemaphore>(extSem)));
}

}  // namespace hel::rt
