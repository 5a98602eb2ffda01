// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuStreamWaitValue, cuStreamWriteValue, cuStreamBatchMemOp: between streams, with the host, in a capture.
// RUN: %mcc %s -o %t && %run %t
#include "check.h"

#include <cuda.h>

__global__ void set(int *p, int value) { *p = value; }

int main() {
  int *d, host = 0;
  volatile unsigned *flag;
  cudaStream_t a, b;
  REQUIRE_CUDA(cudaMalloc(&d, 64));
  REQUIRE_CUDA(cudaMemset(d, 0, 64));
  REQUIRE_CUDA(cudaMallocHost((void **)&flag, 64));
  REQUIRE_CUDA(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
  REQUIRE_CUDA(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
  CUdeviceptr word = (CUdeviceptr)(d + 8), shared = (CUdeviceptr)flag;
  CHECK_CUDA(cudaDeviceSynchronize());

  // b waits for what a writes behind its kernel; a waits for the host.
  flag[0] = 0;
  CHECK_CU(cuStreamWaitValue32(b, word, 3, CU_STREAM_WAIT_VALUE_EQ));
  CHECK_CUDA(cudaMemcpyAsync((void *)(flag + 8), d, 4, cudaMemcpyDeviceToHost, b));
  CHECK_CU(cuStreamWaitValue32(a, shared, 5, CU_STREAM_WAIT_VALUE_GEQ));
  set<<<1, 1, 0, a>>>(d, 42);
  CHECK_CU(cuStreamWriteValue32(a, word, 3, 0));
  CHECK_ERROR(cudaStreamQuery(a), cudaErrorNotReady);
  flag[0] = 4;
  CHECK_ERROR(cudaStreamQuery(b), cudaErrorNotReady);
  flag[0] = 6;
  CHECK_CUDA(cudaStreamSynchronize(b));
  CHECK_EQ(flag[8], 42u);

  // All comparisons, in both widths. Each holds at once, or the test would not end.
  flag[0] = 6;
  CHECK_CU(cuStreamWaitValue32(a, shared, 2, CU_STREAM_WAIT_VALUE_AND));
  CHECK_CU(cuStreamWaitValue32(a, shared, 8, CU_STREAM_WAIT_VALUE_NOR));
  CHECK_CU(cuStreamWaitValue32(a, shared, 0x90000000u, CU_STREAM_WAIT_VALUE_GEQ));  // counters may wrap
  // Both flags are for devices that say so, or for an earlier form of the calls.
  bool plain = !check::is_own_driver();
  CHECK_CU(cuStreamWriteValue64(a, word, 1ull << 40, plain ? 0 : CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER));
  CHECK_CU(cuStreamWaitValue64(a, word, 1ull << 40, CU_STREAM_WAIT_VALUE_EQ | (plain ? 0 : CU_STREAM_WAIT_VALUE_FLUSH)));
  CUstreamBatchMemOpParams ops[3] = {};
  ops[0].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
  ops[0].writeValue.address = word;
  ops[0].writeValue.value = 9;
  ops[1].memoryBarrier.operation = CU_STREAM_MEM_OP_BARRIER;
  ops[2].waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
  ops[2].waitValue.address = word;
  ops[2].waitValue.value = 9;
  ops[2].waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
  CHECK_CU(cuStreamBatchMemOp(a, 3, ops, 0));
  CHECK_CUDA(cudaStreamSynchronize(a));

  // Captured, they are nodes.
  CHECK_CUDA(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
  CHECK_CU(cuStreamWriteValue32(a, word, 11, 0));
  CHECK_CU(cuStreamWaitValue32(a, word, 11, CU_STREAM_WAIT_VALUE_EQ));
  cudaGraph_t graph;
  REQUIRE_CUDA(cudaStreamEndCapture(a, &graph));
  cudaGraphExec_t exec;
  REQUIRE_CUDA(cudaGraphInstantiate(&exec, graph, 0));
  CHECK_CUDA(cudaGraphLaunch(exec, a));
  CHECK_CUDA(cudaStreamSynchronize(a));
  CHECK_CUDA(cudaMemcpy(&host, (void *)word, 4, cudaMemcpyDeviceToHost));
  CHECK_EQ(host, 11);

  CHECK_OWN_ERROR(cuStreamWaitValue32(a, word + 2, 0, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuStreamWaitValue32(a, 0, 0, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuStreamWaitValue32(a, word, 0, 64), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuStreamWriteValue32(a, word, 0, 8), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuStreamWriteValue64(a, word + 4, 0, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuStreamBatchMemOp(a, 3, nullptr, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuStreamBatchMemOp(a, 0, ops, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuStreamBatchMemOp(a, 257, ops, 0), CUDA_ERROR_INVALID_VALUE);
  ops[1].operation = (CUstreamBatchMemOpType)77;
  CHECK_OWN_ERROR(cuStreamBatchMemOp(a, 3, ops, 0), CUDA_ERROR_INVALID_VALUE);
  return check_report();
}
