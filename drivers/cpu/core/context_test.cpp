// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices and contexts through the driver's table.
#include "drivers/cpu/core/driver_test.h"

#include <thread>

namespace hel::cpu {
namespace {

TEST_F(DriverTest, DeviceAttributesAgree) {
  int count = 0;
  EXPECT_OK(cu.DeviceGetCount(&count));
  EXPECT_GE(count, 1);
  for (int attribute = 1; attribute <= 147; attribute++) {
    int value = 0;
    EXPECT_OK(cu.DeviceGetAttribute(&value, static_cast<CUdevice_attribute>(attribute), 0)) << attribute;
  }
  int value = 0;
  EXPECT_OK(cu.DeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
  EXPECT_EQ(value, 32);
  EXPECT_EQ(cu.DeviceGetAttribute(&value, static_cast<CUdevice_attribute>(0), 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.DeviceGetAttribute(&value, static_cast<CUdevice_attribute>(1000), 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.DeviceGetAttribute(nullptr, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.DeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, count), CUDA_ERROR_INVALID_DEVICE);
}

TEST_F(DriverTest, BusIdLeadsBackToTheDevice) {
  char id[16];
  CUdevice device = -1;
  EXPECT_OK(cu.DeviceGetPCIBusId(id, sizeof id, 0));
  EXPECT_OK(cu.DeviceGetByPCIBusId(&device, id));
  EXPECT_EQ(device, 0);
  EXPECT_EQ(cu.DeviceGetPCIBusId(id, 5, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.DeviceGetByPCIBusId(&device, "hello"), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.DeviceGetByPCIBusId(&device, "0000:7f:00.0"), CUDA_ERROR_INVALID_DEVICE);
}

TEST_F(DriverTest, ContextStackIsPerThread) {
  CUcontext current = nullptr;
  EXPECT_OK(cu.CtxGetCurrent(&current));
  EXPECT_EQ(current, context);
  std::thread([&] {
    CUcontext here = context;
    EXPECT_OK(cu.CtxGetCurrent(&here));
    EXPECT_EQ(here, nullptr);
    CUdeviceptr memory = 0;
    EXPECT_EQ(cu.MemAlloc(&memory, 16), CUDA_ERROR_INVALID_CONTEXT);
    EXPECT_OK(cu.CtxSetCurrent(context));
    EXPECT_OK(cu.MemAlloc(&memory, 16));
    EXPECT_OK(cu.MemFree(memory));
  }).join();
  EXPECT_OK(cu.CtxPopCurrent(&current));
  EXPECT_EQ(current, context);
  EXPECT_EQ(cu.CtxPopCurrent(&current), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_OK(cu.CtxPushCurrent(context));
}

TEST_F(DriverTest, DestroyedContextIsRecognised) {
  CUcontext other = nullptr;
  EXPECT_OK(cu.CtxCreate(&other, nullptr, 0, 0));
  CUdeviceptr memory = 0;
  CUstream stream = nullptr;
  EXPECT_OK(cu.MemAlloc(&memory, 1 << 20));
  EXPECT_OK(cu.StreamCreate(&stream, 0));
  std::thread([&] {
    EXPECT_OK(cu.CtxSetCurrent(other));
    std::thread([&] { EXPECT_OK(cu.CtxDestroy(other)); }).join();
    CUdeviceptr more = 0;
    EXPECT_EQ(cu.MemAlloc(&more, 16), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  }).join();
  EXPECT_EQ(cu.CtxDestroy(other), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  EXPECT_EQ(cu.CtxSetCurrent(other), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  EXPECT_EQ(cu.CtxSetCurrent(reinterpret_cast<CUcontext>(stream)), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_OK(cu.CtxSetCurrent(context));
  EXPECT_EQ(cu.StreamSynchronize(stream), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cu.MemFree(memory), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverTest, PrimaryContextCountsItsUsers) {
  CUcontext first = nullptr, second = nullptr;
  unsigned flags = 0;
  int active = -1;
  EXPECT_OK(cu.DevicePrimaryCtxRetain(&first, 0));
  EXPECT_OK(cu.DevicePrimaryCtxRetain(&second, 0));
  EXPECT_EQ(first, second);
  EXPECT_OK(cu.DevicePrimaryCtxRelease(0));
  EXPECT_OK(cu.DevicePrimaryCtxGetState(0, &flags, &active));
  EXPECT_EQ(active, 1);
  EXPECT_OK(cu.CtxPushCurrent(first));
  CUdeviceptr memory = 0;
  EXPECT_OK(cu.MemAlloc(&memory, 64));
  EXPECT_OK(cu.DevicePrimaryCtxReset(0));
  EXPECT_EQ(cu.MemFree(memory), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  EXPECT_OK(cu.DevicePrimaryCtxRetain(&second, 0));
  EXPECT_EQ(cu.MemFree(memory), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.CtxDestroy(first), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_OK(cu.CtxPopCurrent(nullptr));
  EXPECT_OK(cu.DevicePrimaryCtxRelease(0));
  EXPECT_OK(cu.DevicePrimaryCtxRelease(0));
  EXPECT_EQ(cu.DevicePrimaryCtxRelease(0), CUDA_ERROR_INVALID_CONTEXT);
}

TEST_F(DriverTest, LimitsAreCheckedAndKept) {
  size_t value = 0;
  EXPECT_OK(cu.CtxSetLimit(CU_LIMIT_STACK_SIZE, 4096));
  EXPECT_OK(cu.CtxGetLimit(&value, CU_LIMIT_STACK_SIZE));
  EXPECT_EQ(value, 4096u);
  EXPECT_OK(cu.CtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 64 << 20));
  EXPECT_OK(cu.CtxGetLimit(&value, CU_LIMIT_MALLOC_HEAP_SIZE));
  EXPECT_EQ(value, 64u << 20);
  EXPECT_EQ(cu.CtxGetLimit(&value, static_cast<CUlimit>(77)), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.CtxGetLimit(nullptr, CU_LIMIT_STACK_SIZE), CUDA_ERROR_INVALID_VALUE);
}

}  // namespace
}  // namespace hel::cpu
