// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that compiled device code calls. The compiler emits calls to these names; drivers/cpu/exec defines them;
// libhelicon exports them. Masks have bit i for lane i. Semantics are PTX's for the instruction named.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

// Block barriers (`barrier.cta`). `threads` is the number that take part; 0 means the whole block. Threads that have
// exited do not count.
void __hl_barrier(uint32_t id, uint32_t threads);
void __hl_barrier_arrive(uint32_t id, uint32_t threads);
uint32_t __hl_barrier_red_popc(uint32_t id, uint32_t threads, uint32_t predicate);
uint32_t __hl_barrier_red_and(uint32_t id, uint32_t threads, uint32_t predicate);
uint32_t __hl_barrier_red_or(uint32_t id, uint32_t threads, uint32_t predicate);
enum HlBarrierRed : uint32_t { HlBarrierRedPopc = 0, HlBarrierRedAnd = 1, HlBarrierRedOr = 2 };
/// A reduction of the warp engine: bit i of `lanes` says that lane i takes part, bit i of `predicates` its predicate.
uint32_t __hl_barrier_red_lanes(uint32_t op, uint32_t id, uint32_t threads, uint32_t lanes, uint32_t predicates);
/// Waits for every thread of a cooperative grid.
void __hl_grid_sync(void);

// Warp functions. Lanes meet when all live lanes of `mask` have arrived, from whatever branch.
void __hl_warp_sync(uint32_t mask);

enum HlShflMode : uint32_t { HlShflUp = 0, HlShflDown = 1, HlShflBfly = 2, HlShflIdx = 3 };
/// `shfl.sync`: `lane` and `clamp` are PTX's b and c operands. *in_range gets the predicate result (may be null).
uint32_t __hl_shfl(uint32_t mode, uint32_t mask, uint32_t value, uint32_t lane, uint32_t clamp, uint32_t *in_range);

enum HlVoteMode : uint32_t { HlVoteAll = 0, HlVoteAny = 1, HlVoteUni = 2, HlVoteBallot = 3 };
/// `vote.sync`: 0/1, or the ballot.
uint32_t __hl_vote(uint32_t mode, uint32_t mask, uint32_t predicate);

uint32_t __hl_match_any_32(uint32_t mask, uint32_t value);
uint32_t __hl_match_any_64(uint32_t mask, uint64_t value);
/// *all_equal gets 1 when all lanes have the same value, and the result is the mask, else 0.
uint32_t __hl_match_all_32(uint32_t mask, uint32_t value, uint32_t *all_equal);
uint32_t __hl_match_all_64(uint32_t mask, uint64_t value, uint32_t *all_equal);

enum HlReduxOp : uint32_t {
  HlReduxAdd = 0, HlReduxUMin = 1, HlReduxUMax = 2, HlReduxMin = 3, HlReduxMax = 4,
  HlReduxAnd = 5, HlReduxOr = 6, HlReduxXor = 7,
};
uint32_t __hl_redux(uint32_t op, uint32_t mask, uint32_t value);

/// The lanes that are converged at this call. `site` is different for each call in the source.
uint32_t __hl_activemask(uint32_t site);

// Waiting. `__hl_yield` stands on the back edge of loops that may wait for another thread.
void __hl_yield(void);
void __hl_nanosleep(uint32_t nanoseconds);

// Services. A thread that traps or exits does not return.
int32_t __hl_vprintf(const char *format, const void *packed_arguments);
[[noreturn]] void __hl_assert_fail(const char *message, const char *file, uint32_t line, const char *function);
[[noreturn]] void __hl_trap(void);
[[noreturn]] void __hl_exit(void);
void *__hl_malloc(size_t bytes);
/// `alignment` is a power of two; null for any other.
void *__hl_aligned_malloc(size_t bytes, size_t alignment);
void __hl_free(void *pointer);
uint64_t __hl_clock64(void);
uint64_t __hl_globaltimer(void);
uint32_t __hl_sm_id(void);
uint32_t __hl_sm_count(void);
/// 1 in a grid that was launched cooperatively, else 0.
uint32_t __hl_is_cooperative(void);
/// Where a generic pointer leads: 0 elsewhere (global or constant), 1 local (the running thread's stack), 2 shared,
/// 3 parameters of the kernel that are used in place (__grid_constant__).
uint32_t __hl_space_of(const void *pointer);
/// The warp engine met a warp function that names lanes (`missing`) which have gone another way; reports it and traps.
[[noreturn]] void __hl_members_missing(uint32_t missing);
/// The running thread did what the API says is a fault of the kernel; reports `what` and traps.
[[noreturn]] void __hl_fault(const char *what);
/// Called in place of a function or intrinsic that this build cannot run; reports `what` and traps.
[[noreturn]] void __hl_unsupported(const char *what);

}  // extern "C"
