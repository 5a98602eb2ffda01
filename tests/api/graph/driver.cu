// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs by the driver API: kernel nodes by function and by kernel handle, memory operations, earlier entry points.
// RUN: %mcc %s -o %t && %run %t
// covers: C-4.2.1-01 C-4.2.2-01
#include "check.h"

#include <cuda.h>

__global__ void add(int *data, int value) { *data += value; }

int main() {
  int *d, host = 0;
  REQUIRE_CUDA(cudaMalloc(&d, 64));
  CHECK_CUDA(cudaMemset(d, 0, 64));
  CUcontext context = nullptr;
  CHECK_CU(cuCtxGetCurrent(&context));
  cudaKernel_t kernel;
  cudaFunction_t function;
  CHECK_CUDA(cudaGetKernel(&kernel, (void *)add));
  CHECK_CUDA(cudaGetFuncBySymbol(&function, (void *)add));
  CUgraph graph;
  CHECK_CU(cuGraphCreate(&graph, 0));
  int value = 1;
  void *args[] = {&d, &value};
  CUDA_KERNEL_NODE_PARAMS k = {};
  k.func = function;
  k.gridDimX = k.gridDimY = k.gridDimZ = k.blockDimX = k.blockDimY = k.blockDimZ = 1;
  k.kernelParams = args;
  CUgraphNode first, second, third, ops;
  CHECK_CU(cuGraphAddKernelNode(&first, graph, nullptr, 0, &k));
  k.func = nullptr;
  k.kern = (CUkernel)kernel;
  k.ctx = context;
  CHECK_CU(cuGraphAddKernelNode(&second, graph, &first, 1, &k));
  struct {
    int *p;
    int v;
  } buffer = {d, 100};
  size_t bytes = sizeof(buffer);
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
  void *members[] = {&buffer.p, &buffer.v};  // NVIDIA's driver takes no buffer for a node
  k.kernelParams = check::is_own_driver() ? nullptr : members;
  k.extra = check::is_own_driver() ? extra : nullptr;
  CHECK_CU(cuGraphAddKernelNode(&third, graph, &second, 1, &k));
  CUstreamBatchMemOpParams op[2] = {};
  op[0].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
  op[0].writeValue.address = (CUdeviceptr)(d + 8);
  op[0].writeValue.value = 77;
  op[1].waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
  op[1].waitValue.address = (CUdeviceptr)(d + 8);
  op[1].waitValue.value = 70;
  op[1].waitValue.flags = CU_STREAM_WAIT_VALUE_GEQ;
  CUDA_BATCH_MEM_OP_NODE_PARAMS batch = {context, 2, op, 0};
  CHECK_CU(cuGraphAddBatchMemOpNode(&ops, graph, &third, 1, &batch));
  CUDA_BATCH_MEM_OP_NODE_PARAMS batch_back = {};
  CHECK_CU(cuGraphBatchMemOpNodeGetParams(ops, &batch_back));
  CHECK_EQ(batch_back.count, 2u);
  CUDA_KERNEL_NODE_PARAMS back = {};
  CHECK_CU(cuGraphKernelNodeGetParams(second, &back));
  CHECK(back.kern == (CUkernel)kernel && back.ctx == context);
  if (check::is_own_driver()) CHECK(back.func == nullptr);
  CHECK_CU(cuGraphKernelNodeGetParams(third, &back));
  CHECK_EQ(*(int *)back.kernelParams[1], 100);

  CUDA_MEMCPY3D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = (CUdeviceptr)d;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = &host;
  copy.WidthInBytes = 4;
  copy.Height = copy.Depth = 1;
  CUgraphNode out;
  CHECK_CU(cuGraphAddMemcpyNode(&out, graph, &ops, 1, &copy, context));
  CHECK_OWN_ERROR(cuGraphAddMemcpyNode(&out, graph, nullptr, 0, &copy, (CUcontext)graph), CUDA_ERROR_INVALID_CONTEXT);
  CUgraphExec exec;
  CHECK_CU(cuGraphInstantiateWithFlags(&exec, graph, 0));
  CUstream stream;
  CHECK_CU(cuStreamCreate(&stream, 0));
  CHECK_CU(cuGraphLaunch(exec, stream));
  CHECK_CU(cuStreamSynchronize(stream));
  CHECK_EQ(host, 102);
  copy.dstHost = &value;
  CHECK_CU(cuGraphExecMemcpyNodeSetParams(exec, out, &copy, context));
  op[0].writeValue.value = 88;
  CHECK_CU(cuGraphExecBatchMemOpNodeSetParams(exec, ops, &batch));
  CHECK_CU(cuGraphLaunch(exec, stream));
  CHECK_CU(cuStreamSynchronize(stream));
  CHECK_EQ(value, 204);
  CHECK_CU(cuMemcpyDtoH(&host, (CUdeviceptr)(d + 8), 4));
  CHECK_EQ(host, 88);
  CHECK_CU(cuGraphExecDestroy(exec));
  CHECK_CU(cuGraphDestroy(graph));
  return check_report();
}
