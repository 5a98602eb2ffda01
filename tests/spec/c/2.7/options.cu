// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options that change speed, warnings or what is kept, never results.
// RUN: %mcc -O3 --use_fast_math %s -o %t && %run %t
// RUN: %mcc -O2 -maxrregcount=32 -Xptxas -v,-O3 -Xptxas=-warn-spills %s -o %t && %run %t
// RUN: %mcc -O1 -lineinfo -restrict -ftz=true -prec-div=false -prec-sqrt=false -fmad=false %s -o %t && %run %t
// RUN: %mcc -Xcompiler -Wall,-O2 -Xcompiler=-fPIC -Xlinker -z,now -Xlinker=-O1 %s -o %t && %run %t
// RUN: %mcc -w -m64 -t 2 --threads 0 -cudart shared %s -o %t && %run %t
// RUN: %mcc --cudart=static -lcudart %s -o %t && %run %t
// RUN: %mcc -expt-relaxed-constexpr -extended-lambda --expt-extended-lambda %s -o %t && %run %t
// RUN: %mcc -ccbin g++ --compiler-options -fno-strict-aliasing %s -o %t && %run %t
// RUN: %mcc --no-compress --compress-mode=size -src-in-ptx %s -o %t && %run %t
// RUN: %mcc -diag-suppress 177 -Wno-deprecated-gpu-targets -Werror all-warnings %s -o %t && %run %t
// RUN: %mcc --run %s | %FileCheck %s
// RUN: rm -rf %t.keep && mkdir %t.keep && %mcc --keep --keep-dir %t.keep -c %s -o %t.o
// RUN: %mcc --dryrun %s -o %t.nothing && not ls %t.nothing
// RUN: echo "-O2 -DFROM_FILE=1" > %t.opt && %mcc --options-file %t.opt %s -o %t && %run %t
// CHECK: passed
// covers: C-2.7.3-03 C-2.7.4-01 C-2.7.4-02 C-2.7.4-03 C-2.7.4-04 C-5.5.1-04 C-2.3.3.3-01
#include "check.h"

__global__ void halve(float *values) { values[threadIdx.x] = values[threadIdx.x] / 2.0f; }

int main() {
  float host[64];
  for (int i = 0; i < 64; ++i) {
    host[i] = 4.0f * i;
  }
  float *device = nullptr;
  CHECK_CUDA(cudaMalloc(&device, sizeof host));
  CHECK_CUDA(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice));
  halve<<<1, 64>>>(device);
  CHECK_CUDA(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) {
    CHECK_EQ(host[i], 2.0f * i);
  }
  CHECK_CUDA(cudaFree(device));
  return check_report();
}
