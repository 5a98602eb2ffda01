// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What people reported of streams and events: who waits for whom, what a recording is, what captures forbid.
// report: Stream synchronization behavior (CUDA driver API documentation)
// report: CHIP-SPV/chipStar#1103
// report: CHIP-SPV/chipStar#173
// report: CHIP-SPV/chipStar#1235
// report: torch/cutorch#222
// report: NVIDIA/cuopt#1748
// report: aws/aws-ofi-nccl#1342
// report: Event management: cuEventElapsedTime (CUDA driver API documentation)
// RUN: %mcc -O2 -std=c++17 %s -o %t -lcuda && %run %t legacy
// RUN: %mcc -O2 -std=c++17 --default-stream per-thread %s -o %t -lcuda && %run %t per-thread
#include "check.h"

#include <cuda.h>

#include <atomic>
#include <vector>

static std::atomic<int> gate{0};
static void wait_for_gate(void *) {
  while (gate == 0) {
  }
}
__global__ void nothing() {}
__global__ void take_place(int *place, int *next) { *place = atomicAdd(next, 1) + 1; }

/// When each of three kernels ran, in order stream, default stream, stream; a gate is before the first one.
struct Places {
  int first, middle, last, next;
};

static Places *three(cudaStream_t stream) {
  Places *places = nullptr;
  CHECK_CUDA(cudaMallocManaged(&places, sizeof(Places)));
  *places = {};
  gate = 0;
  CHECK_CUDA(cudaLaunchHostFunc(stream, wait_for_gate, nullptr));
  take_place<<<1, 1, 0, stream>>>(&places->first, &places->next);
  take_place<<<1, 1>>>(&places->middle, &places->next);
  take_place<<<1, 1, 0, stream>>>(&places->last, &places->next);
  return places;
}

static void check_places(Places *places, int first, int middle, int last) {
  CHECK_EQ(places->first, first);
  CHECK_EQ(places->middle, middle);
  CHECK_EQ(places->last, last);
  CHECK_CUDA(cudaFree(places));
}

/// The legacy stream waits for blocking streams and they for it; non-blocking ones and it know nothing of each other, nor
/// do others and the stream of a thread.
static void default_stream(bool legacy) {
  cudaStream_t blocking, other, free;
  CHECK_CUDA(cudaStreamCreate(&blocking));
  CHECK_CUDA(cudaStreamCreate(&other));
  CHECK_CUDA(cudaStreamCreateWithFlags(&free, cudaStreamNonBlocking));
  Places *places = three(blocking);
  if (legacy) {
    CHECK_ERROR(cudaStreamQuery(0), cudaErrorNotReady);
    nothing<<<1, 1, 0, other>>>();  // behind the default stream, which is behind the blocking one
    CHECK_ERROR(cudaStreamQuery(other), cudaErrorNotReady);
  } else {
    CHECK_CUDA(cudaStreamSynchronize(0));
  }
  gate = 1;
  CHECK_CUDA(cudaStreamSynchronize(blocking));
  check_places(places, legacy ? 1 : 2, legacy ? 2 : 1, 3);
  CHECK_CUDA(cudaStreamSynchronize(other));

  places = three(free);
  CHECK_CUDA(cudaStreamSynchronize(0));
  CHECK_ERROR(cudaStreamQuery(free), cudaErrorNotReady);
  gate = 1;
  CHECK_CUDA(cudaStreamSynchronize(free));
  check_places(places, 2, 1, 3);

  // Waiting for a blocking stream waits for what the legacy stream got before it.
  gate = 0;
  CHECK_CUDA(cudaLaunchHostFunc(cudaStreamLegacy, wait_for_gate, nullptr));
  nothing<<<1, 1, 0, blocking>>>();
  CHECK_ERROR(cudaStreamQuery(blocking), cudaErrorNotReady);
  nothing<<<1, 1, 0, free>>>();
  CHECK_CUDA(cudaStreamSynchronize(free));
  gate = 1;
  CHECK_CUDA(cudaStreamSynchronize(blocking));
  CHECK_CUDA(cudaStreamQuery(cudaStreamLegacy));
  for (cudaStream_t stream : {blocking, other, free}) {
    CHECK_CUDA(cudaStreamDestroy(stream));
  }
}

static void one_stream_alone() {
  cudaStream_t first, second;
  CHECK_CUDA(cudaStreamCreate(&first));
  CHECK_CUDA(cudaStreamCreate(&second));
  gate = 0;
  auto held = [](cudaStream_t, cudaError_t, void *) { wait_for_gate(nullptr); };
  CHECK_CUDA(cudaStreamAddCallback(second, held, nullptr, 0));
  nothing<<<1, 1, 0, first>>>();
  CHECK_CUDA(cudaStreamSynchronize(first));  // would hang if it waited for the other one
  CHECK_CUDA(cudaStreamQuery(first));
  CHECK_ERROR(cudaStreamQuery(second), cudaErrorNotReady);
  gate = 1;
  CHECK_CUDA(cudaStreamSynchronize(second));
  CHECK_CUDA(cudaStreamQuery(second));
  CHECK_CUDA(cudaStreamDestroy(first));
  CHECK_CUDA(cudaStreamDestroy(second));
}

/// The last recording counts, for whoever waits after it.
static void recordings() {
  cudaStream_t slow, quick, waiting;
  cudaEvent_t event;
  for (cudaStream_t *stream : {&slow, &quick, &waiting}) {
    CHECK_CUDA(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking));
  }
  CHECK_CUDA(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  gate = 0;
  CHECK_CUDA(cudaLaunchHostFunc(slow, wait_for_gate, nullptr));
  CHECK_CUDA(cudaEventRecord(event, slow));
  CHECK_ERROR(cudaEventQuery(event), cudaErrorNotReady);
  CHECK_CUDA(cudaEventRecord(event, quick));
  CHECK_CUDA(cudaStreamWaitEvent(waiting, event, 0));
  CHECK_CUDA(cudaStreamSynchronize(waiting));
  CHECK_CUDA(cudaEventSynchronize(event));
  CHECK_CUDA(cudaEventRecord(event, slow));
  CHECK_CUDA(cudaStreamWaitEvent(waiting, event, 0));
  CHECK_CUDA(cudaEventRecord(event, quick));  // too late for who waits already
  CHECK_ERROR(cudaStreamQuery(waiting), cudaErrorNotReady);
  // A wait outside of captures captures nothing.
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusActive;
  CHECK_CUDA(cudaStreamIsCapturing(waiting, &status));
  CHECK_EQ(status, cudaStreamCaptureStatusNone);
  gate = 1;
  CHECK_CUDA(cudaStreamSynchronize(waiting));
  // Not even while another stream is captured, which does not wait for it.
  cudaGraph_t graph;
  CHECK_CUDA(cudaStreamBeginCapture(slow, cudaStreamCaptureModeThreadLocal));
  CHECK_CUDA(cudaStreamWaitEvent(waiting, event, 0));
  CHECK_CUDA(cudaStreamIsCapturing(waiting, &status));
  CHECK_EQ(status, cudaStreamCaptureStatusNone);
  CHECK_CUDA(cudaEventRecord(event, slow));  // and one that was recorded in the capture does
  CHECK_CUDA(cudaStreamWaitEvent(waiting, event, 0));
  CHECK_CUDA(cudaStreamIsCapturing(waiting, &status));
  CHECK_EQ(status, cudaStreamCaptureStatusActive);
  nothing<<<1, 1, 0, waiting>>>();
  CHECK_CUDA(cudaEventRecord(event, waiting));
  CHECK_CUDA(cudaStreamWaitEvent(slow, event, 0));
  CHECK_CUDA(cudaStreamEndCapture(slow, &graph));
  CHECK_CUDA(cudaStreamIsCapturing(waiting, &status));
  CHECK_EQ(status, cudaStreamCaptureStatusNone);
  CHECK_CUDA(cudaGraphDestroy(graph));
  for (cudaStream_t stream : {slow, quick, waiting}) {
    CHECK_CUDA(cudaStreamSynchronize(stream));
    CHECK_CUDA(cudaStreamDestroy(stream));
  }
  CHECK_CUDA(cudaEventDestroy(event));
}

/// Calls that no capture survives, by mode.
static void unsafe_calls() {
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (cudaStreamCaptureMode mode :
       {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed}) {
    for (bool exchanged : {false, true}) {
      const bool allowed = exchanged || mode == cudaStreamCaptureModeRelaxed;
      void *p = nullptr;
      cudaGraph_t graph = nullptr;
      CHECK_CUDA(cudaStreamBeginCapture(stream, mode));
      CUstreamCaptureMode own = CU_STREAM_CAPTURE_MODE_RELAXED;
      if (exchanged) {
        CHECK_EQ(cuThreadExchangeStreamCaptureMode(&own), CUDA_SUCCESS);
      }
      CHECK_ERROR(cudaMalloc(&p, 64), allowed ? cudaSuccess : cudaErrorStreamCaptureUnsupported);
      if (exchanged) {
        CHECK_EQ(cuThreadExchangeStreamCaptureMode(&own), CUDA_SUCCESS);
      }
      CHECK_ERROR(cudaStreamEndCapture(stream, &graph), allowed ? cudaSuccess : cudaErrorStreamCaptureInvalidated);
      CHECK_EQ(graph != nullptr, allowed);
      (void)cudaGetLastError();
      if (allowed) {
        CHECK_CUDA(cudaGraphDestroy(graph));
        CHECK_CUDA(cudaFree(p));
      }
      CHECK_CUDA(cudaStreamSynchronize(stream));
    }
  }
  CHECK_CUDA(cudaStreamDestroy(stream));
}

/// The legacy stream would have to wait for a blocking stream that is captured.
static void legacy_stream_in_capture() {
  cudaStream_t stream;
  char *p = nullptr;
  CHECK_CUDA(cudaMalloc(&p, 64));
  for (bool blocking : {true, false}) {
    cudaGraph_t graph = nullptr;
    CHECK_CUDA(cudaStreamCreateWithFlags(&stream, blocking ? cudaStreamDefault : cudaStreamNonBlocking));
    CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    CHECK_CUDA(cudaMemsetAsync(p, 1, 64, stream));
    CHECK_ERROR(cudaMemsetAsync(p, 2, 64, cudaStreamLegacy), blocking ? cudaErrorStreamCaptureImplicit : cudaSuccess);
    CHECK_ERROR(cudaStreamEndCapture(stream, &graph), blocking ? cudaErrorStreamCaptureInvalidated : cudaSuccess);
    CHECK_EQ(graph == nullptr, blocking);
    (void)cudaGetLastError();
    if (graph != nullptr) {
      CHECK_CUDA(cudaGraphDestroy(graph));
    }
    CHECK_CUDA(cudaStreamDestroy(stream));
  }
  CHECK_CUDA(cudaFree(p));
}

static void elapsed_times() {
  CUevent start, end, without;
  CUstream stream;
  CHECK_CUDA(cudaFree(nullptr));
  CHECK_EQ(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  CHECK_EQ(cuEventCreate(&start, CU_EVENT_DEFAULT), CUDA_SUCCESS);
  CHECK_EQ(cuEventCreate(&end, CU_EVENT_DEFAULT), CUDA_SUCCESS);
  CHECK_EQ(cuEventCreate(&without, CU_EVENT_DISABLE_TIMING), CUDA_SUCCESS);
  float ms = -1;
  CHECK_EQ(cuEventElapsedTime(&ms, start, end), CUDA_ERROR_INVALID_HANDLE);
  CHECK_EQ(cuEventRecord(start, stream), CUDA_SUCCESS);
  CHECK_EQ(cuEventElapsedTime(&ms, start, end), CUDA_ERROR_INVALID_HANDLE);
  CHECK_EQ(cuEventRecord(without, stream), CUDA_SUCCESS);
  CHECK_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
  CHECK_EQ(cuEventElapsedTime(&ms, start, without), CUDA_ERROR_INVALID_HANDLE);
  CHECK_EQ(cuEventElapsedTime(&ms, without, start), CUDA_ERROR_INVALID_HANDLE);
  gate = 0;
  CHECK_EQ(cuLaunchHostFunc(stream, wait_for_gate, nullptr), CUDA_SUCCESS);
  CHECK_EQ(cuEventRecord(end, stream), CUDA_SUCCESS);
  CHECK_EQ(cuEventElapsedTime(&ms, start, end), CUDA_ERROR_NOT_READY);
  CHECK_EQ(ms, -1.0f);
  gate = 1;
  CHECK_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
  CHECK_EQ(cuEventElapsedTime(&ms, start, end), CUDA_SUCCESS);
  CHECK(ms > 0 && ms < 10'000);
  float back = 0;
  CHECK_EQ(cuEventElapsedTime(&back, end, start), CUDA_SUCCESS);
  CHECK_NEAR(back, -ms, 1e-3);
  CHECK_EQ(cuEventElapsedTime(&ms, start, start), CUDA_SUCCESS);
  CHECK_EQ(ms, 0.0f);
  for (CUevent event : {start, end, without}) {
    CHECK_EQ(cuEventDestroy(event), CUDA_SUCCESS);
  }
  CHECK_EQ(cuStreamDestroy(stream), CUDA_SUCCESS);
}

int main(int, char **arguments) {
  default_stream(strcmp(arguments[1], "legacy") == 0);
  one_stream_alone();
  recordings();
  unsafe_calls();
  legacy_stream_in_capture();
  elapsed_times();
  return check_report();
}
