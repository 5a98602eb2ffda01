// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The barrier of a cooperative grid.
//
// A counter in memory: the first block adds what is missing to flip the top bit when all others have added one, so that the
// counter's value at the start does not matter and nothing needs to be reset. Grids that are live at the same time have
// different numbers (%gridid) and take different counters.
#include "device/lib/lib.h"

namespace {

constexpr uint32 kCounters = 1024;
constexpr uint32 kPhase = 0x80000000u;
__device__ uint32 counters[kCounters];

__device__ uint32 block_count() {
  return static_cast<uint32>(__nvvm_read_ptx_sreg_nctaid_x()) * static_cast<uint32>(__nvvm_read_ptx_sreg_nctaid_y()) *
         static_cast<uint32>(__nvvm_read_ptx_sreg_nctaid_z());
}

__device__ bool is_first_block() {
  return (__nvvm_read_ptx_sreg_ctaid_x() | __nvvm_read_ptx_sreg_ctaid_y() | __nvvm_read_ptx_sreg_ctaid_z()) == 0;
}

__device__ bool is_first_thread() {
  return (__nvvm_read_ptx_sreg_tid_x() | __nvvm_read_ptx_sreg_tid_y() | __nvvm_read_ptx_sreg_tid_z()) == 0;
}

__device__ uint64 grid_number() {
  uint64 number;
  asm volatile("mov.u64 %0, %%gridid;" : "=l"(number));
  return number;
}

}  // namespace

/// Nonzero where the driver has set up what a cooperative launch needs (it tells so in these registers).
extern "C" __device__ uint32 __hl_is_cooperative() {
  uint32 low, high;
  asm("mov.u32 %0, %%envreg1;" : "=r"(low));
  asm("mov.u32 %0, %%envreg2;" : "=r"(high));
  return (low | high) != 0;
}

extern "C" __device__ void __hl_grid_sync() {
  if (!__hl_is_cooperative()) {
    __builtin_trap();
  }
  __nvvm_barrier_sync(0);
  if (is_first_thread()) {
    uint32 *counter = &counters[grid_number() % kCounters];
    uint32 share = is_first_block() ? kPhase - (block_count() - 1) : 1;
    uint32 before = __scoped_atomic_fetch_add(counter, share, __ATOMIC_ACQ_REL, __MEMORY_SCOPE_DEVICE);
    while (((before ^ __scoped_atomic_load_n(counter, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE)) & kPhase) == 0) {
    }
  }
  __nvvm_barrier_sync(0);
}
