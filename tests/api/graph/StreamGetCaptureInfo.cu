// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaStreamGetCaptureInfo, cudaStreamUpdateCaptureDependencies, cudaStreamBeginCaptureToGraph: nodes of one's own in a capture.
// RUN: %mcc %s -o %t && %run %t
// covers: C-4.2.2.1.2-01
#include "check.h"

__global__ void add(int *data, int value) { *data += value; }
__global__ void twice(int *data) { *data *= 2; }

int main() {
  int *d, host = -1;
  cudaStream_t stream;
  REQUIRE_CUDA(cudaMalloc(&d, 4));
  REQUIRE_CUDA(cudaStreamCreate(&stream));
  cudaStreamCaptureStatus status;
  unsigned long long id = 0;
  cudaGraph_t graph = nullptr;
  const cudaGraphNode_t *dependencies = nullptr;
  size_t n = 99;
  CHECK_CUDA(cudaStreamGetCaptureInfo(stream, &status));
  CHECK_EQ(status, cudaStreamCaptureStatusNone);
  CHECK_ERROR(cudaStreamGetCaptureInfo(stream, nullptr), cudaErrorInvalidValue);
  CHECK_ERROR(cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0, cudaStreamAddCaptureDependencies),
              cudaErrorIllegalState);

  CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK_CUDA(cudaMemsetAsync(d, 0, 4, stream));
  CHECK_CUDA(cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &dependencies, nullptr, &n));
  CHECK_EQ(status, cudaStreamCaptureStatusActive);
  CHECK(id != 0 && graph != nullptr);
  CHECK_EQ(n, 1u);
  CHECK_OWN_ERROR(cudaGraphDestroy(graph), cudaErrorInvalidValue);  // while it is captured

  // A node by hand, and the capture goes on behind it.
  int value = 21;
  void *args[] = {&d, &value};
  cudaKernelNodeParams k = {};
  k.func = (void *)add;
  k.gridDim = k.blockDim = dim3(1);
  k.kernelParams = args;
  cudaGraphNode_t own;
  CHECK_CUDA(cudaGraphAddKernelNode(&own, graph, dependencies, n, &k));
  CHECK_CUDA(cudaStreamUpdateCaptureDependencies(stream, &own, nullptr, 1, cudaStreamSetCaptureDependencies));
  cudaGraphNode_t wrong = (cudaGraphNode_t)stream;
  CHECK_OWN_ERROR(cudaStreamUpdateCaptureDependencies(stream, &wrong, nullptr, 1, cudaStreamSetCaptureDependencies),
              cudaErrorInvalidValue);
  CHECK_ERROR(cudaStreamUpdateCaptureDependencies(stream, &own, nullptr, 1, 8), cudaErrorInvalidValue);
  twice<<<1, 1, 0, stream>>>(d);
  cudaGraph_t ended = nullptr;
  REQUIRE_CUDA(cudaStreamEndCapture(stream, &ended));
  CHECK(ended == graph);
  cudaGraphExec_t exec;
  REQUIRE_CUDA(cudaGraphInstantiate(&exec, graph, 0));
  CHECK_CUDA(cudaGraphLaunch(exec, stream));
  CHECK_CUDA(cudaMemcpyAsync(&host, d, 4, cudaMemcpyDeviceToHost, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_EQ(host, 42);

  // A further capture into the same graph, behind one of its nodes.
  unsigned long long second = 0;
  CHECK_CUDA(cudaStreamBeginCaptureToGraph(stream, graph, &own, nullptr, 1, cudaStreamCaptureModeGlobal));
  CHECK_CUDA(cudaStreamGetCaptureInfo(stream, &status, &second));
  if (check::is_own_driver()) CHECK(second != id);
  add<<<1, 1, 0, stream>>>(d, 5);
  CHECK_CUDA(cudaStreamEndCapture(stream, &ended));
  CHECK(ended == graph);
  size_t nodes = 0, behind = 0;
  CHECK_CUDA(cudaGraphGetNodes(graph, nullptr, &nodes));
  CHECK_CUDA(cudaGraphNodeGetDependentNodes(own, nullptr, nullptr, &behind));
  CHECK_EQ(nodes, 4u);
  CHECK_EQ(behind, 2u);
  CHECK_ERROR(cudaStreamBeginCaptureToGraph(stream, nullptr, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal),
              cudaErrorInvalidValue);

  // A launch that may begin early leaves its mark in the edge.
  CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add<<<1, 1, 0, stream>>>(d, 1);
  cudaLaunchAttribute early[1];
  early[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early[0].val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = config.blockDim = dim3(1);
  config.stream = stream;
  config.attrs = early;
  config.numAttrs = 1;
  CHECK_CUDA(cudaLaunchKernelEx(&config, twice, d));
  CHECK_CUDA(cudaStreamEndCapture(stream, &graph));
  cudaGraphNode_t from[2], to[2];
  cudaGraphEdgeData data[2] = {};
  n = 2;
  CHECK_ERROR(cudaGraphGetEdges(graph, from, to, nullptr, &n), cudaErrorLossyQuery);
  n = 2;
  CHECK_CUDA(cudaGraphGetEdges(graph, from, to, data, &n));
  CHECK_EQ(n, 1u);
  CHECK_EQ((int)data[0].type, (int)cudaGraphDependencyTypeProgrammatic);
  CHECK_EQ((int)data[0].from_port, (int)cudaGraphKernelNodePortProgrammatic);
  return check_report();
}
