// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copy and fill nodes: forms, parameters, symbols, arrays, large ones.
// RUN: %mcc %s -o %t && %run %t
// covers: C-4.2.1-01 C-4.2.2.1.3-01 C-4.2.3-02
#include "check.h"

#include <vector>

__device__ int symbol[4] = {1, 2, 3, 4};

static void launch(cudaGraph_t graph) {
  cudaGraphExec_t exec;
  CHECK_CUDA(cudaGraphInstantiate(&exec, graph, 0));
  CHECK_CUDA(cudaGraphLaunch(exec, 0));
  CHECK_CUDA(cudaStreamSynchronize(0));
  CHECK_CUDA(cudaGraphExecDestroy(exec));
}

int main() {
  cudaGraph_t graph;
  REQUIRE_CUDA(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t in, out, to, from, fill;
  int host[4] = {10, 20, 30, 40}, back[4] = {};

  // Into a symbol and out of it; the host's memory is read anew by each launch.
  CHECK_CUDA(cudaGraphAddMemcpyNodeToSymbol(&to, graph, nullptr, 0, symbol, host, 8, 8, cudaMemcpyHostToDevice));
  CHECK_CUDA(cudaGraphAddMemcpyNodeFromSymbol(&from, graph, &to, 1, back, symbol, 16, 0, cudaMemcpyDeviceToHost));
  CHECK_ERROR(cudaGraphAddMemcpyNodeToSymbol(&in, graph, nullptr, 0, symbol, host, 16, 8, cudaMemcpyHostToDevice),
              cudaErrorInvalidValue);
  CHECK_ERROR(cudaGraphAddMemcpyNodeToSymbol(&in, graph, nullptr, 0, host, host, 4, 0, cudaMemcpyHostToDevice),
              cudaErrorInvalidSymbol);
  launch(graph);
  CHECK(back[0] == 1 && back[1] == 2 && back[2] == 10 && back[3] == 20);
  host[1] = 99;
  launch(graph);
  CHECK_EQ(back[3], 99);
  CHECK_CUDA(cudaGraphMemcpyNodeSetParamsToSymbol(to, symbol, host + 2, 8, 0, cudaMemcpyHostToDevice));
  CHECK_CUDA(cudaGraphMemcpyNodeSetParamsFromSymbol(from, back, symbol, 8, 0, cudaMemcpyDeviceToHost));
  launch(graph);
  CHECK(back[0] == 30 && back[1] == 40);
  CHECK_CUDA(cudaGraphDestroy(graph));

  // A box in pitched memory, by cudaMemcpy3DParms.
  REQUIRE_CUDA(cudaGraphCreate(&graph, 0));
  cudaPitchedPtr box;
  cudaExtent extent = make_cudaExtent(12, 3, 2);
  REQUIRE_CUDA(cudaMalloc3D(&box, extent));
  unsigned char source[12 * 3 * 2], target[12 * 3 * 2] = {};
  for (int i = 0; i < 72; i++) {
    source[i] = (unsigned char)i;
  }
  cudaMemcpy3DParms p = {};
  p.srcPtr = make_cudaPitchedPtr(source, 12, 12, 3);
  p.dstPtr = box;
  p.extent = extent;
  p.kind = cudaMemcpyHostToDevice;
  CHECK_CUDA(cudaGraphAddMemcpyNode(&in, graph, nullptr, 0, &p));
  cudaMemcpy3DParms q = {};
  q.srcPtr = box;
  q.dstPtr = make_cudaPitchedPtr(target, 12, 12, 3);
  q.extent = extent;
  q.kind = cudaMemcpyDeviceToHost;
  CHECK_CUDA(cudaGraphAddMemcpyNode(&out, graph, &in, 1, &q));
  launch(graph);
  CHECK_EQ(memcmp(source, target, 72), 0);
  cudaMemcpy3DParms got = {};
  CHECK_CUDA(cudaGraphMemcpyNodeGetParams(out, &got));
  CHECK(got.srcPtr.ptr == box.ptr && got.dstPtr.ptr == target && got.kind == cudaMemcpyDeviceToHost);
  CHECK(got.extent.width == 12 && got.extent.height == 3 && got.extent.depth == 2 && got.srcPtr.pitch == box.pitch);
  CHECK_CUDA(cudaGraphMemcpyNodeSetParams(out, &got));
  CHECK_ERROR(cudaGraphMemcpyNodeGetParams(out, nullptr), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGraphMemcpyNodeSetParams(out, nullptr), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGraphAddMemcpyNode(&fill, graph, nullptr, 0, nullptr), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGraphAddMemcpyNode1D(&fill, graph, nullptr, 0, box.ptr, nullptr, 8, cudaMemcpyHostToDevice),
              cudaErrorInvalidValue);
  CHECK_ERROR(cudaGraphAddMemcpyNode1D(&fill, graph, nullptr, 0, box.ptr, source, 8, (cudaMemcpyKind)9),
              cudaErrorInvalidMemcpyDirection);
  CHECK_ERROR(cudaGraphAddMemcpyNode1D(&fill, graph, nullptr, 0, box.ptr, source, size_t(1) << 40,
                                       cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  CHECK_CUDA(cudaGraphDestroy(graph));

  // Through an array.
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  REQUIRE_CUDA(cudaMallocArray(&array, &format, 8, 4));
  float rows[32], rows_back[32] = {};
  for (int i = 0; i < 32; i++) {
    rows[i] = 0.5f * i;
  }
  REQUIRE_CUDA(cudaGraphCreate(&graph, 0));
  p = {};
  p.srcPtr = make_cudaPitchedPtr(rows, 32, 8, 4);
  p.dstArray = array;
  p.extent = make_cudaExtent(8, 4, 1);
  p.kind = cudaMemcpyHostToDevice;
  CHECK_CUDA(cudaGraphAddMemcpyNode(&in, graph, nullptr, 0, &p));
  p = {};
  p.srcArray = array;
  p.dstPtr = make_cudaPitchedPtr(rows_back, 32, 8, 4);
  p.extent = make_cudaExtent(8, 4, 1);
  p.kind = cudaMemcpyDeviceToHost;
  CHECK_CUDA(cudaGraphAddMemcpyNode(&out, graph, &in, 1, &p));
  CHECK_CUDA(cudaGraphMemcpyNodeGetParams(out, &got));
  CHECK(got.srcArray == array && got.extent.width == 8);
  launch(graph);
  CHECK_EQ(memcmp(rows, rows_back, sizeof(rows)), 0);
  CHECK_CUDA(cudaGraphDestroy(graph));

  // Large ones, which the workers share; fills of each element size; changes in the executable graph.
  const size_t n = 3u << 20;
  int *a, *b;
  std::vector<int> big(n);
  REQUIRE_CUDA(cudaMalloc(&a, n * 4));
  REQUIRE_CUDA(cudaMalloc(&b, n * 4));
  REQUIRE_CUDA(cudaGraphCreate(&graph, 0));
  cudaMemsetParams set = {};
  set.dst = a;
  set.value = 0x01020304;
  set.elementSize = 4;
  set.width = n;
  set.height = 1;
  CHECK_CUDA(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &set));
  CHECK_CUDA(cudaGraphAddMemcpyNode1D(&in, graph, &fill, 1, b, a, n * 4, cudaMemcpyDeviceToDevice));
  CHECK_CUDA(cudaGraphAddMemcpyNode1D(&out, graph, &in, 1, big.data(), b, n * 4, cudaMemcpyDeviceToHost));
  cudaGraphExec_t exec;
  REQUIRE_CUDA(cudaGraphInstantiate(&exec, graph, 0));
  auto all = [&](int value) {
    CHECK_CUDA(cudaGraphLaunch(exec, 0));
    CHECK_CUDA(cudaStreamSynchronize(0));
    size_t wrong = 0;
    for (int seen : big) {
      wrong += seen != value;
    }
    CHECK_EQ(wrong, 0u);
  };
  all(0x01020304);
  set.value = 0xab;
  set.elementSize = 1;
  set.width = n * 4;
  CHECK_CUDA(cudaGraphExecMemsetNodeSetParams(exec, fill, &set));
  all((int)0xabababab);
  set.value = 0x1234;
  set.elementSize = 2;
  set.width = n * 2;
  CHECK_CUDA(cudaGraphExecMemsetNodeSetParams(exec, fill, &set));
  all(0x12341234);
  cudaMemsetParams set_back = {};
  CHECK_CUDA(cudaGraphMemsetNodeGetParams(fill, &set_back));
  CHECK_EQ(set_back.value, 0x01020304u);
  CHECK_CUDA(cudaGraphMemsetNodeSetParams(fill, &set));
  CHECK_ERROR(cudaGraphMemsetNodeSetParams(fill, nullptr), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGraphMemsetNodeGetParams(in, &set_back), cudaErrorInvalidValue);
  set.elementSize = 3;
  CHECK_ERROR(cudaGraphAddMemsetNode(&to, graph, nullptr, 0, &set), cudaErrorInvalidValue);
  set.elementSize = 4;
  set.width = n * 2;
  CHECK_ERROR(cudaGraphAddMemsetNode(&to, graph, nullptr, 0, &set), cudaErrorInvalidValue);
  CHECK_CUDA(cudaMemset(a, 0x11, n * 4));
  CHECK_CUDA(cudaGraphNodeSetEnabled(exec, fill, 0));
  all(0x11111111);
  CHECK_CUDA(cudaMemset(b, 0x22, n * 4));
  CHECK_CUDA(cudaGraphExecMemcpyNodeSetParams1D(exec, in, b, b, 4, cudaMemcpyDeviceToDevice));
  all(0x22222222);
  // Another direction is another kind of copy.
  CHECK_ERROR(cudaGraphExecMemcpyNodeSetParams1D(exec, in, b, big.data(), 4, cudaMemcpyHostToDevice),
              cudaErrorInvalidValue);
  return check_report();
}
