// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel nodes: parameters and attributes, in the graph and in the executable graph.
// RUN: %mcc %s -o %t && %run %t
// covers: C-4.2.1-01 C-4.2.3-02 C-4.14-01
#include "check.h"

__global__ void store(int *out, int value) { *out = value; }
__global__ void store_twice(int *out, int value) { *out = 2 * value; }

int main() {
  int *d, host = 0;
  REQUIRE_CUDA(cudaMalloc(&d, 8));
  cudaGraph_t graph;
  REQUIRE_CUDA(cudaGraphCreate(&graph, 0));
  int value = 7;
  void *args[] = {&d, &value};
  cudaKernelNodeParams k = {};
  k.func = (void *)store;
  k.gridDim = k.blockDim = dim3(1);
  k.kernelParams = args;
  cudaGraphNode_t node, empty;
  REQUIRE_CUDA(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &k));
  CHECK_CUDA(cudaGraphAddEmptyNode(&empty, graph, nullptr, 0));
  CHECK_ERROR(cudaGraphAddKernelNode(&node, graph, nullptr, 0, nullptr), cudaErrorInvalidValue);
  cudaKernelNodeParams wrong = k;
  wrong.func = (void *)&host;
  CHECK_ERROR(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &wrong), cudaErrorInvalidDeviceFunction);
  wrong = k;
  wrong.blockDim = dim3(2000);
  CHECK_ERROR(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &wrong), cudaErrorInvalidValue);
  wrong = k;
  wrong.gridDim = dim3(0);
  CHECK_ERROR(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &wrong), cudaErrorInvalidValue);
  wrong = k;
  wrong.kernelParams = nullptr;
  CHECK_ERROR(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &wrong), cudaErrorInvalidValue);

  // The values were copied when the node was made.
  value = -1;
  cudaKernelNodeParams got = {};
  CHECK_CUDA(cudaGraphKernelNodeGetParams(node, &got));
  CHECK(got.func == (void *)store);
  CHECK_EQ(*(int *)got.kernelParams[1], 7);
  CHECK_EQ(*(int **)got.kernelParams[0], d);
  CHECK_ERROR(cudaGraphKernelNodeGetParams(empty, &got), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGraphKernelNodeGetParams(node, nullptr), cudaErrorInvalidValue);
  CHECK_CUDA(cudaGraphKernelNodeSetParams(node, &got));  // what was given out can be given back

  cudaGraphExec_t exec;
  REQUIRE_CUDA(cudaGraphInstantiate(&exec, graph, 0));
  auto run = [&] {
    CHECK_CUDA(cudaGraphLaunch(exec, 0));
    CHECK_CUDA(cudaMemcpy(&host, d, 4, cudaMemcpyDeviceToHost));
    return host;
  };
  CHECK_EQ(run(), 7);
  // The graph changes, the executable graph does not.
  value = 8;
  CHECK_CUDA(cudaGraphKernelNodeSetParams(node, &k));
  CHECK_ERROR(cudaGraphKernelNodeSetParams(empty, &k), cudaErrorInvalidValue);
  CHECK_EQ(run(), 7);
  // The executable graph changes: another value, another kernel.
  value = 9;
  CHECK_CUDA(cudaGraphExecKernelNodeSetParams(exec, node, &k));
  CHECK_EQ(run(), 9);
  k.func = (void *)store_twice;
  CHECK_CUDA(cudaGraphExecKernelNodeSetParams(exec, node, &k));
  CHECK_EQ(run(), 18);
  CHECK_ERROR(cudaGraphExecKernelNodeSetParams(exec, empty, &k), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGraphExecKernelNodeSetParams(nullptr, node, &k), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGraphExecKernelNodeSetParams(exec, node, nullptr), cudaErrorInvalidValue);
  cudaGraphNodeParams any = {};
  any.type = cudaGraphNodeTypeKernel;
  any.kernel.func = (void *)store;
  any.kernel.gridDim = any.kernel.blockDim = dim3(1);
  any.kernel.kernelParams = args;
  value = 10;
  CHECK_CUDA(cudaGraphExecNodeSetParams(exec, node, &any));
  CHECK_EQ(run(), 10);
  CHECK_CUDA(cudaGraphNodeSetParams(node, &any));

  // A launch in flight keeps its parameters.
  for (int i = 0; i < 50; i++) {
    value = i;
    CHECK_CUDA(cudaGraphExecKernelNodeSetParams(exec, node, &k));
    CHECK_CUDA(cudaGraphLaunch(exec, 0));
    value = 1000;
    CHECK_CUDA(cudaGraphExecKernelNodeSetParams(exec, node, &k));
    CHECK_CUDA(cudaMemcpy(&host, d, 4, cudaMemcpyDeviceToHost));
    CHECK_EQ(host, 2 * i);
  }

  // Switched off and on; set while off.
  unsigned on = 9;
  CHECK_CUDA(cudaGraphNodeGetEnabled(exec, node, &on));
  CHECK_EQ(on, 1u);
  CHECK_CUDA(cudaMemset(d, 0, 4));
  CHECK_CUDA(cudaGraphNodeSetEnabled(exec, node, 0));
  CHECK_CUDA(cudaGraphNodeGetEnabled(exec, node, &on));
  CHECK_EQ(on, 0u);
  CHECK_EQ(run(), 0);
  value = 5;
  CHECK_CUDA(cudaGraphExecKernelNodeSetParams(exec, node, &k));
  CHECK_EQ(run(), 0);
  CHECK_CUDA(cudaGraphNodeSetEnabled(exec, node, 1));
  CHECK_EQ(run(), 10);
  CHECK_ERROR(cudaGraphNodeSetEnabled(exec, empty, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGraphNodeGetEnabled(exec, node, nullptr), cudaErrorInvalidValue);

  // Attributes.
  cudaKernelNodeAttrValue attribute = {}, back = {};
  attribute.priority = -2;
  CHECK_CUDA(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributePriority, &attribute));
  CHECK_CUDA(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributePriority, &back));
  CHECK_EQ(back.priority, -2);
  attribute = {};
  attribute.accessPolicyWindow.base_ptr = d;
  attribute.accessPolicyWindow.num_bytes = 8;
  attribute.accessPolicyWindow.hitRatio = 1.f;
  CHECK_CUDA(cudaGraphKernelNodeSetAttribute(node, cudaKernelNodeAttributeAccessPolicyWindow, &attribute));
  cudaGraphNode_t second;
  CHECK_CUDA(cudaGraphAddKernelNode(&second, graph, nullptr, 0, &k));
  CHECK_CUDA(cudaGraphKernelNodeGetAttribute(second, cudaLaunchAttributePriority, &back));
  CHECK_EQ(back.priority, 0);
  CHECK_CUDA(cudaGraphKernelNodeCopyAttributes(second, node));
  CHECK_CUDA(cudaGraphKernelNodeGetAttribute(second, cudaKernelNodeAttributeAccessPolicyWindow, &back));
  CHECK_EQ(back.accessPolicyWindow.num_bytes, 8u);
  CHECK_ERROR(cudaGraphKernelNodeSetAttribute(node, (cudaLaunchAttributeID)99, &attribute), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGraphKernelNodeGetAttribute(node, (cudaLaunchAttributeID)99, &back), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGraphKernelNodeSetAttribute(empty, cudaLaunchAttributePriority, &attribute), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGraphKernelNodeCopyAttributes(second, empty), cudaErrorInvalidValue);
  attribute = {};
  attribute.deviceUpdatableKernelNode.deviceUpdatable = 1;
  CHECK_OWN_ERROR(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeDeviceUpdatableKernelNode, &attribute),
                  cudaErrorNotSupported);
  return check_report();
}
