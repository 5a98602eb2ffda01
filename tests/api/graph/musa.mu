// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs and capture in the MUSA spelling, runtime and driver API.
// RUN: %mcc %s -o %t && %run %t
// covers: C-4.2.2.1.2-01
#include "check.h"

#include <musa.h>

__global__ void add(int *data, int value) { *data += value; }

int main() {
  int *d, host = 0;
  musaStream_t stream;
  musaGraph_t graph;
  musaGraphExec_t exec;
  CHECK_MUSA(musaMalloc((void **)&d, 4));
  CHECK_MUSA(musaStreamCreate(&stream));
  CHECK_MUSA(musaStreamBeginCapture(stream, musaStreamCaptureModeGlobal));
  CHECK_MUSA(musaMemsetAsync(d, 0, 4, stream));
  add<<<1, 1, 0, stream>>>(d, 20);
  CHECK_MUSA(musaMemcpyAsync(&host, d, 4, musaMemcpyDeviceToHost, stream));
  CHECK_ERROR(musaStreamSynchronize(nullptr), musaErrorStreamCaptureImplicit);
  CHECK_ERROR(musaStreamEndCapture(stream, &graph), musaErrorStreamCaptureInvalidated);

  CHECK_MUSA(musaStreamBeginCapture(stream, musaStreamCaptureModeGlobal));
  CHECK_MUSA(musaMemsetAsync(d, 0, 4, stream));
  add<<<1, 1, 0, stream>>>(d, 42);
  CHECK_MUSA(musaMemcpyAsync(&host, d, 4, musaMemcpyDeviceToHost, stream));
  CHECK_MUSA(musaStreamEndCapture(stream, &graph));
  CHECK_MUSA(musaGraphInstantiate(&exec, graph, 0));
  CHECK_MUSA(musaGraphLaunch(exec, stream));
  CHECK_MUSA(musaStreamSynchronize(stream));
  CHECK_EQ(host, 42);

  MUgraph driver_graph;
  MUgraphNode node;
  MUgraphExec driver_exec;
  CHECK_MU(muGraphCreate(&driver_graph, 0));
  CHECK_MU(muGraphAddEmptyNode(&node, driver_graph, nullptr, 0));
  CHECK_MU(muGraphInstantiate(&driver_exec, driver_graph, 0));
  CHECK_MU(muGraphLaunch(driver_exec, stream));
  CHECK_MU(muStreamSynchronize(stream));
  CHECK_ERROR(muGraphDestroy(nullptr), MUSA_ERROR_INVALID_VALUE);
  CHECK_MU(muGraphDestroy(driver_graph));
  return check_report();
}
