// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers, fences, waiting, clocks and the ways to stop a thread.
#ifndef __HELICON_DEVICE_SYNCHRONIZATION_H__
#define __HELICON_DEVICE_SYNCHRONIZATION_H__

// In the device pass `__syncthreads` is a builtin of the compiler.
#if !defined(__HELICON_DEVICE_PASS__)
__device__ void __syncthreads(void);
#endif

extern "C" {
__device__ __attribute__((noreturn)) void __hl_trap(void);
__device__ __attribute__((noreturn)) void __hl_unsupported(const char *what);
__device__ void __hl_grid_sync(void);
__device__ unsigned int __hl_is_cooperative(void);
__device__ unsigned int __hl_sm_id(void);
__device__ unsigned int __hl_sm_count(void);
}

__device__ __forceinline__ int __syncthreads_count(int predicate) { return __nvvm_bar0_popc(predicate); }
__device__ __forceinline__ int __syncthreads_and(int predicate) { return __nvvm_bar0_and(predicate); }
__device__ __forceinline__ int __syncthreads_or(int predicate) { return __nvvm_bar0_or(predicate); }
__device__ __forceinline__ void __barrier_sync(unsigned int id) { __nvvm_barrier_sync(id); }
__device__ __forceinline__ void __barrier_sync_count(unsigned int id, unsigned int threads) {
  __nvvm_barrier_sync_cnt(id, threads);
}
__device__ __forceinline__ void __syncwarp(unsigned int mask = 0xffffffffu) { __nvvm_bar_warp_sync(mask); }

__device__ __forceinline__ void __threadfence_block(void) { __nvvm_membar_cta(); }
__device__ __forceinline__ void __threadfence(void) { __nvvm_membar_gl(); }
__device__ __forceinline__ void __threadfence_system(void) { __nvvm_membar_sys(); }

__device__ __forceinline__ void __threadfence_cluster(void) { __nvvm_fence_sc_cluster(); }

__device__ __forceinline__ void __nanosleep(unsigned int nanoseconds) { __nvvm_nanosleep(nanoseconds); }

__device__ __forceinline__ clock_t clock(void) { return __nvvm_read_ptx_sreg_clock(); }
__device__ __forceinline__ long long clock64(void) { return __nvvm_read_ptx_sreg_clock64(); }

// Programmatic dependent launch: a grid starts here when the grids before it have ended, so there is nothing to wait for.
__device__ __forceinline__ void cudaGridDependencySynchronize(void) {}
__device__ __forceinline__ void cudaTriggerProgrammaticLaunchCompletion(void) {}

// Where a block is in its cluster.
__device__ __forceinline__ bool __clusterDimIsSpecified(void) { return __nvvm_is_explicit_cluster(); }
__device__ __forceinline__ dim3 __clusterDim(void) {
  return dim3(__nvvm_read_ptx_sreg_cluster_nctaid_x(), __nvvm_read_ptx_sreg_cluster_nctaid_y(),
              __nvvm_read_ptx_sreg_cluster_nctaid_z());
}
__device__ __forceinline__ dim3 __clusterRelativeBlockIdx(void) {
  return dim3(__nvvm_read_ptx_sreg_cluster_ctaid_x(), __nvvm_read_ptx_sreg_cluster_ctaid_y(),
              __nvvm_read_ptx_sreg_cluster_ctaid_z());
}
__device__ __forceinline__ dim3 __clusterGridDimInClusters(void) {
  return dim3(__nvvm_read_ptx_sreg_nclusterid_x(), __nvvm_read_ptx_sreg_nclusterid_y(),
              __nvvm_read_ptx_sreg_nclusterid_z());
}
__device__ __forceinline__ dim3 __clusterIdx(void) {
  return dim3(__nvvm_read_ptx_sreg_clusterid_x(), __nvvm_read_ptx_sreg_clusterid_y(),
              __nvvm_read_ptx_sreg_clusterid_z());
}
__device__ __forceinline__ unsigned int __clusterRelativeBlockRank(void) {
  return __nvvm_read_ptx_sreg_cluster_ctarank();
}
__device__ __forceinline__ unsigned int __clusterSizeInBlocks(void) { return __nvvm_read_ptx_sreg_cluster_nctarank(); }
__device__ __forceinline__ void __cluster_barrier_arrive(void) { __nvvm_barrier_cluster_arrive(); }
__device__ __forceinline__ void __cluster_barrier_arrive_relaxed(void) { __nvvm_barrier_cluster_arrive_relaxed(); }
__device__ __forceinline__ void __cluster_barrier_wait(void) { __nvvm_barrier_cluster_wait(); }

__device__ __forceinline__ void __trap(void) { __hl_trap(); }
__device__ __forceinline__ void __brkpt(void) { __hl_trap(); }
__device__ __forceinline__ void __prof_trigger(int) {}

#endif
