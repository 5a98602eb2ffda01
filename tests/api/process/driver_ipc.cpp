// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory and events of another process by the driver API: the child, which is the same program, waits for the parent's
// event, changes its memory and records the event.
// RUN: %mcc %s -o %t && %run %t
// covers: M-3.2.11-01 C-4.16-01
#include "check.h"

#include <cuda.h>
#include <sys/wait.h>
#include <unistd.h>

struct Handles {
  CUipcMemHandle memory;
  CUipcEventHandle event;
};

static int child() {
  Handles handles;
  CUcontext context;
  CUdeviceptr memory = 0, again = 0, none = 0;
  CUevent event, no_event;
  CUstream stream;
  if (fread(&handles, sizeof handles, 1, stdin) != 1) {
    return 2;
  }
  CHECK_CU(cuInit(0));
  CHECK_CU(cuCtxCreate(&context, nullptr, 0, 0));
  CHECK_CU(cuIpcOpenMemHandle(&memory, handles.memory, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
  CHECK_CU(cuIpcOpenEventHandle(&event, handles.event));
  CHECK_CU(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CHECK_CU(cuStreamWaitEvent(stream, event, 0));
  CHECK_CU(cuMemsetD32Async(memory + 4, 7, 1, stream));
  CHECK_CU(cuEventRecord(event, stream));
  CHECK_CU(cuStreamSynchronize(stream));
  int values[2] = {};
  CHECK_CU(cuMemcpyDtoH(values, memory, sizeof values));
  CHECK_EQ(values[0], 3);
  CHECK_CU(cuIpcOpenMemHandle(&again, handles.memory, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
  CHECK_CU(cuIpcCloseMemHandle(again));

  CHECK_ERROR(cuIpcOpenMemHandle(nullptr, handles.memory, 1), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuIpcOpenMemHandle(&none, handles.memory, 8), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuIpcOpenEventHandle(nullptr, handles.event), CUDA_ERROR_INVALID_VALUE);
  if (check::is_own_driver()) {
    const CUipcMemHandle nonsense = {};
    const CUipcEventHandle no_handle = {};
    CHECK_ERROR(cuIpcOpenMemHandle(&none, nonsense, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS), CUDA_ERROR_INVALID_HANDLE);
    CHECK_ERROR(cuIpcOpenEventHandle(&no_event, no_handle), CUDA_ERROR_INVALID_HANDLE);
  }
  CHECK_ERROR(cuMemFree(memory), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuIpcCloseMemHandle(memory));
  CHECK_ERROR(cuIpcCloseMemHandle(memory), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuEventDestroy(event));
  CHECK_CU(cuCtxDestroy(context));
  return check_report();
}

static int run_child(const char *self, const Handles &handles) {
  int ends[2], status = -1;
  CHECK_EQ(pipe(ends), 0);
  const pid_t process = fork();
  if (process == 0) {
    dup2(ends[0], 0);
    close(ends[1]);
    execl(self, self, "child", (char *)nullptr);
    _exit(9);
  }
  CHECK_EQ(write(ends[1], &handles, sizeof handles), (ssize_t)sizeof handles);
  waitpid(process, &status, 0);
  return status;
}

int main(int argc, char **argv) {
  if (argc > 1) {
    return child();
  }
  Handles handles, failed;  // what a call that fails leaves in its place is open
  CUcontext context;
  CUdeviceptr memory, own;
  CUevent event, plain;
  int local = 0, value = 0;
  CHECK_CU(cuInit(0));
  CHECK_ERROR(cuIpcGetMemHandle(&handles.memory, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuCtxCreate(&context, nullptr, 0, 0));
  CHECK_CU(cuMemAlloc(&memory, 4096));
  CHECK_CU(cuMemsetD32(memory, 3, 2));
  CHECK_CU(cuEventCreate(&event, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING));
  CHECK_CU(cuEventCreate(&plain, 0));
  CHECK_CU(cuEventRecord(event, nullptr));
  CHECK_CU(cuIpcGetMemHandle(&handles.memory, memory));
  CHECK_CU(cuIpcGetEventHandle(&handles.event, event));
  CHECK_ERROR(cuIpcGetMemHandle(nullptr, memory), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuIpcGetMemHandle(&failed.memory, (CUdeviceptr)&local), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuIpcGetEventHandle(nullptr, event), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuIpcGetEventHandle(&failed.event, plain), CUDA_ERROR_INVALID_HANDLE);
  CHECK_OWN_ERROR(cuIpcOpenMemHandle(&own, handles.memory, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS),
                  CUDA_ERROR_INVALID_CONTEXT);  // by the process that made it
  CHECK_EQ(run_child(argv[0], handles), 0);
  CHECK_CU(cuEventSynchronize(event));
  CHECK_CU(cuMemcpyDtoH(&value, memory + 4, 4));
  CHECK_EQ(value, 7);
  CHECK_CU(cuEventDestroy(event));
  CHECK_CU(cuEventDestroy(plain));
  CHECK_CU(cuMemFree(memory));
  CHECK_CU(cuCtxDestroy(context));
  return check_report();
}
