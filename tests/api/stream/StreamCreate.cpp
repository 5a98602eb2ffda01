// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaStreamCreate and its kin: flags, priorities, destroyed streams.
// gpu: no (the vendor's driver does not survive destroyed handles)
// RUN: %mcc %s -o %t && %run %t
#include "check.h"

#include <cuda_runtime_api.h>

int main() {
  cudaStream_t stream = nullptr;
  CHECK_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  unsigned flags = 0;
  CHECK_CUDA(cudaStreamGetFlags(stream, &flags));
  CHECK_EQ(flags, unsigned{cudaStreamNonBlocking});
  CHECK_CUDA(cudaStreamQuery(stream));
  CHECK_CUDA(cudaStreamDestroy(stream));
  CHECK_ERROR(cudaStreamDestroy(stream), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaStreamQuery(stream), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaStreamCreate(nullptr), cudaErrorInvalidValue);
  CHECK_ERROR(cudaStreamCreateWithFlags(&stream, 77), cudaErrorInvalidValue);

  int least = 1, greatest = 1;
  CHECK_CUDA(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  CHECK(greatest <= least);
  CHECK_CUDA(cudaStreamCreateWithPriority(&stream, cudaStreamDefault, greatest));
  int priority = 1;
  CHECK_CUDA(cudaStreamGetPriority(stream, &priority));
  CHECK_EQ(priority, greatest);
  unsigned long long id = 0, other = 0;
  CHECK_CUDA(cudaStreamGetId(stream, &id));
  CHECK_CUDA(cudaStreamGetId(cudaStreamLegacy, &other));
  CHECK(id != other);
  int device = -1;
  CHECK_CUDA(cudaStreamGetDevice(stream, &device));
  CHECK_EQ(device, 0);
  CHECK_ERROR(cudaStreamGetDevice(stream, nullptr), cudaErrorInvalidValue);
  cudaStream_t plain = nullptr;
  CHECK_CUDA(cudaStreamCreate(&plain));
  cudaStreamAttrValue value = {};
  value.syncPolicy = cudaSyncPolicyYield;
  CHECK_CUDA(cudaStreamSetAttribute(plain, cudaStreamAttributeSynchronizationPolicy, &value));
  CHECK_CUDA(cudaStreamCopyAttributes(stream, plain));
  value.syncPolicy = cudaSyncPolicyAuto;
  CHECK_CUDA(cudaStreamGetAttribute(stream, cudaStreamAttributeSynchronizationPolicy, &value));
  CHECK_EQ(value.syncPolicy, cudaSyncPolicyYield);
  CHECK_CUDA(cudaStreamDestroy(plain));
  CHECK_ERROR(cudaStreamCopyAttributes(stream, plain), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaStreamCopyAttributes(plain, stream), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaStreamGetDevice(plain, &device), cudaErrorInvalidResourceHandle);
  CHECK_CUDA(cudaStreamDestroy(stream));
  CHECK_CUDA(cudaStreamSynchronize(nullptr));
  CHECK_CUDA(cudaStreamSynchronize(cudaStreamPerThread));
  return check_report();
}
