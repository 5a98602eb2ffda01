// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Faults in kernels: the documented code, at every later call until the reset; the report on stderr; the process lives.
// gpu: no (about reports of the CPU driver)
// RUN: %mcc -lineinfo %s -o %t
// RUN: env HELICON_ENGINE=thread %run %t 2> %t.err && %FileCheck %s < %t.err
// RUN: %run %t 2> %t.any && %FileCheck --check-prefix=ANY %s < %t.any
// covers: C-5.4.8.4-01 C-5.4.10.1-01 M-3.2.13-01
#include <assert.h>

#include "check.h"

__device__ int sink;

__global__ void write_null(int *p) {
  if (threadIdx.x == 5) {
    p[threadIdx.x] = 1;
  }
}
// CHECK: kernel write_null(int*): block ({{[0-9]}},0,0), thread (5,0,0): write to illegal address 0x14 (a null pointer) at {{.*}}faults.cu:[[#@LINE-3]]
// ANY: kernel write_null(int*): block ({{[0-9]}},0,0), {{.*}}: write to illegal address 0x14 (a null pointer) at {{.*}}faults.cu:

__device__ __noinline__ int look_at(const volatile int *p) { return *p; }

__global__ void read_null(const int *p) {
  __syncthreads();
  if (threadIdx.y == 1 && threadIdx.x == 2) {
    sink = look_at(p);
  }
  __syncthreads();
}
// CHECK: kernel read_null(int const*): block (0,0,0), thread (2,1,0): read of illegal address 0x0 (a null pointer) in look_at(int const volatile*) at {{.*}}faults.cu:[[#@LINE-9]]
// ANY: kernel read_null(int const*): block (0,0,0), {{.*}}: read of illegal address 0x0 (a null pointer)

__global__ void trap() {
  if (blockIdx.x == 3) {
    __trap();
  }
}
// CHECK: kernel trap(): block (3,0,0), thread (0,0,0): trap
// ANY: kernel trap(): block (3,0,0), {{.*}}: trap

__global__ void check_positive(int x) { assert(x > 0); }
// CHECK: {{.*}}faults.cu:[[#@LINE-1]]: {{.*}}check_positive(int): block: [0,0,0], thread: [0,0,0] Assertion `x > 0` failed.
// ANY: {{.*}}check_positive(int): block: [0,0,0], thread: [{{[0-9]+}},0,0] Assertion `x > 0` failed.

__device__ __noinline__ int endless(volatile int *above) {
  volatile int here[16];
  for (int i = 0; i < 16; ++i) {
    here[i] = above[i % 2];
  }
  return above[0] < 0 ? 0 : endless(here) + here[3];
}

__global__ void overflow_stack() {
  volatile int start[2] = {1, 2};
  sink = endless(start);
}
// CHECK: kernel overflow_stack(): block (0,0,0), thread (0,0,0): stack overflow
// ANY: kernel overflow_stack(): block (0,0,0), {{.*}}: stack overflow

// report: CHIP-SPV/chipStar#381: some threads of a block wait where the others never come
__global__ void part_ways() {
  if (threadIdx.x < 40) {
    __syncthreads();
  } else {
    asm volatile("barrier.sync 1;");
  }
}
// CHECK: kernel part_ways(): block (0,0,0): deadlock: none of its threads can go on; 40 threads wait at barrier 0
// CHECK-SAME: 88 threads wait at barrier 1
// ANY: kernel part_ways(): block (0,0,0): deadlock: none of its threads can go on

__global__ void fine(int *out) { out[threadIdx.x] = threadIdx.x; }

static void expect(cudaError_t code, const char *name) {
  CHECK_ERROR(cudaGetLastError(), cudaSuccess);
  CHECK_ERROR(cudaDeviceSynchronize(), code);
  int *p = nullptr;
  CHECK_ERROR(cudaMalloc(&p, 4), code);  // sticky
  CHECK_ERROR(cudaDeviceSynchronize(), code);
  fprintf(stderr, "end of %s\n", name);
  CHECK_CUDA(cudaDeviceReset());
  (void)cudaGetLastError();

  int host[32] = {};
  CHECK_CUDA(cudaMalloc(&p, sizeof(host)));
  fine<<<1, 32>>>(p);
  CHECK_CUDA(cudaMemcpy(host, p, sizeof(host), cudaMemcpyDeviceToHost));
  CHECK_EQ(host[31], 31);
}

int main() {
  write_null<<<8, 32>>>(nullptr);
  expect(cudaErrorIllegalAddress, "write_null");
  read_null<<<1, dim3(4, 4)>>>(nullptr);
  expect(cudaErrorIllegalAddress, "read_null");
  trap<<<10, 64>>>();
  expect(cudaErrorLaunchFailure, "trap");
  check_positive<<<1, 64>>>(0);
  expect(cudaErrorAssert, "check_positive");
  overflow_stack<<<1, 32>>>();
  expect(cudaErrorHardwareStackError, "overflow_stack");
  part_ways<<<1, 128>>>();
  expect(cudaErrorLaunchFailure, "part_ways");
  return check_report();
}
