// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What people reported of kernels' arguments, look-ups of driver functions, and both APIs in one program.
// report: Rust-GPU/rust-cuda#361
// report: ComputationalRadiationPhysics/picongpu#1563
// report: vosen/ZLUDA#38
// report: gpgpu-sim/gpgpu-sim_distribution#288
// RUN: %mcc -O2 -std=c++17 %s -o %t -lcuda && %run %t
#include <cuda.h>
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <string.h>

#include <string>

#include "check.h"

// Arguments that are aligned to more than their neighbours.
struct alignas(16) Quad {
  float x, y, z, w;
};
struct alignas(64) Line {
  double values[8];
  char last;
};
struct alignas(128) Wide {
  long long first;
  char rest[120];
};
__global__ void aligned(char a, Quad quad, short b, Line line, char c, Wide wide, int *ok) {
  ok[0] = quad.x == 1 && quad.y == 2 && quad.z == 3 && quad.w == 4;
  ok[1] = line.values[0] == 10 && line.values[7] == 17 && line.last == 'l';
  ok[2] = wide.first == 1LL << 40 && wide.rest[119] == 'w';
  ok[3] = a == 'a' && b == -7 && c == 'c';
  ok[4] = ((size_t)&quad % 16 | (size_t)&line % 64 | (size_t)&wide % 128) == 0;
}

__global__ void count_up(int *count) { atomicAdd(count, 1); }

static void arguments() {
  int *ok = nullptr;
  CHECK_CUDA(cudaMallocManaged(&ok, 5 * sizeof(int)));
  Quad quad = {1, 2, 3, 4};
  Line line = {{10, 11, 12, 13, 14, 15, 16, 17}, 'l'};
  Wide wide = {1LL << 40, {}};
  wide.rest[119] = 'w';
  for (int way = 0; way < 2; way++) {
    memset(ok, 0, 5 * sizeof(int));
    if (way == 0) {
      aligned<<<1, 1>>>('a', quad, -7, line, 'c', wide, ok);
    } else {
      char a = 'a', c = 'c';
      short b = -7;
      void *list[] = {&a, &quad, &b, &line, &c, &wide, &ok};
      CHECK_CUDA(cudaLaunchKernel((const void *)aligned, dim3(1), dim3(1), list, 0, 0));
    }
    CHECK_CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < 5; i++) {
      CHECK_EQ(ok[i], 1);
    }
  }
  CHECK_CUDA(cudaFree(ok));
}

// The twins for the per-thread default stream, which are symbols too.
static void twins() {
  for (const char *name : {"cuLaunchKernel", "cuMemcpyHtoDAsync", "cuMemcpyDtoHAsync", "cuMemsetD8Async", "cuStreamSynchronize",
                           "cuEventRecord", "cuStreamWaitEvent", "cuLaunchHostFunc", "cuMemAllocAsync", "cuMemFreeAsync",
                           "cuGraphLaunch", "cuStreamBeginCapture", "cuStreamEndCapture", "cuMemcpy3DAsync", "cuMemPrefetchAsync"}) {
    void *plain = nullptr, *twin = nullptr;
    CUdriverProcAddressQueryResult found;
    CHECK_CU(cuGetProcAddress(name, &plain, 13000, CU_GET_PROC_ADDRESS_LEGACY_STREAM, &found));
    CHECK_CU(cuGetProcAddress(name, &twin, 13000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, &found));
    CHECK(plain != nullptr && twin != nullptr && plain != twin);
    Dl_info symbol = {};
    const std::string symbol_name = dladdr(twin, &symbol) != 0 && symbol.dli_sname != nullptr ? symbol.dli_sname : "";
    CHECK(!check::is_own_driver() || (symbol_name.size() > 5 && symbol_name.substr(symbol_name.size() - 5) == "_ptsz"));
  }
}

// Both APIs on the same memory and the same kernels.
static void both_interfaces() {
  int *count = nullptr, host = -1;
  CHECK_CUDA(cudaMalloc(&count, sizeof(int)));
  CHECK_CU(cuMemsetD32((CUdeviceptr)count, 5, 1));
  cudaFunction_t function = nullptr;
  CHECK_CUDA(cudaGetFuncBySymbol(&function, (const void *)count_up));
  void *list[] = {&count};
  CHECK_CU(cuLaunchKernel((CUfunction)function, 2, 1, 1, 3, 1, 1, 0, nullptr, list, nullptr));
  CHECK_CU(cuMemcpyDtoH(&host, (CUdeviceptr)count, sizeof host));
  CHECK_EQ(host, 11);
  CHECK_CU(cuMemFree((CUdeviceptr)count));
  CHECK_ERROR(cudaFree(count), cudaErrorInvalidValue);
  (void)cudaGetLastError();
}

int main() {
  arguments();
  twins();
  both_interfaces();
  return check_report();
}
