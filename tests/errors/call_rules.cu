// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls across execution spaces that are refused.
// RUN: not %mcc -c %s -o %t.o 2>&1 | %FileCheck %s
// covers: C-5.4.1.1-01
__device__ int on_device() { return 1; }
__host__ int on_host() { return 2; }
__global__ void kernel() {}

// CHECK-DAG: call_rules.cu:[[@LINE+1]]:{{[0-9]+}}: error: no matching function for call to 'on_device'
int from_host() { return on_device(); }

// CHECK-DAG: call_rules.cu:[[@LINE+1]]:{{[0-9]+}}: error: no matching function for call to 'on_host'
__global__ void from_kernel(int *out) { *out = on_host(); }

// CHECK-DAG: call_rules.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}kernel
void without_configuration() { kernel(); }
