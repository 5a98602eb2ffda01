// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory and events of another process: the program starts itself, the child changes the parent's memory, and the parent
// waits for that by event.
// RUN: %mcc %s -o %t && %run %t
// covers: M-3.2.11-01 C-4.16-01
#include <cuda_runtime.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

struct Handles {
  cudaIpcMemHandle_t small, large;
  cudaIpcEventHandle_t event;
};

constexpr int kLarge = 1 << 20;

__global__ void add(int *cells, int n, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    cells[i] += value;
  }
}

static int child() {
  Handles handles;
  REQUIRE_CUDA(fread(&handles, sizeof handles, 1, stdin) == 1 ? cudaSuccess : cudaErrorUnknown);
  int *small = nullptr, *large = nullptr, *again = nullptr;
  cudaEvent_t event;
  REQUIRE_CUDA(cudaIpcOpenMemHandle((void **)&small, handles.small, cudaIpcMemLazyEnablePeerAccess));
  REQUIRE_CUDA(cudaIpcOpenMemHandle((void **)&large, handles.large, cudaIpcMemLazyEnablePeerAccess));
  CHECK_CUDA(cudaIpcOpenMemHandle((void **)&again, handles.large, cudaIpcMemLazyEnablePeerAccess));
  CHECK(again == large);
  CHECK_CUDA(cudaIpcCloseMemHandle(again));
  CHECK_CUDA(cudaIpcOpenEventHandle(&event, handles.event));
  // The parent's work before the event is over once the event is.
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  CHECK_CUDA(cudaStreamWaitEvent(stream, event, 0));
  add<<<1, 32, 0, stream>>>(small, 10, 5);
  add<<<kLarge / 256, 256, 0, stream>>>(large, kLarge, 7);
  CHECK_CUDA(cudaStreamSynchronize(stream));
  int value = 0;
  CHECK_CUDA(cudaMemcpy(&value, large + kLarge - 1, 4, cudaMemcpyDeviceToHost));
  CHECK_EQ(value, 1007);
  CHECK_ERROR(cudaMemcpy(&value, large + kLarge, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  CHECK_CUDA(cudaEventRecord(event, stream));
  CHECK_CUDA(cudaEventSynchronize(event));
  CHECK_ERROR(cudaFree(large), cudaErrorInvalidValue);
  CHECK_CUDA(cudaIpcCloseMemHandle(small));
  CHECK_CUDA(cudaIpcCloseMemHandle(large));
  CHECK_ERROR(cudaIpcCloseMemHandle(large), cudaErrorInvalidValue);
  CHECK_CUDA(cudaEventDestroy(event));
  return check_report();
}

static int run_child(const char *self, const Handles &handles) {
  int ends[2];
  CHECK_EQ(pipe(ends), 0);
  pid_t process = fork();
  if (process == 0) {
    dup2(ends[0], 0);
    close(ends[1]);
    execl(self, self, "child", (char *)nullptr);
    _exit(9);
  }
  CHECK_EQ(write(ends[1], &handles, sizeof handles), (ssize_t)sizeof handles);
  int status = -1;
  waitpid(process, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(int argc, char **argv) {
  if (argc > 1) {
    return child();
  }
  int *small = nullptr, *large = nullptr;
  CHECK_CUDA(cudaMalloc(&small, 10 * sizeof(int)));
  CHECK_CUDA(cudaMalloc(&large, kLarge * sizeof(int)));
  CHECK_CUDA(cudaMemset(small, 0, 10 * sizeof(int)));
  CHECK_CUDA(cudaMemset(large, 0, kLarge * sizeof(int)));
  add<<<kLarge / 256, 256>>>(large, kLarge, 1000);
  cudaEvent_t event, plain;
  CHECK_ERROR(cudaEventCreateWithFlags(&event, cudaEventInterprocess), cudaErrorInvalidValue);
  CHECK_CUDA(cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming));
  CHECK_CUDA(cudaEventCreate(&plain));
  CHECK_CUDA(cudaEventQuery(event));
  CHECK_CUDA(cudaEventRecord(event));
  Handles handles;
  CHECK_CUDA(cudaIpcGetMemHandle(&handles.small, small));
  CHECK_CUDA(cudaIpcGetMemHandle(&handles.large, large));
  CHECK_CUDA(cudaIpcGetEventHandle(&handles.event, event));
  CHECK_ERROR(cudaIpcGetEventHandle(&handles.event, plain), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaIpcGetMemHandle(&handles.small, &argc), cudaErrorInvalidValue);
  CHECK_CUDA(cudaIpcGetEventHandle(&handles.event, event));
  CHECK_EQ(run_child(argv[0], handles), 0);
  CHECK_CUDA(cudaEventSynchronize(event));
  int value = 0;
  CHECK_CUDA(cudaMemcpy(&value, small + 9, 4, cudaMemcpyDeviceToHost));
  CHECK_EQ(value, 5);
  CHECK_CUDA(cudaMemcpy(&value, large, 4, cudaMemcpyDeviceToHost));
  CHECK_EQ(value, 1007);
  void *own = nullptr;
  CHECK(cudaIpcOpenMemHandle(&own, handles.large, cudaIpcMemLazyEnablePeerAccess) != cudaSuccess);
  CHECK_CUDA(cudaFree(large));
  CHECK(run_child(argv[0], handles) != 0);  // the memory is gone
  CHECK_CUDA(cudaFree(small));
  CHECK_CUDA(cudaEventDestroy(event));
  return check_report();
}
