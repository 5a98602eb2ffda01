// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the driver API tells about devices, and about two of them.
// RUN: %mcc -Wno-deprecated-declarations %s -o %t && env HELICON_CPU_DEVICES=2 %run %t
// covers: C-1.3.1-01 M-3.2.9-01
#include "check.h"

#include <cuda.h>
#include <cuda_runtime.h>

static int devices;

static void facts() {
  size_t bytes = 0, width = 0;
  int value = 0, major = 0, minor = 0, again = 0;
  CUdevprop prop = {};
  CHECK_CU(cuDeviceTotalMem(&bytes, 0));
  CHECK(bytes >= 64 << 20);
  CHECK_ERROR(cuDeviceTotalMem(nullptr, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuDeviceTotalMem(&bytes, devices), CUDA_ERROR_INVALID_DEVICE);
  CHECK_CU(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
  CHECK_EQ(value, 32);
  CHECK_ERROR(cuDeviceGetAttribute(nullptr, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuDeviceGetAttribute(&value, (CUdevice_attribute)99999, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, -1), CUDA_ERROR_INVALID_DEVICE);
  CHECK_CU(cuDeviceComputeCapability(&major, &minor, 0));
  CHECK_CU(cuDeviceGetAttribute(&again, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0));
  CHECK_EQ(major, again);
  CHECK_ERROR(cuDeviceComputeCapability(nullptr, &minor, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuDeviceComputeCapability(&major, nullptr, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuDeviceComputeCapability(&major, &minor, 99), CUDA_ERROR_INVALID_DEVICE);
  CHECK_CU(cuDeviceGetProperties(&prop, 0));
  CHECK_EQ(prop.maxThreadsPerBlock, 1024);
  CHECK_EQ(prop.SIMDWidth, 32);
  CHECK_CU(cuDeviceGetAttribute(&again, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 0));
  CHECK_EQ(prop.sharedMemPerBlock, again);
  CHECK_ERROR(cuDeviceGetProperties(nullptr, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuDeviceGetProperties(&prop, 99), CUDA_ERROR_INVALID_DEVICE);

  CHECK_CU(cuDeviceGetTexture1DLinearMaxWidth(&width, CU_AD_FORMAT_FLOAT, 4, 0));
  CHECK(width >= 1 << 27);
  CHECK_ERROR(cuDeviceGetTexture1DLinearMaxWidth(nullptr, CU_AD_FORMAT_FLOAT, 4, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuDeviceGetTexture1DLinearMaxWidth(&width, CU_AD_FORMAT_FLOAT, 3, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuDeviceGetTexture1DLinearMaxWidth(&width, (CUarray_format)0x7777, 4, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuDeviceGetTexture1DLinearMaxWidth(&width, CU_AD_FORMAT_FLOAT, 4, 99), CUDA_ERROR_INVALID_DEVICE);
  cudaChannelFormatDesc texel = cudaCreateChannelDesc<float4>(), wrong = {3, 3, 3, 3, cudaChannelFormatKindSigned};
  size_t by_runtime = 0;
  CHECK_CUDA(cudaDeviceGetTexture1DLinearMaxWidth(&by_runtime, &texel, 0));
  CHECK_EQ(by_runtime, width);
  CHECK_ERROR(cudaDeviceGetTexture1DLinearMaxWidth(nullptr, &texel, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaDeviceGetTexture1DLinearMaxWidth(&by_runtime, nullptr, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaDeviceGetTexture1DLinearMaxWidth(&by_runtime, &wrong, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaDeviceGetTexture1DLinearMaxWidth(&by_runtime, &texel, 99), cudaErrorInvalidDevice);

  int affinity = 7;
  CHECK_CU(cuDeviceGetExecAffinitySupport(&affinity, CU_EXEC_AFFINITY_TYPE_SM_COUNT, 0));
  CHECK(affinity == 0 || affinity == 1);
  CHECK_ERROR(cuDeviceGetExecAffinitySupport(nullptr, CU_EXEC_AFFINITY_TYPE_SM_COUNT, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuDeviceGetExecAffinitySupport(&affinity, (CUexecAffinityType)9, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuDeviceGetExecAffinitySupport(&affinity, CU_EXEC_AFFINITY_TYPE_SM_COUNT, 99), CUDA_ERROR_INVALID_DEVICE);
}

static void atomics() {
  CUatomicOperation asked[] = {CU_ATOMIC_OPERATION_INTEGER_ADD, CU_ATOMIC_OPERATION_CAS};
  CUatomicOperation wrong = (CUatomicOperation)999;
  unsigned told[2] = {};
  CHECK_CU(cuDeviceGetHostAtomicCapabilities(told, asked, 2, 0));
  CHECK_OWN_ERROR(cuDeviceGetHostAtomicCapabilities(nullptr, asked, 2, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuDeviceGetHostAtomicCapabilities(told, &wrong, 1, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuDeviceGetHostAtomicCapabilities(told, asked, 2, 99), CUDA_ERROR_INVALID_DEVICE);
  if (check::is_own_driver()) {
    CHECK((told[0] & CU_ATOMIC_CAPABILITY_SCALAR_32) != 0 && (told[1] & CU_ATOMIC_CAPABILITY_SCALAR_64) != 0);
  }
  CHECK_ERROR(cuDeviceGetP2PAtomicCapabilities(told, asked, 2, 0, 99), CUDA_ERROR_INVALID_DEVICE);
  if (devices < 2) {
    return;
  }
  CHECK_CU(cuDeviceGetP2PAtomicCapabilities(told, asked, 2, 0, 1));
  CHECK_OWN_ERROR(cuDeviceGetP2PAtomicCapabilities(told, asked, 2, 0, 0), CUDA_ERROR_INVALID_DEVICE);
  CHECK_OWN_ERROR(cuDeviceGetP2PAtomicCapabilities(told, nullptr, 2, 0, 1), CUDA_ERROR_INVALID_VALUE);
}

static void peers() {
  if (devices < 2) {
    return;
  }
  int driver = -1, runtime = -2, accessible = -1;
  CHECK_CU(cuDeviceCanAccessPeer(&accessible, 0, 1));
  CHECK_CU(cuDeviceGetP2PAttribute(&driver, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 1));
  CHECK_EQ(driver, accessible);
  CHECK_CUDA(cudaDeviceGetP2PAttribute(&runtime, cudaDevP2PAttrAccessSupported, 0, 1));
  CHECK_EQ(runtime, accessible);
  CHECK_CU(cuDeviceGetP2PAttribute(&driver, CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK, 1, 0));
  CHECK_CU(cuDeviceGetP2PAttribute(&driver, CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED, 0, 1));
  CHECK_CU(cuDeviceGetP2PAttribute(&driver, CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED, 0, 1));
  CHECK_ERROR(cuDeviceGetP2PAttribute(nullptr, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 1),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuDeviceGetP2PAttribute(&driver, (CUdevice_P2PAttribute)99, 0, 1), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuDeviceGetP2PAttribute(&driver, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 0),
              CUDA_ERROR_INVALID_DEVICE);
  CHECK_ERROR(cuDeviceGetP2PAttribute(&driver, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 99),
              CUDA_ERROR_INVALID_DEVICE);
  CHECK_ERROR(cudaDeviceGetP2PAttribute(nullptr, cudaDevP2PAttrAccessSupported, 0, 1), cudaErrorInvalidValue);
  CHECK_ERROR(cudaDeviceGetP2PAttribute(&runtime, (cudaDeviceP2PAttr)99, 0, 1), cudaErrorInvalidValue);
  CHECK_ERROR(cudaDeviceGetP2PAttribute(&runtime, cudaDevP2PAttrAccessSupported, 0, 0), cudaErrorInvalidDevice);
}

/// Which devices a thread may take when it has not chosen one.
static void valid_devices() {
  int wanted[] = {devices - 1, 0}, wrong[] = {0, 99}, now = -1;
  CHECK_CUDA(cudaSetValidDevices(wanted, devices));
  CHECK_ERROR(cudaSetValidDevices(wrong, 2), cudaErrorInvalidDevice);
  CHECK_CUDA(cudaSetDevice(0));
  CHECK_CUDA(cudaGetDevice(&now));
  CHECK_EQ(now, 0);
}

static void memory_of_graphs() {
  cuuint64_t used = 77, zero = 0;
  CHECK_CU(cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &used));
  CHECK_EQ(used, 0u);
  CHECK_CU(cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &zero));
  CHECK_CU(cuDeviceGraphMemTrim(0));
  CHECK_ERROR(cuDeviceGraphMemTrim(99), CUDA_ERROR_INVALID_DEVICE);
  CHECK_ERROR(cuDeviceGetGraphMemAttribute(99, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &used), CUDA_ERROR_INVALID_DEVICE);
  CHECK_ERROR(cuDeviceSetGraphMemAttribute(99, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &zero), CUDA_ERROR_INVALID_DEVICE);
  CHECK_ERROR(cuDeviceGetGraphMemAttribute(0, (CUgraphMem_attribute)99, &used), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &zero), CUDA_ERROR_INVALID_VALUE);
}

int main() {
  int value = 0;
  CHECK_ERROR(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0), CUDA_ERROR_NOT_INITIALIZED);
  CHECK_CU(cuInit(0));
  CHECK_CU(cuDeviceGetCount(&devices));
  facts();
  atomics();
  peers();
  valid_devices();
  memory_of_graphs();
  return check_report();
}
