// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory nodes: addresses, lifetimes, frees inside and outside of the graph, the figures about graph memory.
// RUN: %mcc %s -o %t && %run %t
// covers: C-4.2.5-01 C-4.2.5-02 C-4.2.5.3-01
#include "check.h"

__global__ void fill(int *data, int value) { data[threadIdx.x] = value + threadIdx.x; }
__global__ void copy(const int *from, int *to) { to[threadIdx.x] = from[threadIdx.x]; }

static unsigned long long figure(cudaGraphMemAttributeType which) {
  unsigned long long value = ~0ull;
  CHECK_CUDA(cudaDeviceGetGraphMemAttribute(0, which, &value));
  return value;
}

static cudaMemAllocNodeParams alloc_params(size_t bytes) {
  cudaMemAllocNodeParams p = {};
  p.poolProps.allocType = cudaMemAllocationTypePinned;
  p.poolProps.location.type = cudaMemLocationTypeDevice;
  p.poolProps.location.id = 0;
  p.bytesize = bytes;
  return p;
}

int main() {
  int *out, host[32];
  cudaStream_t s;
  REQUIRE_CUDA(cudaMalloc(&out, sizeof(host)));
  REQUIRE_CUDA(cudaStreamCreate(&s));

  // Captured: allocated, used and freed by the graph.
  int *inside = nullptr;
  REQUIRE_CUDA(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  CHECK_CUDA(cudaMallocAsync((void **)&inside, 1 << 20, s));
  CHECK(inside != nullptr);
  fill<<<1, 32, 0, s>>>(inside, 100);
  copy<<<1, 32, 0, s>>>(inside, out);
  CHECK_CUDA(cudaFreeAsync(inside, s));
  CHECK_ERROR(cudaFreeAsync(out, s), cudaErrorInvalidValue);  // not the graph's
  cudaGraph_t graph;
  REQUIRE_CUDA(cudaStreamEndCapture(s, &graph));
  cudaGraphNode_t nodes[4];
  size_t n = 4;
  CHECK_CUDA(cudaGraphGetNodes(graph, nodes, &n));
  CHECK_EQ(n, 4u);
  cudaMemAllocNodeParams got = {};
  CHECK_CUDA(cudaGraphMemAllocNodeGetParams(nodes[0], &got));
  CHECK(got.dptr == inside && got.bytesize == 1 << 20);
  void *freed = nullptr;
  CHECK_CUDA(cudaGraphMemFreeNodeGetParams(nodes[3], &freed));
  CHECK(freed == inside);
  CHECK_ERROR(cudaGraphMemAllocNodeGetParams(nodes[3], &got), cudaErrorInvalidValue);

  // What such a graph cannot do.
  cudaGraph_t clone;
  CHECK_ERROR(cudaGraphClone(&clone, graph), cudaErrorNotSupported);
  CHECK_ERROR(cudaGraphDestroyNode(nodes[1]), cudaErrorNotSupported);
  CHECK_ERROR(cudaGraphRemoveDependencies(graph, nodes, nodes + 1, nullptr, 1), cudaErrorNotSupported);
  cudaGraph_t parent;
  cudaGraphNode_t child;
  CHECK_CUDA(cudaGraphCreate(&parent, 0));
  CHECK_ERROR(cudaGraphAddChildGraphNode(&child, parent, nullptr, 0, graph), cudaErrorNotSupported);
  cudaGraphExec_t exec, twice;
  REQUIRE_CUDA(cudaGraphInstantiate(&exec, graph, 0));
  CHECK_ERROR(cudaGraphInstantiate(&twice, graph, 0), cudaErrorNotSupported);

  if (check::is_own_driver()) CHECK_EQ(figure(cudaGraphMemAttrUsedMemCurrent), 0u);
  if (check::is_own_driver()) CHECK_EQ(figure(cudaGraphMemAttrReservedMemCurrent), 0u);
  for (int i = 0; i < 3; i++) {
    CHECK_CUDA(cudaGraphLaunch(exec, s));
    CHECK_CUDA(cudaStreamSynchronize(s));
  }
  CHECK_CUDA(cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost));
  CHECK_EQ(host[31], 131);
  if (check::is_own_driver()) CHECK_EQ(figure(cudaGraphMemAttrUsedMemCurrent), 0u);
  if (check::is_own_driver()) CHECK(figure(cudaGraphMemAttrUsedMemHigh) >= 1u << 20);
  if (check::is_own_driver()) CHECK(figure(cudaGraphMemAttrReservedMemCurrent) >= 1u << 20);
  CHECK_OWN_ERROR(cudaFree(inside), cudaErrorInvalidValue);  // not allocated now
  CHECK_CUDA(cudaDeviceGraphMemTrim(0));
  if (check::is_own_driver()) CHECK_EQ(figure(cudaGraphMemAttrReservedMemCurrent), 0u);
  unsigned long long zero = 0, one = 1;
  CHECK_CUDA(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &zero));
  if (check::is_own_driver()) CHECK_EQ(figure(cudaGraphMemAttrUsedMemHigh), 0u);
  CHECK_ERROR(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &one), cudaErrorInvalidValue);
  CHECK_ERROR(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &zero), cudaErrorInvalidValue);
  CHECK_ERROR(cudaDeviceGetGraphMemAttribute(0, (cudaGraphMemAttributeType)9, &zero), cudaErrorInvalidValue);
  CHECK_ERROR(cudaDeviceGraphMemTrim(99), cudaErrorInvalidDevice);
  CHECK_CUDA(cudaGraphLaunch(exec, s));
  CHECK_CUDA(cudaStreamSynchronize(s));
  CHECK_CUDA(cudaGraphExecDestroy(exec));
  REQUIRE_CUDA(cudaGraphInstantiate(&exec, graph, 0));  // one at a time
  CHECK_CUDA(cudaGraphExecDestroy(exec));
  CHECK_CUDA(cudaGraphDestroy(graph));

  // Allocated by one graph, freed by the program: it cannot be launched again before.
  REQUIRE_CUDA(cudaGraphCreate(&graph, 0));
  cudaMemAllocNodeParams p = alloc_params(4096);
  cudaGraphNode_t alloc, user;
  CHECK_CUDA(cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &p));
  int *kept = (int *)p.dptr;
  int value = 7;
  void *args[] = {&kept, &value};
  cudaKernelNodeParams k = {};
  k.func = (void *)fill;
  k.gridDim = dim3(1);
  k.blockDim = dim3(32);
  k.kernelParams = args;
  CHECK_CUDA(cudaGraphAddKernelNode(&user, graph, &alloc, 1, &k));
  REQUIRE_CUDA(cudaGraphInstantiate(&exec, graph, 0));
  CHECK_CUDA(cudaGraphLaunch(exec, s));
  CHECK_ERROR(cudaGraphLaunch(exec, s), cudaErrorInvalidValue);
  CHECK_CUDA(cudaMemcpyAsync(host, kept, sizeof(host), cudaMemcpyDeviceToHost, s));
  CHECK_CUDA(cudaFreeAsync(kept, s));
  CHECK_CUDA(cudaGraphLaunch(exec, s));
  CHECK_CUDA(cudaStreamSynchronize(s));
  CHECK_EQ(host[0], 7);
  if (check::is_own_driver()) CHECK_EQ(figure(cudaGraphMemAttrUsedMemCurrent), 4096u);
  CHECK_CUDA(cudaFree(kept));
  if (check::is_own_driver()) CHECK_EQ(figure(cudaGraphMemAttrUsedMemCurrent), 0u);
  CHECK_OWN_ERROR(cudaFree(kept), cudaErrorInvalidValue);

  // … or by another graph.
  cudaGraph_t freeing;
  cudaGraphNode_t release;
  REQUIRE_CUDA(cudaGraphCreate(&freeing, 0));
  CHECK_ERROR(cudaGraphAddMemFreeNode(&release, freeing, nullptr, 0, out), cudaErrorInvalidValue);
  CHECK_CUDA(cudaGraphAddMemFreeNode(&release, freeing, nullptr, 0, kept));
  cudaGraphExec_t freeing_exec;
  REQUIRE_CUDA(cudaGraphInstantiate(&freeing_exec, freeing, 0));
  CHECK_ERROR(cudaGraphLaunch(freeing_exec, s), cudaErrorInvalidValue);
  for (int i = 0; i < 3; i++) {
    CHECK_CUDA(cudaGraphLaunch(exec, s));
    CHECK_CUDA(cudaGraphLaunch(freeing_exec, s));
  }
  CHECK_CUDA(cudaGraphExecDestroy(exec));

  // Freed by itself when launched again; still there when the graph is gone.
  REQUIRE_CUDA(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
  for (int i = 0; i < 3; i++) {
    CHECK_CUDA(cudaGraphLaunch(exec, s));
  }
  CHECK_CUDA(cudaStreamSynchronize(s));
  if (check::is_own_driver()) CHECK_EQ(figure(cudaGraphMemAttrUsedMemCurrent), 4096u);
  CHECK_CUDA(cudaGraphExecDestroy(exec));
  CHECK_CUDA(cudaGraphExecDestroy(freeing_exec));
  CHECK_CUDA(cudaGraphDestroy(freeing));
  CHECK_CUDA(cudaGraphDestroy(graph));
  CHECK_CUDA(cudaMemcpy(host, kept, sizeof(host), cudaMemcpyDeviceToHost));
  CHECK_EQ(host[3], 10);
  CHECK_CUDA(cudaFree(kept));
  if (check::is_own_driver()) CHECK_EQ(figure(cudaGraphMemAttrUsedMemCurrent), 0u);

  // Parameters that are refused.
  REQUIRE_CUDA(cudaGraphCreate(&graph, 0));
  p = alloc_params(0);
  CHECK_ERROR(cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &p), cudaErrorInvalidValue);
  p = alloc_params(size_t(1) << 60);
  CHECK_ERROR(cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &p), cudaErrorMemoryAllocation);
  p = alloc_params(64);
  p.poolProps.location.id = 99;
  CHECK_ERROR(cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &p), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, nullptr), cudaErrorInvalidValue);
  return check_report();
}
