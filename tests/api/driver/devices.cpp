// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several devices: names and ids, contexts, peer access and copies, events that order streams of two devices.
//
// RUN: %mcc %s -o %t -lcuda && env HELICON_CPU_DEVICES=3 %run %t
// covers: C-3.4-01 C-3.4.1.3-01 C-3.4.2-01 C-3.4.2-02
#include <cuda.h>

#include <string.h>

#include <atomic>
#include <thread>
#include <vector>

#include "check.h"

static std::atomic<bool> open_gate{false};
static void wait_for_gate(void *) {
  while (!open_gate) {
    std::this_thread::yield();
  }
}

static void identities() {
  int count = 0;
  CHECK_CU(cuDeviceGetCount(&count));
  CHECK_EQ(count, 3);
  CUuuid first, second;
  CHECK_CU(cuDeviceGetUuid(&first, 0));
  CHECK_CU(cuDeviceGetUuid(&second, 1));
  CHECK(memcmp(&first, &second, sizeof first) != 0);
  for (int i = 0; i < count; i++) {
    char bus[32];
    CUdevice back = -1;
    CHECK_CU(cuDeviceGetPCIBusId(bus, sizeof bus, i));
    CHECK_CU(cuDeviceGetByPCIBusId(&back, bus));
    CHECK_EQ(back, i);
  }
  int can = -1;
  CHECK_CU(cuDeviceCanAccessPeer(&can, 0, 1));
  CHECK_EQ(can, 1);
  CHECK_CU(cuDeviceCanAccessPeer(&can, 1, 1));
  CHECK_EQ(can, 0);
  CHECK_ERROR(cuDeviceCanAccessPeer(&can, 0, 3), CUDA_ERROR_INVALID_DEVICE);
}

static void peer_access(CUcontext a, CUcontext b) {
  CHECK_CU(cuCtxSetCurrent(a));
  CHECK_ERROR(cuCtxDisablePeerAccess(b), CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
  CHECK_CU(cuCtxEnablePeerAccess(b, 0));
  CHECK_ERROR(cuCtxEnablePeerAccess(b, 0), CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
  CHECK_ERROR(cuCtxEnablePeerAccess(a, 0), CUDA_ERROR_INVALID_DEVICE);
  CHECK_CU(cuCtxDisablePeerAccess(b));
}

static void peer_copies(CUcontext a, CUcontext b) {
  std::vector<int> host(1000, 5), back(1000, 0);
  CUdeviceptr here, there;
  CHECK_CU(cuCtxSetCurrent(a));
  CHECK_CU(cuMemAlloc(&here, 4000));
  CHECK_CU(cuMemcpyHtoD(here, host.data(), 4000));
  CHECK_CU(cuCtxSetCurrent(b));
  CHECK_CU(cuMemAlloc(&there, 4000));
  // Work in the default stream of the source's device is done first.
  CHECK_CU(cuCtxSetCurrent(a));
  CHECK_CU(cuLaunchHostFunc(nullptr, wait_for_gate, nullptr));
  CHECK_CU(cuMemsetD32Async(here, 9, 1000, nullptr));
  CHECK_CU(cuCtxSetCurrent(b));
  CHECK_CU(cuMemcpyPeerAsync(there, b, here, a, 4000, nullptr));
  CHECK_ERROR(cuStreamQuery(nullptr), CUDA_ERROR_NOT_READY);
  open_gate = true;
  CHECK_CU(cuMemcpyDtoH(back.data(), there, 4000));
  CHECK_EQ(back[0], 9);
  CHECK_EQ(back[999], 9);
  CHECK_ERROR(cuMemcpyPeer(there, b, here, a, 4001), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemcpyPeer(there, nullptr, here, a, 4), CUDA_ERROR_INVALID_CONTEXT);
  int owner = -1;
  CHECK_CU(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, here));
  CHECK_EQ(owner, 0);
  CHECK_CU(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, there));
  CHECK_EQ(owner, 1);
  CHECK_CU(cuMemFree(here));
  CHECK_CU(cuMemFree(there));
}

static void events(CUcontext a, CUcontext b) {
  CUstream in_a, in_b;
  CUevent of_a, of_b;
  CHECK_CU(cuCtxSetCurrent(b));
  CHECK_CU(cuStreamCreate(&in_b, CU_STREAM_NON_BLOCKING));
  CHECK_CU(cuEventCreate(&of_b, 0));
  CHECK_CU(cuCtxSetCurrent(a));
  CHECK_CU(cuStreamCreate(&in_a, CU_STREAM_NON_BLOCKING));
  CHECK_CU(cuEventCreate(&of_a, 0));
  CHECK_ERROR(cuEventRecord(of_a, in_b), CUDA_ERROR_INVALID_HANDLE);
  CHECK_CU(cuEventRecord(of_a, in_a));
  CHECK_CU(cuEventRecord(of_b, in_b));
  CHECK_CU(cuStreamWaitEvent(in_b, of_a, 0));
  CHECK_CU(cuEventSynchronize(of_b));
  CHECK_CU(cuEventSynchronize(of_a));
  float ms;
  CHECK_ERROR(cuEventElapsedTime(&ms, of_a, of_b), CUDA_ERROR_INVALID_HANDLE);
  CUdevice device = -1;
  CHECK_CU(cuStreamGetDevice(in_b, &device));
  CHECK_EQ(device, 1);
  CHECK_CU(cuStreamDestroy(in_a));
  CHECK_CU(cuStreamDestroy(in_b));
}

int main() {
  CHECK_CU(cuInit(0));
  identities();
  CUcontext a, b;
  CHECK_CU(cuDevicePrimaryCtxRetain(&a, 0));
  CHECK_CU(cuDevicePrimaryCtxRetain(&b, 1));
  peer_access(a, b);
  peer_copies(a, b);
  events(a, b);
  CHECK_CU(cuDevicePrimaryCtxRelease(0));
  CHECK_CU(cuDevicePrimaryCtxRelease(1));
  return check_report();
}
