// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HELICON_LOG=api shows each call with arguments and result, in the program's spelling.
// RUN: %mcc %s -o %t && env HELICON_LOG=api %run %t 2>&1 | %FileCheck %s --implicit-check-not=cuda
#include "check.h"

__global__ void nothing() {}

int main() {
  void *p = nullptr;
  // CHECK: musaMalloc(devPtr=0x{{[0-9a-f]+}}->0x{{[0-9a-f]+}}, size=64) = 0 musaSuccess
  musaMalloc(&p, 64);
  // CHECK: musaLaunchKernel(func=0x{{[0-9a-f]+}}, gridDim=(2,1,1), blockDim=(3,1,1), args={{.*}}, sharedMem=0, stream=null) = 0 musaSuccess
  nothing<<<2, 3>>>();
  char host[4];
  // CHECK: call=musaMemcpy failed=musaErrorInvalidMemcpyDirection why="9 is no copy direction"
  // CHECK: musaMemcpy(dst={{.*}}, src={{.*}}, count=4, kind=9) = 21 musaErrorInvalidMemcpyDirection
  musaMemcpy(host, p, 4, (musaMemcpyKind)9);
  // CHECK: musaFree(devPtr=0x{{[0-9a-f]+}}) = 0 musaSuccess
  musaFree(p);
  return 0;
}
