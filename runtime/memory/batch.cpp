// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Many copies, prefetches or discards in one call. The two APIs' structures have the same layout.
#include "helicon/gen/runtime_impl.h"
#include "runtime/core/context.h"
#include "runtime/core/convert.h"

namespace hel::rt {
namespace {

static_assert(sizeof(cudaMemcpyAttributes) == sizeof(CUmemcpyAttributes));
static_assert(sizeof(cudaMemcpy3DBatchOp) == sizeof(CUDA_MEMCPY3D_BATCH_OP));
static_assert(sizeof(cudaMemLocation) == sizeof(CUmemLocation));

CUdeviceptr *pointers(void **list) { return reinterpret_cast<CUdeviceptr *>(list); }
CUmemLocation *locations(cudaMemLocation *list) { return reinterpret_cast<CUmemLocation *>(list); }

}  // namespace

Result<void> memcpy_batch_async(void *const *dsts, const void *const *srcs, const size_t *sizes, size_t count,
                                struct cudaMemcpyAttributes *attrs, size_t *attrsIdxs, size_t numAttrs,
                                cudaStream_t stream) {
  return check(HEL_TRY(bound_driver())
                   ->MemcpyBatchAsync(pointers(const_cast<void **>(dsts)),
                                      pointers(const_cast<void **>(const_cast<const void **>(srcs))),
                                      const_cast<size_t *>(sizes), count, reinterpret_cast<CUmemcpyAttributes *>(attrs),
                                      attrsIdxs, numAttrs, stream));
}

Result<void> memcpy3d_batch_async(size_t numOps, struct cudaMemcpy3DBatchOp *opList, unsigned long long flags,
                                  cudaStream_t stream) {
  return check(HEL_TRY(bound_driver())
                   ->Memcpy3DBatchAsync(numOps, reinterpret_cast<CUDA_MEMCPY3D_BATCH_OP *>(opList), flags, stream));
}

Result<void> mem_prefetch_batch_async(void **dptrs, size_t *sizes, size_t count, struct cudaMemLocation *prefetchLocs,
                                      size_t *prefetchLocIdxs, size_t numPrefetchLocs, unsigned long long flags,
                                      cudaStream_t stream) {
  return check(HEL_TRY(bound_driver())
                   ->MemPrefetchBatchAsync(pointers(dptrs), sizes, count, locations(prefetchLocs), prefetchLocIdxs,
                                           numPrefetchLocs, flags, stream));
}

Result<void> mem_discard_batch_async(void **dptrs, size_t *sizes, size_t count, unsigned long long flags,
                                     cudaStream_t stream) {
  return check(HEL_TRY(bound_driver())->MemDiscardBatchAsync(pointers(dptrs), sizes, count, flags, stream));
}

Result<void> mem_discard_and_prefetch_batch_async(void **dptrs, size_t *sizes, size_t count,
                                                  struct cudaMemLocation *prefetchLocs, size_t *prefetchLocIdxs,
                                                  size_t numPrefetchLocs, unsigned long long flags,
                                                  cudaStream_t stream) {
  return check(HEL_TRY(bound_driver())
                   ->MemDiscardAndPrefetchBatchAsync(pointers(dptrs), sizes, count, locations(prefetchLocs),
                                                     prefetchLocIdxs, numPrefetchLocs, flags, stream));
}

}  // namespace hel::rt
