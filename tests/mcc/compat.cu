// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forms of CUDA 8 to 12 compile, with a warning; --cuda-compat says which version a program was written for.
// report: facebookincubator/AITemplate#1045
// RUN: %mcc -O2 %s -o %t 2> %t.err && %run %t 13 && %FileCheck %s < %t.err
// RUN: %mcc -O2 --cuda-compat=12 -Werror all-warnings %s -o %t && %run %t 12
// RUN: %mcc -O2 --cuda-compat=11 -Werror all-warnings %s -o %t && %run %t 11
// RUN: not %mcc --cuda-compat=10 %s -o %t 2>&1 | %FileCheck --check-prefix=WRONG %s
// WRONG: cuda-compat
#include "check.h"

#include <cuda.h>

#include <climits>

__attribute__((noinline)) static bool wraps(int x) { return x + 1 < x; }

__global__ void one(int *p) { *p = 1; }

int main(int, char **argv) {
  const int version = atoi(argv[1]);
  CHECK_EQ(CUDART_VERSION / 1000, version);
  CHECK_EQ(CUDA_VERSION / 1000, version);
  CHECK_EQ(__CUDACC_VER_MAJOR__, version);

  cudaDeviceProp prop;
  CHECK_CUDA(cudaGetDeviceProperties(&prop, 0));
  // CHECK-DAG: warning: 'clockRate' is deprecated
  CHECK(prop.clockRate > 0);
  // CHECK-DAG: warning: 'memoryClockRate' is deprecated
  CHECK(prop.memoryClockRate > 0);
  CHECK(prop.deviceOverlap >= 0 && prop.kernelExecTimeoutEnabled == 0 && prop.computeMode == cudaComputeModeDefault);
  // CHECK-DAG: warning: 'cudaThreadSynchronize' is deprecated
  CHECK_CUDA(cudaThreadSynchronize());
  CHECK_CUDA(cudaThreadSetCacheConfig(cudaFuncCachePreferNone));

  int *managed, device = 0;
  cudaStream_t stream;
  REQUIRE_CUDA(cudaMallocManaged(&managed, 4096));
  REQUIRE_CUDA(cudaStreamCreate(&stream));
  // CHECK-DAG: warning: 'cudaMemAdvise' is deprecated
  CHECK_CUDA(cudaMemAdvise(managed, 4096, cudaMemAdviseSetPreferredLocation, device));
  // CHECK-DAG: warning: 'cudaMemPrefetchAsync' is deprecated
  CHECK_CUDA(cudaMemPrefetchAsync(managed, 4096, device, stream));
  CHECK_CUDA(cudaMemPrefetchAsync(managed, 4096, cudaCpuDeviceId));

  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t error = nullptr, nodes[2];
  char log[64] = "x";
  cudaStreamCaptureStatus status;
  unsigned long long id = 0;
  const cudaGraphNode_t *dependencies = nullptr;
  size_t n = 0;
  CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  one<<<1, 1, 0, stream>>>(managed);
  CHECK_CUDA(cudaStreamGetCaptureInfo(stream, &status, &id));
  // CHECK-DAG: warning: 'cudaStreamGetCaptureInfo_v2' is deprecated
  CHECK_CUDA(cudaStreamGetCaptureInfo_v2(stream, &status, &id, &graph, &dependencies, &n));
  CHECK_EQ(n, 1u);
  one<<<1, 1, 0, stream>>>(managed);
  CHECK_CUDA(cudaStreamEndCapture(stream, &graph));
  n = 2;
  CHECK_CUDA(cudaGraphGetNodes(graph, nodes, &n));
  n = 1;
  CHECK_CUDA(cudaGraphNodeGetDependencies(nodes[1], nodes, &n));
  CHECK_CUDA(cudaGraphInstantiate(&exec, graph, &error, log, sizeof(log)));
  CHECK(error == nullptr);
  CHECK_CUDA(cudaGraphLaunch(exec, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_EQ(*managed, 1);
  CUgraphExec driver_exec;
  CHECK_CU(cuGraphInstantiate(&driver_exec, graph, nullptr, nullptr, 0));
  CHECK_CU(cuGraphNodeGetDependencies(nodes[1], nodes, &n));
  CUcontext context;
  CHECK_CU(cuCtxCreate(&context, 0, 0));

  // Signed numbers of the host wrap, as in kernels.
  CHECK(wraps(INT_MAX));
  return check_report();
}
