// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers in shared memory as plain functions: a barrier's phase is complete when as many threads have arrived as it
// expects, and whoever arrived asks for that with the token (or with the phase's parity), again and again.
#ifndef __HELICON_CUDA_AWBARRIER_PRIMITIVES_H__
#define __HELICON_CUDA_AWBARRIER_PRIMITIVES_H__

#include <stdint.h>
#include "cuda_runtime.h"

#if defined(__cplusplus) && (defined(__CUDA__) || defined(__CUDACC__) || defined(__MUSACC__))

typedef uint64_t __mbarrier_t;        // in shared memory
typedef uint64_t __mbarrier_token_t;  // the phase in which a thread arrived

#define __HELICON_MBARRIER __device__ __forceinline__

__HELICON_MBARRIER uint32_t __hl_mbarrier_address(const __mbarrier_t *barrier) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(barrier));
}

__HELICON_MBARRIER uint32_t __mbarrier_maximum_count() { return (1u << 20) - 1; }
__HELICON_MBARRIER void __mbarrier_init(__mbarrier_t *barrier, uint32_t expected_count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(__hl_mbarrier_address(barrier)), "r"(expected_count)
               : "memory");
}
__HELICON_MBARRIER void __mbarrier_inval(__mbarrier_t *barrier) {
  asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(__hl_mbarrier_address(barrier)) : "memory");
}
__HELICON_MBARRIER __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *barrier) {
  __mbarrier_token_t token;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(__hl_mbarrier_address(barrier)) : "memory");
  return token;
}
/// The phases to come expect one arrival less.
__HELICON_MBARRIER __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *barrier) {
  __mbarrier_token_t token;
  asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];"
               : "=l"(token)
               : "r"(__hl_mbarrier_address(barrier))
               : "memory");
  return token;
}
/// How many arrivals the token's phase missed before the one that gave the token.
__HELICON_MBARRIER uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token) {
  uint32_t count;
  asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(token));
  return count;
}

#define __HELICON_MBARRIER_TEST(name, instruction, type, constraint)                                        \
  __HELICON_MBARRIER bool name(__mbarrier_t *barrier, type phase) {                                         \
    uint32_t is_complete;                                                                                   \
    asm volatile("{ .reg .pred p; mbarrier." instruction ".shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" \
                 : "=r"(is_complete)                                                                        \
                 : "r"(__hl_mbarrier_address(barrier)), constraint(phase)                                   \
                 : "memory");                                                                               \
    return is_complete != 0;                                                                                \
  }
__HELICON_MBARRIER_TEST(__mbarrier_test_wait, "test_wait", __mbarrier_token_t, "l")
__HELICON_MBARRIER_TEST(__hl_mbarrier_test_parity, "test_wait.parity", uint32_t, "r")
#undef __HELICON_MBARRIER_TEST
__HELICON_MBARRIER bool __mbarrier_test_wait_parity(__mbarrier_t *barrier, bool phase_parity) {
  return __hl_mbarrier_test_parity(barrier, phase_parity);
}

// These may sleep for a while before they say no. Not sleeping is allowed.
__HELICON_MBARRIER bool __mbarrier_try_wait(__mbarrier_t *barrier, __mbarrier_token_t token, uint32_t) {
  return __mbarrier_test_wait(barrier, token);
}
__HELICON_MBARRIER bool __mbarrier_try_wait_parity(__mbarrier_t *barrier, bool phase_parity, uint32_t) {
  return __mbarrier_test_wait_parity(barrier, phase_parity);
}

#undef __HELICON_MBARRIER

#endif
#endif
