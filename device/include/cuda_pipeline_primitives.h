// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asynchronous copies from global to shared memory as plain functions: copies are collected into batches, and a thread
// waits until only the latest batches are under way.
#ifndef __HELICON_CUDA_PIPELINE_PRIMITIVES_H__
#define __HELICON_CUDA_PIPELINE_PRIMITIVES_H__

#include <stddef.h>
#include "cuda_awbarrier_primitives.h"

#if defined(__cplusplus) && (defined(__CUDA__) || defined(__CUDACC__) || defined(__MUSACC__))

#define __HELICON_PIPELINE __device__ __forceinline__

/// 4, 8 or 16 bytes at addresses that are multiples of their number; the last `zfill` of them become zero.
__HELICON_PIPELINE void __pipeline_memcpy_async(void *__restrict__ to_shared, const void *__restrict__ from_global,
                                                size_t size_and_align, size_t zfill = 0) {
  const unsigned int to = static_cast<unsigned int>(__cvta_generic_to_shared(to_shared));
  const size_t from = __cvta_generic_to_global(from_global);
  const unsigned int present = static_cast<unsigned int>(size_and_align - zfill);
#define __HELICON_COPY(bytes)                                                                               \
  if (zfill == 0) {                                                                                         \
    asm volatile("cp.async.ca.shared.global [%0], [%1], " #bytes ";" ::"r"(to), "l"(from) : "memory");      \
  } else {                                                                                                  \
    asm volatile("cp.async.ca.shared.global [%0], [%1], " #bytes ", %2;" ::"r"(to), "l"(from), "r"(present) \
                 : "memory");                                                                               \
  }
  switch (size_and_align) {
    case 4:
      __HELICON_COPY(4) break;
    case 8:
      __HELICON_COPY(8) break;
    case 16:
      __HELICON_COPY(16) break;
    default:
      __hl_unsupported("__pipeline_memcpy_async of another size than 4, 8 or 16 bytes");
  }
#undef __HELICON_COPY
}

__HELICON_PIPELINE void __pipeline_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }

/// All but the latest `batches` batches are complete afterwards; waiting for more than asked is allowed.
__HELICON_PIPELINE void __pipeline_wait_prior(size_t batches) {
#define __HELICON_WAIT(n) asm volatile("cp.async.wait_group " #n ";" ::: "memory")
  switch (batches) {
    case 0: __HELICON_WAIT(0); break;
    case 1: __HELICON_WAIT(1); break;
    case 2: __HELICON_WAIT(2); break;
    case 3: __HELICON_WAIT(3); break;
    case 4: __HELICON_WAIT(4); break;
    case 5: __HELICON_WAIT(5); break;
    case 6: __HELICON_WAIT(6); break;
    default: __HELICON_WAIT(7);
  }
#undef __HELICON_WAIT
}

/// The barrier's phase completes no sooner than the copies before.
__HELICON_PIPELINE void __pipeline_arrive_on(__mbarrier_t *barrier) {
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(__hl_mbarrier_address(barrier)) : "memory");
}

#undef __HELICON_PIPELINE

#endif
#endif
