// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaLaunchHostFunc, cudaStreamAddCallback: the host's turn in a stream.
// RUN: %mcc %s -o %t && %run %t
#include "check.h"

#include <cuda_runtime_api.h>

struct State {
  int *host;
  int seen;
};
static void look(void *data) {
  auto *state = static_cast<State *>(data);
  state->seen = *state->host;
}
static void called_back(cudaStream_t, cudaError_t status, void *data) { static_cast<State *>(data)->seen = status; }

int main() {
  cudaStream_t stream = nullptr;
  REQUIRE_CUDA(cudaStreamCreate(&stream));
  int *d = nullptr;
  int host = 0;
  State state{&host, -1};
  REQUIRE_CUDA(cudaMalloc(reinterpret_cast<void **>(&d), 4));
  CHECK_CUDA(cudaMemsetAsync(d, 1, 4, stream));
  CHECK_CUDA(cudaMemcpyAsync(&host, d, 4, cudaMemcpyDeviceToHost, stream));
  CHECK_CUDA(cudaLaunchHostFunc(stream, look, &state));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_EQ(state.seen, 0x01010101);

  state.seen = -1;
  CHECK_CUDA(cudaStreamAddCallback(stream, called_back, &state, 0));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_EQ(state.seen, 0);
  CHECK_ERROR(cudaLaunchHostFunc(stream, nullptr, nullptr), cudaErrorInvalidValue);
  CHECK_ERROR(cudaStreamAddCallback(stream, nullptr, nullptr, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaStreamAddCallback(stream, called_back, &state, 1), cudaErrorInvalidValue);
  CHECK_CUDA(cudaStreamDestroy(stream));
  CHECK_CUDA(cudaFree(d));
  return check_report();
}
