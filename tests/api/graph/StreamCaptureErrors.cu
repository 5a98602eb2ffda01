// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a capture forbids, and what it makes of a broken rule: an invalid capture gives no graph.
// RUN: %mcc %s -o %t && %run %t
// covers: C-4.2.2.1.2-03
#include "check.h"

#include <thread>

__global__ void nothing() {}
static void callback(cudaStream_t, cudaError_t, void *) {}
static cudaStream_t stream, other, plain;

/// Begins a capture, runs `body`, and expects that it made the capture invalid.
template <typename Body> static void breaks(Body body, cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) {
  CHECK_CUDA(cudaStreamBeginCapture(stream, mode));
  nothing<<<1, 1, 0, stream>>>();
  body();
  cudaStreamCaptureStatus status;
  CHECK_CUDA(cudaStreamIsCapturing(stream, &status));
  CHECK_EQ(status, cudaStreamCaptureStatusInvalidated);
  nothing<<<1, 1, 0, stream>>>();
  CHECK_ERROR(cudaGetLastError(), cudaErrorStreamCaptureInvalidated);
  cudaGraph_t graph = (cudaGraph_t)1;
  CHECK_ERROR(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  CHECK(graph == nullptr);
  CHECK_CUDA(cudaStreamIsCapturing(stream, &status));
  CHECK_EQ(status, cudaStreamCaptureStatusNone);
}

int main() {
  int *d, *managed, host[4] = {};
  cudaEvent_t event, outside;
  cudaGraph_t graph = nullptr;
  REQUIRE_CUDA(cudaStreamCreate(&stream));
  REQUIRE_CUDA(cudaStreamCreate(&other));
  REQUIRE_CUDA(cudaStreamCreateWithFlags(&plain, cudaStreamNonBlocking));
  REQUIRE_CUDA(cudaEventCreate(&event));
  REQUIRE_CUDA(cudaEventCreate(&outside));
  REQUIRE_CUDA(cudaMalloc(&d, sizeof(host)));
  REQUIRE_CUDA(cudaMallocManaged(&managed, 64));
  CHECK_CUDA(cudaEventRecord(outside, other));

  // Calls that do not fit the state.
  CHECK_ERROR(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal), cudaErrorStreamCaptureUnsupported);
  CHECK_ERROR(cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeGlobal), cudaErrorStreamCaptureUnsupported);
  CHECK_ERROR(cudaStreamBeginCapture(stream, (cudaStreamCaptureMode)7), cudaErrorInvalidValue);
  CHECK_ERROR(cudaStreamEndCapture(stream, &graph), cudaErrorIllegalState);
  CHECK_ERROR(cudaStreamIsCapturing(stream, nullptr), cudaErrorInvalidValue);

  // Waiting for what is captured.
  breaks([] { CHECK_ERROR(cudaStreamSynchronize(stream), cudaErrorStreamCaptureUnsupported); });
  breaks([] { CHECK_ERROR(cudaStreamQuery(stream), cudaErrorStreamCaptureUnsupported); });
  breaks([] { CHECK_ERROR(cudaDeviceSynchronize(), cudaErrorStreamCaptureUnsupported); });
  breaks([&] {
    CHECK_CUDA(cudaEventRecord(event, stream));
    CHECK_ERROR(cudaEventQuery(event), cudaErrorCapturedEvent);
  });
  breaks([&] {
    CHECK_CUDA(cudaEventRecord(event, stream));
    CHECK_ERROR(cudaEventSynchronize(event), cudaErrorCapturedEvent);
  });
  // Calls that cannot become nodes.
  breaks([&] { CHECK_ERROR(cudaStreamAddCallback(stream, callback, nullptr, 0), cudaErrorStreamCaptureUnsupported); });
  breaks([&] {
    CHECK_ERROR(cudaStreamAttachMemAsync(stream, managed, 0, cudaMemAttachGlobal), cudaErrorStreamCaptureUnsupported);
  });
  // The legacy stream would wait for the captured one.
  breaks([&] { CHECK_ERROR(cudaMemcpy(d, host, 16, cudaMemcpyHostToDevice), cudaErrorStreamCaptureImplicit); });
  breaks([] {
    nothing<<<1, 1>>>();
    CHECK_ERROR(cudaGetLastError(), cudaErrorStreamCaptureImplicit);
  });
  breaks([] { CHECK_ERROR(cudaStreamSynchronize(0), cudaErrorStreamCaptureImplicit); });
  CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  cudaStreamCaptureStatus status;
  CHECK_ERROR(cudaStreamIsCapturing(0, &status), cudaErrorStreamCaptureImplicit);
  CHECK_CUDA(cudaStreamEndCapture(stream, &graph));
  // … but not for a non-blocking one.
  CHECK_CUDA(cudaStreamBeginCapture(plain, cudaStreamCaptureModeRelaxed));
  CHECK_CUDA(cudaMemcpy(d, host, 16, cudaMemcpyHostToDevice));
  nothing<<<1, 1>>>();
  CHECK_CUDA(cudaStreamEndCapture(plain, &graph));

  // Dependencies across the border.
  breaks([&] { CHECK_ERROR(cudaStreamWaitEvent(stream, outside, 0), cudaErrorStreamCaptureIsolation); });
  breaks([&] {
    CHECK_CUDA(cudaStreamBeginCapture(other, cudaStreamCaptureModeGlobal));
    CHECK_CUDA(cudaEventRecord(event, other));
    CHECK_ERROR(cudaStreamWaitEvent(stream, event, 0), cudaErrorStreamCaptureMerge);
    CHECK_ERROR(cudaStreamEndCapture(other, &graph), cudaErrorStreamCaptureInvalidated);
  });

  // A fork that is not joined.
  CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK_CUDA(cudaEventRecord(event, stream));
  CHECK_CUDA(cudaStreamWaitEvent(other, event, 0));
  nothing<<<1, 1, 0, other>>>();
  CHECK_ERROR(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureUnjoined);
  CHECK(graph == nullptr);
  CHECK_CUDA(cudaStreamSynchronize(other));

  // Already captured; ended by another thread.
  CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  CHECK_ERROR(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaErrorIllegalState);
  std::thread([&] { CHECK_ERROR(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureWrongThread); }).join();
  // NVIDIA's driver has ended the capture then.
  CHECK_ERROR(cudaStreamEndCapture(stream, &graph), check::is_own_driver() ? cudaSuccess : cudaErrorIllegalState);
  CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  std::thread([&] { CHECK_CUDA(cudaStreamEndCapture(stream, &graph)); }).join();

  // Unsafe calls: the modes of captures and threads.
  void *p = nullptr;
  breaks([&] { CHECK_ERROR(cudaMalloc(&p, 16), cudaErrorStreamCaptureUnsupported); });
  breaks([&] { CHECK_ERROR(cudaFree(d), cudaErrorStreamCaptureUnsupported); }, cudaStreamCaptureModeThreadLocal);
  breaks([&] { CHECK_ERROR(cudaMallocHost(&p, 16), cudaErrorStreamCaptureUnsupported); });
  breaks([] { CHECK_ERROR(cudaFree(nullptr), cudaErrorStreamCaptureUnsupported); });
  breaks([] { CHECK_ERROR(cudaFreeHost(nullptr), cudaErrorStreamCaptureUnsupported); });
  breaks([&] { CHECK_ERROR(cudaEventQuery(outside), cudaErrorStreamCaptureUnsupported); });
  breaks([&] {
    std::thread([&] { CHECK_ERROR(cudaMalloc(&p, 16), cudaErrorStreamCaptureUnsupported); }).join();
  });
  CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  std::thread([&] {
    CHECK_CUDA(cudaMalloc(&p, 16));
    CHECK_CUDA(cudaFree(p));
  }).join();
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  CHECK_CUDA(cudaThreadExchangeStreamCaptureMode(&mode));
  CHECK_EQ(mode, cudaStreamCaptureModeGlobal);
  CHECK_CUDA(cudaMalloc(&p, 16));
  CHECK_CUDA(cudaThreadExchangeStreamCaptureMode(&mode));
  CHECK_EQ(mode, cudaStreamCaptureModeRelaxed);
  CHECK_CUDA(cudaStreamEndCapture(stream, &graph));
  mode = (cudaStreamCaptureMode)9;
  CHECK_OWN_ERROR(cudaThreadExchangeStreamCaptureMode(&mode), cudaErrorInvalidValue);
  CHECK_OWN_ERROR(cudaThreadExchangeStreamCaptureMode(nullptr), cudaErrorInvalidValue);

  // Streams that end inside of a capture: programs destroy those that they have joined again.
  cudaStream_t helper = nullptr;
  for (bool joins : {true, false}) {
    CHECK_CUDA(cudaStreamCreate(&helper));
    CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    nothing<<<1, 1, 0, stream>>>();
    CHECK_CUDA(cudaEventRecord(event, stream));
    CHECK_CUDA(cudaStreamWaitEvent(helper, event, 0));
    nothing<<<1, 1, 0, helper>>>();
    if (joins) {
      CHECK_CUDA(cudaEventRecord(event, helper));
      CHECK_CUDA(cudaStreamWaitEvent(stream, event, 0));
    }
    CHECK_CUDA(cudaStreamDestroy(helper));
    if (joins) {
      CHECK_CUDA(cudaStreamEndCapture(stream, &graph));
      size_t count = 0;
      CHECK_CUDA(cudaGraphGetNodes(graph, nullptr, &count));
      CHECK_EQ(count, 2u);
      CHECK_CUDA(cudaGraphDestroy(graph));
    } else {
      CHECK_ERROR(cudaStreamEndCapture(stream, &graph),
                  check::is_own_driver() ? cudaErrorStreamCaptureInvalidated : cudaErrorStreamCaptureUnjoined);
    }
  }
  if (!check::is_own_driver()) return check_report();  // NVIDIA's does not survive the rest
  CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  CHECK_CUDA(cudaEventRecord(event, stream));
  CHECK_CUDA(cudaStreamWaitEvent(other, event, 0));
  CHECK_CUDA(cudaStreamDestroy(other));
  CHECK_ERROR(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  CHECK_CUDA(cudaStreamDestroy(stream));
  nothing<<<1, 1>>>();
  CHECK_CUDA(cudaDeviceSynchronize());
  return check_report();
}
