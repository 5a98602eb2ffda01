// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What people reported of the end of a process, and of its children.
// report: NVIDIA/cccl#7063
// report: inducer/pycuda#137
// RUN: %mcc -O2 -std=c++17 %s -o %t -lcuda && %run %t
#include "check.h"

#include <cuda.h>

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

__global__ void fill(int *p, int value) { p[threadIdx.x] = value; }
__global__ void spin(volatile int *flag) {
  while (*flag == 0) {
  }
}

/// Memory of the device that lives as long as the program, as device vectors of static storage do. Its end is told by
/// the exit status of the process.
struct Vector {
  int *memory = nullptr;
  bool is_used = false;
  ~Vector() {
    if (!is_used) {
      return;
    }
    int value = 0;
    const cudaError_t codes[] = {cudaMemset(memory, 0, 64 * sizeof(int)),
                                 cudaMemcpy(&value, memory, sizeof value, cudaMemcpyDeviceToHost),
                                 cudaDeviceSynchronize(), cudaFree(memory)};
    for (cudaError_t code : codes) {
      if (code != cudaSuccess && code != cudaErrorCudartUnloading) {
        _exit(20);
      }
    }
    _exit(21);
  }
};
static Vector before;  // its destructor runs after those of what the runtime registered in main

static int use_and_leave() {
  if (cudaMalloc(&before.memory, 64 * sizeof(int)) != cudaSuccess) {
    return 1;
  }
  before.is_used = true;
  fill<<<1, 64>>>(before.memory, 5);
  return 0;
}

/// What a child of a process that used the device gets, whatever it asks for.
static int forked() {
  void *p = nullptr;
  int count = 0;
  const char *name = nullptr;
  cudaStream_t stream;
  cudaEvent_t event;
  CUdeviceptr address;
  const cudaError_t codes[] = {cudaGetDeviceCount(&count), cudaSetDevice(0), cudaMalloc(&p, 4), cudaMallocHost(&p, 4),
                               cudaStreamCreate(&stream), cudaEventCreate(&event), cudaDeviceSynchronize(), cudaFree(nullptr),
                               cudaMemcpy(&p, &count, 4, cudaMemcpyDefault), cudaDeviceReset()};
  for (cudaError_t code : codes) {
    if (code != cudaErrorInitializationError) {
      return 2;
    }
  }
  fill<<<1, 1>>>(nullptr, 7);
  const bool refused = cudaGetLastError() == cudaErrorInitializationError && cudaGetLastError() == cudaSuccess &&
                       cuInit(0) == CUDA_ERROR_NOT_INITIALIZED && cuGetErrorName(CUDA_ERROR_UNKNOWN, &name) == CUDA_SUCCESS && cuMemAlloc(&address, 4) == CUDA_ERROR_NOT_INITIALIZED &&
                       cuCtxSynchronize() == CUDA_ERROR_NOT_INITIALIZED;
  return refused ? 0 : 3;
}

/// In a child of a process that has not used it, or in another program.
static int fresh() {
  int *good = nullptr;
  if (cudaMallocManaged(&good, sizeof(int)) != cudaSuccess) {
    return 4;
  }
  *good = 0;
  fill<<<1, 1>>>(good, 7);
  return cudaDeviceSynchronize() == cudaSuccess && *good == 7 ? 0 : 5;
}

static int wait_for(pid_t child) {
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -status;
}

static int start(const char *program, const char *what) {
  const pid_t child = fork();
  if (child == 0) {
    execl(program, program, what, nullptr);
    _exit(99);
  }
  return wait_for(child);
}

/// Forks while other threads of the process call the library, and while a kernel of it cannot end.
static void fork_under_work() {
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; t++) {
    threads.emplace_back([&] {
      while (!stop) {
        int *p = nullptr;
        CHECK_CUDA(cudaMalloc(&p, 256));
        fill<<<1, 64>>>(p, 1);
        CHECK_CUDA(cudaFree(p));
        (void)cudaSetDevice(1000);  // failures are logged, with a lock
        (void)cudaGetLastError();
      }
    });
  }
  for (int i = 0; i < 100; i++) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);
      exit(forked());
    }
    CHECK_EQ(wait_for(child), 0);
  }
  stop = true;
  for (std::thread &thread : threads) {
    thread.join();
  }
  int *flag = nullptr;
  CHECK_CUDA(cudaMallocManaged(&flag, sizeof(int)));
  *flag = 0;
  spin<<<1, 1>>>(flag);
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    exit(forked());
  }
  CHECK_EQ(wait_for(child), 0);
  *flag = 1;
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_CUDA(cudaFree(flag));
}

int main(int count, char **arguments) {
  const std::string what = count > 1 ? arguments[1] : "";
  if (what == "leave") {
    alarm(20);  // instead of hanging
    return use_and_leave();
  } else if (what == "fresh") {
    return fresh();
  }
  CHECK_EQ(start(arguments[0], "leave"), 21);
  pid_t child = fork();
  if (child == 0) {
    exit(fresh());  // nobody has used the device so far
  }
  CHECK_EQ(wait_for(child), 0);
  int *p = nullptr, value = 0;
  REQUIRE_CUDA(cudaMalloc(&p, 64 * sizeof(int)));
  fill<<<2, 64>>>(p, 3);
  for (int i = 0; i < 3; i++) {
    child = fork();
    if (child == 0) {
      alarm(20);
      exit(forked());
    }
    CHECK_EQ(wait_for(child), 0);
    CHECK_EQ(start(arguments[0], "fresh"), 0);
    CHECK_CUDA(cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost));  // the parent does not notice
    CHECK_EQ(value, 3);
  }
  CHECK_CUDA(cudaFree(p));
  fork_under_work();
  return check_report();
}
