// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The limits that belong to the compute capability which the device claims: attributes, properties and launches agree.
// RUN: %mcc -std=c++17 %s -o %t && %run %t
// covers: C-5.1.3-01
#include <cuda_runtime.h>

#include "check.h"

__global__ void one() {}

static int attribute(cudaDeviceAttr which) {
  int value = -1;
  CHECK_CUDA(cudaDeviceGetAttribute(&value, which, 0));
  return value;
}
static cudaError_t launch(dim3 grid, dim3 block, size_t shared = 0) {
  cudaLaunchConfig_t config = {};
  config.gridDim = grid;
  config.blockDim = block;
  config.dynamicSmemBytes = shared;
  cudaError_t result = cudaLaunchKernelExC(&config, (const void *)one, nullptr);
  CHECK_CUDA(cudaDeviceSynchronize());
  (void)cudaGetLastError();
  return result;
}

int main() {
  cudaDeviceProp prop;
  REQUIRE_CUDA(cudaGetDeviceProperties(&prop, 0));
  CHECK_EQ(attribute(cudaDevAttrComputeCapabilityMajor), prop.major);
  CHECK_EQ(attribute(cudaDevAttrComputeCapabilityMinor), prop.minor);
  CHECK(prop.major >= 8);
  CHECK_EQ(prop.maxGridSize[0], 2147483647);
  CHECK_EQ(prop.maxGridSize[1], 65535);
  CHECK_EQ(prop.maxGridSize[2], 65535);
  CHECK_EQ(prop.maxThreadsDim[0], 1024);
  CHECK_EQ(prop.maxThreadsDim[1], 1024);
  CHECK_EQ(prop.maxThreadsDim[2], 64);
  CHECK_EQ(prop.maxThreadsPerBlock, 1024);
  CHECK_EQ(attribute(cudaDevAttrMaxGridDimX), prop.maxGridSize[0]);
  CHECK_EQ(attribute(cudaDevAttrMaxBlockDimZ), prop.maxThreadsDim[2]);
  CHECK_EQ(attribute(cudaDevAttrMaxThreadsPerBlock), prop.maxThreadsPerBlock);
  CHECK_EQ(prop.warpSize, 32);
  CHECK_EQ(prop.sharedMemPerBlock, size_t{48} << 10);
  CHECK(prop.sharedMemPerBlockOptin >= size_t{99} << 10 && prop.sharedMemPerBlockOptin <= size_t{227} << 10);
  CHECK_EQ((size_t)attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin), prop.sharedMemPerBlockOptin);
  CHECK(prop.sharedMemPerMultiprocessor > prop.sharedMemPerBlockOptin);
  CHECK_EQ(prop.totalConstMem, size_t{64} << 10);
  CHECK_EQ(prop.regsPerMultiprocessor, 65536);
  CHECK_EQ(prop.regsPerBlock, 65536);
  CHECK(prop.maxThreadsPerMultiProcessor >= 1024 && prop.maxThreadsPerMultiProcessor % 32 == 0);
  CHECK(prop.maxBlocksPerMultiProcessor >= 16);
  cudaFuncAttributes kernel;
  CHECK_CUDA(cudaFuncGetAttributes(&kernel, one));
  CHECK(kernel.numRegs <= 255);
  CHECK_EQ(kernel.maxThreadsPerBlock, 1024);
  if (check::is_own_driver()) {  // others have less for all threads together
    CHECK_CUDA(cudaDeviceSetLimit(cudaLimitStackSize, 512 << 10));
  }
  CHECK_ERROR(cudaDeviceSetLimit(cudaLimitStackSize, (512 << 10) + 1), cudaErrorInvalidValue);
  CHECK_CUDA(cudaDeviceSetLimit(cudaLimitStackSize, 1024));

  // Launches up to the limits, and one beyond each.
  CHECK_CUDA(launch(dim3(1, 65535), 1));
  CHECK_ERROR(launch(dim3(1, 65536), 1), cudaErrorInvalidValue);
  CHECK_CUDA(launch(dim3(1, 1, 65535), 1));
  CHECK_ERROR(launch(dim3(1, 1, 65536), 1), cudaErrorInvalidValue);
  CHECK_CUDA(launch(1, dim3(1024)));
  CHECK_ERROR(launch(1, dim3(1025)), cudaErrorInvalidValue);
  CHECK_CUDA(launch(1, dim3(1, 1024)));
  CHECK_CUDA(launch(1, dim3(1, 1, 64)));
  CHECK_ERROR(launch(1, dim3(1, 1, 65)), cudaErrorInvalidValue);
  CHECK_ERROR(launch(1, dim3(32, 32, 2)), cudaErrorInvalidValue);
  CHECK_CUDA(launch(1, 32, prop.sharedMemPerBlock));
  CHECK_ERROR(launch(1, 32, prop.sharedMemPerBlock + 1), cudaErrorInvalidValue);
  CHECK_CUDA(cudaFuncSetAttribute(one, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)prop.sharedMemPerBlockOptin));
  CHECK_CUDA(launch(1, 32, prop.sharedMemPerBlockOptin));
  CHECK_ERROR(launch(1, 32, prop.sharedMemPerBlockOptin + 1), cudaErrorInvalidValue);
  CHECK_ERROR(
      cudaFuncSetAttribute(one, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)prop.sharedMemPerBlockOptin + 1),
      cudaErrorInvalidValue);
  return check_report();
}
