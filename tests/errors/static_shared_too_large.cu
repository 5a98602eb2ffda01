// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// More than 48 KiB of static shared memory.
// RUN: not %mcc -c %s -o %t.o 2>&1 | %FileCheck %s
// covers: C-3.2.6-01
// CHECK: error: {{.*}}kernel{{.*}}{{60000|240000}}
__global__ void kernel(int *out) {
  __shared__ int room[60000];
  room[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = room[threadIdx.x ^ 1];
}
