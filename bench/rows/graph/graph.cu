// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/harness/cuda_check.h"

#include "bench/harness/row.h"

__global__ void empty_node() {}

namespace {

void check(cudaError_t status) { hel::bench::check(status, "graph"); }

cudaStream_t stream() {
  static const cudaStream_t made = [] {
    cudaStream_t s = nullptr;
    check(cudaStreamCreate(&s));
    return s;
  }();
  return made;
}

cudaGraphExec_t chain_of_kernels(int nodes) {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  check(cudaStreamBeginCapture(stream(), cudaStreamCaptureModeThreadLocal));
  for (int i = 0; i < nodes; i++) {
    empty_node<<<1, 1, 0, stream()>>>();
  }
  check(cudaStreamEndCapture(stream(), &graph));
  check(cudaGraphInstantiate(&exec, graph, 0));
  return exec;
}

cudaGraphExec_t chain_of_nothing(int nodes) {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaGraphNode_t last = nullptr;
  check(cudaGraphCreate(&graph, 0));
  for (int i = 0; i < nodes; i++) {
    cudaGraphNode_t node = nullptr;
    check(cudaGraphAddEmptyNode(&node, graph, &last, last != nullptr));
    last = node;
  }
  check(cudaGraphInstantiate(&exec, graph, 0));
  return exec;
}

void replay(cudaGraphExec_t exec) {
  check(cudaGraphLaunch(exec, stream()));
  check(cudaStreamSynchronize(stream()));
}

void run_kernels(const hel::bench::Problem &problem, const hel::bench::Memory &) {
  static const cudaGraphExec_t exec = chain_of_kernels(problem.sizes[0]);
  replay(exec);
}

void run_nothing(const hel::bench::Problem &problem, const hel::bench::Memory &) {
  static const cudaGraphExec_t exec = chain_of_nothing(problem.sizes[0]);
  replay(exec);
}

void launch_all(const hel::bench::Problem &problem, const hel::bench::Memory &) {
  for (int i = 0; i < problem.sizes[0]; i++) {
    empty_node<<<1, 1, 0, stream()>>>();
  }
  check(cudaStreamSynchronize(stream()));
}

const hel::bench::Side nothing("graph_empty_node", hel::bench::Who::Helicon, run_nothing);
const hel::bench::Side kernels("graph_kernel_node", hel::bench::Who::Helicon, run_kernels);
const hel::bench::Side graph("graph_against_launches", hel::bench::Who::Helicon, run_kernels);
const hel::bench::Side launches("graph_against_launches", hel::bench::Who::Hand, launch_all);

}  // namespace
