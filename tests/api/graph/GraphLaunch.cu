// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A graph of every basic kind of node, launched many times: order, branches, what the host sees.
// RUN: %mcc %s -o %t && %run %t
// covers: C-4.2.1-01 C-4.2.2-01 C-4.2.2.2-01 C-4.2.7-01
#include "check.h"

__global__ void add(int *data, int value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    data[i] += value;
  }
}

__global__ void sum(const int *a, const int *b, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = a[i] + 10 * b[i];
  }
}

constexpr int kCount = 5000;
static int host_out[kCount];
struct Seen {
  int calls;
  int value;
};
static void look(void *user) {
  auto *seen = static_cast<Seen *>(user);
  seen->calls++;
  seen->value = host_out[kCount - 1];
}

int main() {
  int *a, *b, *out;
  REQUIRE_CUDA(cudaMalloc(&a, kCount * sizeof(int)));
  REQUIRE_CUDA(cudaMalloc(&b, kCount * sizeof(int)));
  REQUIRE_CUDA(cudaMalloc(&out, kCount * sizeof(int)));
  cudaGraph_t graph;
  REQUIRE_CUDA(cudaGraphCreate(&graph, 0));

  // fill a, fill b; add to each; sum; copy; host function
  cudaGraphNode_t fill[2], kernel[2], both, copy, host;
  int *arrays[2] = {a, b};
  for (int i = 0; i < 2; i++) {
    cudaMemsetParams set = {};
    set.dst = arrays[i];
    set.value = 1 + i;
    set.elementSize = 4;
    set.width = kCount;
    set.height = 1;
    CHECK_CUDA(cudaGraphAddMemsetNode(&fill[i], graph, nullptr, 0, &set));
    int value = 100, n = kCount;
    void *args[] = {&arrays[i], &value, &n};
    cudaKernelNodeParams k = {};
    k.func = (void *)add;
    k.gridDim = dim3((kCount + 255) / 256);
    k.blockDim = dim3(256);
    k.kernelParams = args;
    CHECK_CUDA(cudaGraphAddKernelNode(&kernel[i], graph, &fill[i], 1, &k));
  }
  int n = kCount;
  void *args[] = {&a, &b, &out, &n};
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeKernel;
  params.kernel.func = (void *)sum;
  params.kernel.gridDim = dim3((kCount + 127) / 128);
  params.kernel.blockDim = dim3(128);
  params.kernel.kernelParams = args;
  CHECK_CUDA(cudaGraphAddNode(&both, graph, kernel, nullptr, 2, &params));
  CHECK_CUDA(cudaGraphAddMemcpyNode1D(&copy, graph, &both, 1, host_out, out, sizeof(host_out), cudaMemcpyDeviceToHost));
  Seen seen = {};
  cudaHostNodeParams call = {look, &seen};
  CHECK_CUDA(cudaGraphAddHostNode(&host, graph, &copy, 1, &call));

  cudaGraphExec_t exec;
  CHECK_ERROR(cudaGraphInstantiate(nullptr, graph, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGraphInstantiate(&exec, nullptr, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGraphInstantiate(&exec, graph, 1u << 20), cudaErrorInvalidValue);
  CHECK_OWN_ERROR(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagDeviceLaunch), cudaErrorNotSupported);
  REQUIRE_CUDA(cudaGraphInstantiate(&exec, graph, 0));
  CHECK_CUDA(cudaGraphDestroy(graph));  // the executable graph does not need it

  cudaStream_t stream;
  REQUIRE_CUDA(cudaStreamCreate(&stream));
  CHECK_CUDA(cudaGraphUpload(exec, stream));
  for (int i = 0; i < 20; i++) {
    CHECK_CUDA(cudaGraphLaunch(exec, stream));
  }
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_EQ(seen.calls, 20);
  CHECK_EQ(seen.value, 101 + 10 * 102);
  int wrong = 0;
  for (int i = 0; i < kCount; i++) {
    wrong += host_out[i] != 101 + 10 * 102;
  }
  CHECK_EQ(wrong, 0);

  // Launches of one executable graph follow each other, whatever the streams.
  cudaStream_t second;
  REQUIRE_CUDA(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  for (int i = 0; i < 10; i++) {
    CHECK_CUDA(cudaGraphLaunch(exec, i % 2 ? stream : second));
  }
  CHECK_CUDA(cudaGraphLaunch(exec, 0));
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(seen.calls, 31);

  unsigned long long flags = 99;
  CHECK_CUDA(cudaGraphExecGetFlags(exec, &flags));
  CHECK_EQ(flags, 0u);
  CHECK_ERROR(cudaGraphExecGetFlags(exec, nullptr), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGraphLaunch(nullptr, stream), cudaErrorInvalidValue);

  // Destroyed while it runs, it runs to its end.
  CHECK_CUDA(cudaGraphLaunch(exec, stream));
  CHECK_CUDA(cudaGraphExecDestroy(exec));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_EQ(seen.calls, 32);
  CHECK_ERROR(cudaGraphExecDestroy(exec), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGraphLaunch(exec, stream), cudaErrorInvalidValue);
  CHECK_CUDA(cudaStreamDestroy(stream));
  CHECK_CUDA(cudaStreamDestroy(second));
  return check_report();
}
