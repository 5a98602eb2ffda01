// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Built-in atomics on values that they are not for.
// RUN: not %mcc -std=c++17 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %if nvcc %{ not %nvcc -std=c++17 -arch=sm_90 -c %s -o %t.o %}
// covers: C-5.4.5.2-01
__global__ void kernel(float *f, short *s, char *c, double *d) {
// CHECK-DAG: atomic_values.cu:[[@LINE+1]]:{{[0-9]+}}: error: built-in atomic minimum, maximum and logical operations are not for floating-point types
  __nv_atomic_fetch_min(f, 1.0f, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
// CHECK-DAG: atomic_values.cu:[[@LINE+1]]:{{[0-9]+}}: error: built-in atomic arithmetic is of 4 or 8 bytes
  __nv_atomic_add(s, (short)1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
// CHECK-DAG: atomic_values.cu:[[@LINE+1]]:{{[0-9]+}}: error: the built-in atomics that end in _n load, store and exchange integers, those without it any type
  *d = __nv_atomic_load_n(d, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
// CHECK-DAG: atomic_values.cu:[[@LINE+1]]:{{[0-9]+}}: error: a built-in atomic exchange is of 4, 8 or 16 bytes
  __nv_atomic_exchange_n(c, (char)1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_load(d, d + 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_add(d, 1.0, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_compare_exchange_n(s, s + 1, (short)1, false, __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
}
