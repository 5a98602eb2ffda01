// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the calls cost on the host: an empty kernel launched again and again, launched and waited for, and in a graph.
#include "timing.h"

#include <chrono>

__global__ void empty() {}
__global__ void arguments(float *a, const float *b, int n, float4 v, double d) {
  if (n < 0) a[0] = b[0] + v.x + static_cast<float>(d);
}

namespace {

/// Microseconds of one call, best of several rounds.
template <typename Call> void time_calls(const char *name, int calls, Call call) {
  double best = 1e30;
  for (int round = 0; round < 15; round++) {
    cudaDeviceSynchronize();
    auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; i++) call();
    std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - start;
    best = std::fmin(best, spent.count() / calls);
  }
  cudaDeviceSynchronize();
  std::printf("%s %.3f 0\n", name, best);
}

}  // namespace

int main() {
  float *memory;
  CHECK(cudaMalloc(&memory, 1024));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  empty<<<1, 32>>>();
  CHECK(cudaDeviceSynchronize());
  time_calls("launch_empty", 500, [] { empty<<<1, 32>>>(); });
  time_calls("launch_arguments", 500, [&] { arguments<<<1, 32, 0, stream>>>(memory, memory, 1, make_float4(1, 2, 3, 4), 5.0); });
  time_calls("launch_and_wait", 200, [] {
    empty<<<1, 32>>>();
    cudaDeviceSynchronize();
  });
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  for (int i = 0; i < 10; i++) empty<<<1, 32, 0, stream>>>();
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  time_calls("graph_of_10", 100, [&] { cudaGraphLaunch(exec, stream); });
  CHECK(cudaDeviceSynchronize());
  return 0;
}
