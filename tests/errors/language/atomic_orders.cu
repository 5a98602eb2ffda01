// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders of built-in atomics that make no sense.
// RUN: not %mcc -std=c++17 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %if nvcc %{ not %nvcc -std=c++17 -arch=sm_90 -c %s -o %t.o %}
// covers: C-5.4.5.2-01
__global__ void kernel(int *p) {
// CHECK-DAG: atomic_orders.cu:[[@LINE+1]]:{{[0-9]+}}: error: the order of an atomic load cannot be release or acq_rel
  *p = __nv_atomic_load_n(p, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
// CHECK-DAG: atomic_orders.cu:[[@LINE+1]]:{{[0-9]+}}: error: the order of an atomic store cannot be consume, acquire or acq_rel
  __nv_atomic_store_n(p, 1, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_store_n(p, 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
}
int host(int *p) {
// CHECK-DAG: atomic_orders.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}
  return __nv_atomic_fetch_add(p, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
}
