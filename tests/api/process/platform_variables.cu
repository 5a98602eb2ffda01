// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Environment variables of the platform that no other test sets: run-time compilation that is forced or forbidden, and all
// those without an effect on the CPU (docs/env.md), which a program may have set.
// RUN: %mcc %s -o %t
// RUN: env HELICON_LOG=module %run %t runs 2>&1 | %FileCheck --check-prefix=IMAGE %s
// RUN: env HELICON_LOG=module CUDA_FORCE_PTX_JIT=1 %run %t runs 2>&1 | %FileCheck --check-prefix=JIT %s
// RUN: env HELICON_LOG=module MUSA_FORCE_JIT=1 %run %t runs 2>&1 | %FileCheck --check-prefix=JIT %s
// RUN: env HELICON_LOG=module CUDA_FORCE_JIT=1 CUDA_FORCE_PTX_JIT=0 %run %t runs 2>&1 | %FileCheck --check-prefix=IMAGE %s
// RUN: env CUDA_DISABLE_PTX_JIT=1 %run %t runs
// RUN: env CUDA_FORCE_JIT=1 CUDA_DISABLE_JIT=1 %run %t refused
// RUN: env CUDA_FORCE_JIT=1 CUDA_DISABLE_JIT=1 CUDA_DISABLE_PTX_JIT=0 %run %t runs
// RUN: env CUDA_DEVICE_ORDER=PCI_BUS_ID CUDA_MANAGED_FORCE_DEVICE_ALLOC=1 CUDA_FORCE_PRELOAD_LIBRARIES=1 \
// RUN:   CUDA_DEVICE_MAX_CONNECTIONS=1 CUDA_DEVICE_MAX_COPY_CONNECTIONS=1 CUDA_SCALE_LAUNCH_QUEUES=0.25x \
// RUN:   CUDA_DEVICE_WAITS_ON_EXCEPTION=1 CUDA_DEVICE_DEFAULT_PERSISTING_L2_CACHE_PERCENTAGE_LIMIT=50 \
// RUN:   CUDA_PREFER_SPINLOCKS_ON_HOST=1 CUDA_AUTO_BOOST=0 CUDA_DISABLE_PERF_BOOST=1 CUDA_MODULE_DATA_LOADING=EAGER \
// RUN:   CUDA_BINARY_LOADER_THREAD_COUNT=4 CUDA_DEVICE_DEFAULT_STACK_SIZE_MAX=8192 %run %t runs
// covers: C-5.2.2.4-01 C-4.1.3-03 C-5.2.1.3-01 C-5.2.3.7-01 C-5.2.2.6-01 C-5.2.3.2-01 C-5.2.4.3-01 C-5.2.5.1-02
#include "check.h"

// IMAGE-NOT: jit containers
// IMAGE: passed
// JIT: jit containers
// JIT: passed

__global__ void run(int *p) { *p += 2; }

int main(int argc, char **argv) {
  CHECK_EQ(argc, 2);
  int *p = nullptr;
  if (strcmp(argv[1], "refused") == 0 && !check::is_own_driver()) {  // a GPU's code is always compiled there
    CHECK_ERROR(cudaMallocManaged(&p, sizeof *p), cudaErrorJitCompilationDisabled);
    return check_report();
  }
  CHECK_CUDA(cudaMallocManaged(&p, sizeof *p));
  *p = 40;
  run<<<1, 1>>>(p);
  if (strcmp(argv[1], "refused") == 0) {
    CHECK_ERROR(cudaGetLastError(), cudaErrorJitCompilationDisabled);
    CHECK_EQ(*p, 40);
  } else {
    CHECK_CUDA(cudaDeviceSynchronize());
    CHECK_EQ(*p, 42);
  }
  CHECK_CUDA(cudaFree(p));
  return check_report();
}
