// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One lane of a warp waits for what another one writes: with atomic_ref, with atomics and fences, with memory-mapped accesses by inline
// PTX. Data that was written before the flag is there after it.
// REQUIRES: cccl
// RUN: %mcc -std=c++17 -arch=sm_90 %s -o %t && %run %t
// covers: C-5.3.10.4-03
#include <cuda/atomic>

#include "check.h"

__device__ void store_mapped(unsigned *place, unsigned value) {
  asm volatile("st.relaxed.mmio.sys.u32 [%0], %1;" ::"l"(place), "r"(value) : "memory");
}
__device__ unsigned load_mapped(const unsigned *place) {
  unsigned value;
  asm volatile("ld.relaxed.mmio.sys.u32 %0, [%1];" : "=r"(value) : "l"(place) : "memory");
  return value;
}

__global__ void by_reference(int *data, int *flag, int *out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> atom(*flag);
  if (threadIdx.x == 0) {
    *data = 42;
    atom.store(1, cuda::memory_order_release);
  } else {
    while (atom.load(cuda::memory_order_acquire) == 0) {}
    out[threadIdx.x] = *data;
  }
}

__global__ void by_atomics(int *data, int *flag, int *out) {
  if (threadIdx.x == 31) {
    *data = 43;
    __threadfence();
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) == 0) {}
    __threadfence();
    out[threadIdx.x] = *data;
  }
}

__global__ void by_mapped_memory(unsigned *places, int *out) {
  if (threadIdx.x == 7) {
    store_mapped(&places[0], 44);
    asm volatile("fence.sc.sys;" ::: "memory");
    store_mapped(&places[1], 1);
  } else {
    while (load_mapped(&places[1]) == 0) {}
    asm volatile("fence.sc.sys;" ::: "memory");
    out[threadIdx.x] = load_mapped(&places[0]);
  }
}

int main() {
  int *cells, *out;
  CHECK_CUDA(cudaMallocManaged(&cells, 2 * sizeof(int)));
  CHECK_CUDA(cudaMallocManaged(&out, 32 * sizeof(int)));
  for (int form = 0; form < 3; ++form) {
    cells[0] = cells[1] = 0;
    for (int t = 0; t < 32; ++t) out[t] = -1;
    if (form == 0) by_reference<<<1, 32>>>(&cells[0], &cells[1], out);
    if (form == 1) by_atomics<<<1, 32>>>(&cells[0], &cells[1], out);
    if (form == 2) by_mapped_memory<<<1, 32>>>(reinterpret_cast<unsigned *>(cells), out);
    CHECK_CUDA(cudaDeviceSynchronize());
    const int writer[] = {0, 31, 7};
    for (int t = 0; t < 32; ++t) CHECK_EQ(out[t], t == writer[form] ? -1 : 42 + form);
  }
  return check_report();
}
