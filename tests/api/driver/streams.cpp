// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams and events through the driver API: attributes, priorities, callbacks and their status, ids, waiting by event.
// gpu: no (the vendor's driver does not survive destroyed handles)
// RUN: %mcc %s -o %t -lcuda && %run %t
// covers: C-3.3-01
#include <cuda.h>

#include <atomic>

#include "check.h"

static std::atomic<int> steps{0};
static std::atomic<CUresult> status{CUDA_ERROR_UNKNOWN};

static void callback(CUstream, CUresult result, void *user) {
  status = result;
  *(int *)user = ++steps;
}

static void step(void *user) { *(int *)user = ++steps; }

static void facts(CUcontext context) {
  int least = 99, greatest = 99, priority = 99;
  CHECK_CU(cuCtxGetStreamPriorityRange(&least, &greatest));
  CHECK(greatest < least);
  CUstream low, high;
  CHECK_CU(cuStreamCreateWithPriority(&low, CU_STREAM_NON_BLOCKING, least + 100));
  CHECK_CU(cuStreamCreateWithPriority(&high, CU_STREAM_DEFAULT, greatest - 100));
  CHECK_CU(cuStreamGetPriority(low, &priority));
  CHECK_EQ(priority, least);
  CHECK_CU(cuStreamGetPriority(high, &priority));
  CHECK_EQ(priority, greatest);
  unsigned flags = 99;
  CHECK_CU(cuStreamGetFlags(low, &flags));
  CHECK_EQ(flags, (unsigned)CU_STREAM_NON_BLOCKING);
  CUcontext owner = nullptr;
  CHECK_CU(cuStreamGetCtx(low, &owner));
  CHECK(owner == context);
  CUgreenCtx green = (CUgreenCtx)0x1;
  owner = nullptr;
  CHECK_CU(cuStreamGetCtx_v2(low, &owner, &green));
  CHECK(owner == context && green == nullptr);
  CHECK_ERROR(cuStreamGetCtx_v2(low, nullptr, &green), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuStreamGetCtx_v2((CUstream)context, &owner, &green), CUDA_ERROR_INVALID_HANDLE);
  unsigned long long low_id = 0, high_id = 0;
  CHECK_CU(cuStreamGetId(low, &low_id));
  CHECK_CU(cuStreamGetId(high, &high_id));
  CHECK(low_id != high_id);

  CUstreamAttrValue value{};
  value.syncPolicy = CU_SYNC_POLICY_YIELD;
  CHECK_CU(cuStreamSetAttribute(low, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
  CHECK_CU(cuStreamCopyAttributes(high, low));
  value.syncPolicy = CU_SYNC_POLICY_AUTO;
  CHECK_CU(cuStreamGetAttribute(high, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
  CHECK_EQ(value.syncPolicy, CU_SYNC_POLICY_YIELD);
  CHECK_ERROR(cuStreamGetAttribute(high, (CUstreamAttrID)99, &value), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuStreamDestroy(low));
  CHECK_CU(cuStreamDestroy(high));
  CHECK_ERROR(cuStreamDestroy(nullptr), CUDA_ERROR_INVALID_HANDLE);
  CHECK_ERROR(cuStreamDestroy(CU_STREAM_LEGACY), CUDA_ERROR_INVALID_HANDLE);
}

static void order() {
  CUstream stream;
  CHECK_CU(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  int first = 0, second = 0, third = 0;
  CHECK_CU(cuLaunchHostFunc(stream, step, &first));
  CHECK_CU(cuStreamAddCallback(stream, callback, &second, 0));
  CHECK_CU(cuLaunchHostFunc(stream, step, &third));
  CHECK_CU(cuStreamSynchronize(stream));
  CHECK_EQ(first, 1);
  CHECK_EQ(second, 2);
  CHECK_EQ(third, 3);
  CHECK_EQ(status.load(), CUDA_SUCCESS);
  CHECK_ERROR(cuStreamAddCallback(stream, callback, &second, 1), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuStreamAddCallback(stream, nullptr, &second, 0), CUDA_ERROR_INVALID_VALUE);
  CUstreamCaptureStatus capturing = CU_STREAM_CAPTURE_STATUS_ACTIVE;
  CHECK_CU(cuStreamIsCapturing(stream, &capturing));
  CHECK_EQ(capturing, CU_STREAM_CAPTURE_STATUS_NONE);
  CHECK_CU(cuStreamDestroy(stream));
}

static void events() {
  CUevent event, untimed;
  CHECK_CU(cuEventCreate(&event, CU_EVENT_BLOCKING_SYNC));
  CHECK_CU(cuEventCreate(&untimed, CU_EVENT_DISABLE_TIMING));
  CHECK_CU(cuEventQuery(event));
  float ms = -1;
  CHECK_ERROR(cuEventElapsedTime(&ms, event, event), CUDA_ERROR_INVALID_HANDLE);
  CHECK_CU(cuEventRecord(event, nullptr));
  CHECK_CU(cuEventRecord(untimed, nullptr));
  CHECK_CU(cuEventSynchronize(untimed));
  CHECK_CU(cuEventRecordWithFlags(event, nullptr, CU_EVENT_RECORD_DEFAULT));
  CHECK_CU(cuEventSynchronize(event));
  CHECK_ERROR(cuEventRecordWithFlags(event, nullptr, 99), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuEventRecordWithFlags(event, nullptr, CU_EVENT_RECORD_EXTERNAL), CUDA_ERROR_ILLEGAL_STATE);
  CHECK_ERROR(cuEventRecordWithFlags(nullptr, nullptr, 0), CUDA_ERROR_INVALID_HANDLE);
  CHECK_ERROR(cuEventRecordWithFlags(event, (CUstream)event, 0), CUDA_ERROR_INVALID_HANDLE);
  CHECK_CU(cuEventElapsedTime(&ms, event, event));
  CHECK_EQ(ms, 0.0f);
  CHECK_ERROR(cuEventElapsedTime(&ms, event, untimed), CUDA_ERROR_INVALID_HANDLE);
  CHECK_ERROR(cuEventElapsedTime(nullptr, event, event), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuEventDestroy(event));
  CHECK_CU(cuEventDestroy(untimed));
  CHECK_ERROR(cuEventSynchronize(event), CUDA_ERROR_INVALID_HANDLE);
}

int main() {
  CUcontext context;
  CHECK_CU(cuInit(0));
  CHECK_CU(cuCtxCreate(&context, nullptr, 0, 0));
  facts(context);
  order();
  events();
  CHECK_CU(cuCtxDestroy(context));
  return check_report();
}
