// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics keep their order and their scope in PTX.
// RUN: %mcc -ptx %s -o - | %FileCheck %s
// covers: C-5.4.5.1-01

// CHECK-LABEL: .entry scopes(
// CHECK: atom.global.add.u32
// CHECK-NOT: fence
// CHECK: atom.relaxed.sys.global.add.u32
// CHECK: atom.relaxed.sys.global.add.f64
// CHECK: atom.relaxed.cta.global.cas.b32
extern "C" __global__ void scopes(int *p, double *d, int *out) {
  *out = atomicAdd(p, 1);
  atomicAdd_system(p, 2);
  atomicAdd_system(d, 2.0);
  atomicCAS_block(p, 1, 2);
}

// CHECK-LABEL: .entry orders(
// CHECK: fence.acq_rel.cta
// CHECK-NEXT: atom.global.add.u32
// CHECK-NEXT: fence.acq_rel.cta
// CHECK: fence.sc.gpu
// CHECK-NEXT: atom.global.exch.b32
// CHECK: ld.acquire.gpu
// CHECK: st.release.sys
extern "C" __global__ void orders(int *p) {
  int a = __nv_atomic_fetch_add(p, 1, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_BLOCK);
  int b = __nv_atomic_exchange_n(p, 1, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
  int c = __nv_atomic_load_n(p, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_store_n(p, a + b + c, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_SYSTEM);
}

// CHECK-LABEL: .entry shared_memory(
// CHECK: atom.shared.add.u32
// CHECK: atom.relaxed.sys.shared.add.u32
extern "C" __global__ void shared_memory(int *out) {
  __shared__ int count;
  count = 0;
  __syncthreads();
  atomicAdd(&count, 1);
  out[1] = atomicAdd_system(&count, 1);
  __syncthreads();
  out[0] = count;
}
