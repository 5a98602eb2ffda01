// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contexts: their flags, limits and numbers; the primary context's flags and its reset; events that stand for a whole
// context's work.
// RUN: %mcc -Wno-deprecated-declarations %s -o %t && %run %t
// covers: C-3.3-01 M-3.2.17-01 C-2.1.6-01
#include "check.h"

#include <cuda.h>

__global__ void hold(volatile int *go) {
  while (*go == 0) {
  }
}
__global__ void add(int *p, int value) { *p += value; }

static CUcontext context;

static void facts() {
  unsigned flags = 77, version = 0;
  unsigned long long id = 0, other_id = 0;
  CUdevice device = -1;
  CUcontext other;
  CHECK_CU(cuCtxGetFlags(&flags));
  CHECK_EQ(flags & CU_CTX_SCHED_MASK, 0u);
  CHECK_CU(cuCtxSetFlags(CU_CTX_SCHED_BLOCKING_SYNC));
  CHECK_CU(cuCtxGetFlags(&flags));
  CHECK_EQ(flags & CU_CTX_SCHED_MASK, unsigned{CU_CTX_SCHED_BLOCKING_SYNC});
  CHECK_CU(cuCtxSetFlags(0));
  CHECK_ERROR(cuCtxGetFlags(nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuCtxSetFlags(CU_CTX_SCHED_SPIN | CU_CTX_SCHED_YIELD), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuCtxSetFlags(1u << 20), CUDA_ERROR_INVALID_VALUE);

  CHECK_CU(cuCtxGetId(context, &id));
  CHECK_CU(cuCtxGetId(nullptr, &other_id));
  CHECK_EQ(id, other_id);
  CHECK_CU(cuCtxCreate(&other, nullptr, 0, 0));
  CHECK_CU(cuCtxGetId(other, &other_id));
  CHECK(id != other_id);
  CHECK_ERROR(cuCtxGetId(context, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuCtxGetDevice_v2(&device, other));
  CHECK_EQ(device, 0);
  CHECK_CU(cuCtxGetDevice_v2(&device, nullptr));
  CHECK_ERROR(cuCtxGetDevice_v2(nullptr, other), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuCtxGetApiVersion(other, &version));
  CHECK(version >= 3020);
  CHECK_ERROR(cuCtxGetApiVersion(other, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuCtxSynchronize_v2(context));
  CHECK_CU(cuCtxDestroy(other));
  CHECK_OWN_ERROR(cuCtxGetDevice_v2(&device, other), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  CHECK_OWN_ERROR(cuCtxGetId(other, &other_id), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  CHECK_OWN_ERROR(cuCtxGetApiVersion(other, &version), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  CHECK_OWN_ERROR(cuCtxSynchronize_v2(other), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  CHECK_CU(cuCtxSetCurrent(context));
}

static void limits() {
  size_t value = 0;
  CHECK_CU(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096));
  CHECK_CU(cuCtxGetLimit(&value, CU_LIMIT_STACK_SIZE));
  CHECK(value >= 4096);
  CHECK_CU(cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, 2 << 20));
  CHECK_CU(cuCtxGetLimit(&value, CU_LIMIT_PRINTF_FIFO_SIZE));
  CHECK(value >= 2 << 20);
  CHECK_CU(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 16 << 20));
  CHECK_CU(cuCtxGetLimit(&value, CU_LIMIT_MALLOC_HEAP_SIZE));
  CHECK(value >= 16 << 20);
  CHECK_ERROR(cuCtxGetLimit(nullptr, CU_LIMIT_STACK_SIZE), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuCtxGetLimit(&value, (CUlimit)99), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuCtxSetLimit((CUlimit)99, 1), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuCtxSetLimit(CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH, 2), CUDA_ERROR_UNSUPPORTED_LIMIT);
  CHECK_ERROR(cuCtxGetLimit(&value, CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH), CUDA_ERROR_UNSUPPORTED_LIMIT);
}

static void preferences() {
  CUfunc_cache cache = CU_FUNC_CACHE_PREFER_EQUAL;
  CUsharedconfig banks = CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE;
  CHECK_CU(cuCtxGetCacheConfig(&cache));
  CHECK_EQ(cache, CU_FUNC_CACHE_PREFER_NONE);
  CHECK_CU(cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_L1));
  CHECK_ERROR(cuCtxGetCacheConfig(nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuCtxSetCacheConfig((CUfunc_cache)9), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuCtxSetSharedMemConfig(CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE));
  CHECK_CU(cuCtxGetSharedMemConfig(&banks));
  CHECK(banks != CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE);
  CHECK_ERROR(cuCtxGetSharedMemConfig(nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuCtxSetSharedMemConfig((CUsharedconfig)9), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuCtxResetPersistingL2Cache());
  CUexecAffinityParam affinity = {};
  CHECK_OWN_ERROR(cuCtxGetExecAffinity(&affinity, CU_EXEC_AFFINITY_TYPE_SM_COUNT), CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY);
  CHECK_ERROR(cuCtxGetExecAffinity(nullptr, CU_EXEC_AFFINITY_TYPE_SM_COUNT), CUDA_ERROR_INVALID_VALUE);
}

static void attachments() {
  CUcontext made, same = nullptr;
  CHECK_CU(cuCtxCreate(&made, nullptr, 0, 0));
  CHECK_CU(cuCtxAttach(&same, 0));
  CHECK_EQ(same, made);
  CHECK_ERROR(cuCtxAttach(nullptr, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuCtxAttach(&same, 5), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuCtxDetach(made));
  CHECK_CU(cuCtxSynchronize());  // still there
  CHECK_OWN_ERROR(cuCtxDetach(context), CUDA_ERROR_INVALID_CONTEXT);  // not current
  CHECK_CU(cuCtxDetach(made));
  CHECK_OWN_ERROR(cuCtxDetach(made), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  CHECK_CU(cuCtxSetCurrent(context));
}

/// An event behind all streams of a context, and all streams behind an event, those that are made later too.
static void whole_context() {
  int *go, *sum;
  CUstream a, b, late;
  CUevent all, other_event;
  CUcontext other;
  CHECK_CU(cuMemAllocHost((void **)&go, sizeof *go));
  CHECK_CU(cuMemAllocManaged((CUdeviceptr *)&sum, sizeof *sum, CU_MEM_ATTACH_GLOBAL));
  CHECK_CU(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
  CHECK_CU(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
  CHECK_CU(cuEventCreate(&all, CU_EVENT_DISABLE_TIMING));
  *go = 0;
  *sum = 0;
  hold<<<1, 1, 0, a>>>(go);
  add<<<1, 1, 0, a>>>(sum, 5);
  CHECK_CU(cuCtxRecordEvent(context, all));
  CHECK_ERROR(cuEventQuery(all), CUDA_ERROR_NOT_READY);
  CHECK_ERROR(cuStreamQuery(a), CUDA_ERROR_NOT_READY);
  CHECK_CU(cuStreamQuery(b));
  CHECK_ERROR(cuCtxWaitEvent(nullptr, all), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_CU(cuCtxWaitEvent(context, all));
  CHECK_OWN_ERROR(cuStreamQuery(b), CUDA_ERROR_NOT_READY);  // others ask only for the stream's own work
  CHECK_CU(cuStreamCreate(&late, CU_STREAM_NON_BLOCKING));
  add<<<1, 1, 0, late>>>(sum, 100);
  CHECK_ERROR(cuStreamQuery(late), CUDA_ERROR_NOT_READY);
  CHECK_CU(cuStreamDestroy(a));  // its work goes on, and the context knows it
  CHECK_CU(cuCtxRecordEvent(context, all));
  CHECK_ERROR(cuEventQuery(all), CUDA_ERROR_NOT_READY);
  *go = 1;
  CHECK_CU(cuStreamSynchronize(late));
  CHECK_EQ(*sum, 105);
  CHECK_CU(cuEventSynchronize(all));

  CHECK_OWN_ERROR(cuCtxRecordEvent(context, nullptr), CUDA_ERROR_INVALID_HANDLE);
  CHECK_OWN_ERROR(cuCtxWaitEvent(context, nullptr), CUDA_ERROR_INVALID_HANDLE);
  CHECK_CU(cuStreamBeginCapture(b, CU_STREAM_CAPTURE_MODE_RELAXED));
  CHECK_ERROR(cuCtxRecordEvent(context, all), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  CUgraph graph = nullptr;
  CHECK_ERROR(cuStreamEndCapture(b, &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  CHECK_CU(cuStreamBeginCapture(b, CU_STREAM_CAPTURE_MODE_RELAXED));
  CHECK_ERROR(cuCtxWaitEvent(context, all), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  CHECK_ERROR(cuStreamEndCapture(b, &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);

  CHECK_CU(cuCtxCreate(&other, nullptr, 0, 0));
  CHECK_CU(cuEventCreate(&other_event, CU_EVENT_DISABLE_TIMING));
  CHECK_ERROR(cuCtxRecordEvent(context, other_event), CUDA_ERROR_INVALID_HANDLE);
  CHECK_CU(cuCtxRecordEvent(other, other_event));
  CHECK_CU(cuCtxWaitEvent(context, other_event));
  CHECK_CU(cuCtxDestroy(other));
  CHECK_OWN_ERROR(cuCtxRecordEvent(other, all), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  CHECK_OWN_ERROR(cuCtxWaitEvent(other, all), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  CHECK_CU(cuCtxSetCurrent(context));
  CHECK_CU(cuEventDestroy(all));
  CHECK_CU(cuStreamDestroy(b));
  CHECK_CU(cuStreamDestroy(late));
  CHECK_CU(cuMemFreeHost(go));
  CHECK_CU(cuMemFree((CUdeviceptr)sum));
}

static void primary() {
  CUcontext first, again;
  unsigned flags = 0;
  int active = -1;
  CHECK_CU(cuDevicePrimaryCtxSetFlags(0, CU_CTX_SCHED_YIELD));
  CHECK_CU(cuDevicePrimaryCtxGetState(0, &flags, &active));
  CHECK_EQ(active, 0);
  CHECK_EQ(flags & CU_CTX_SCHED_MASK, unsigned{CU_CTX_SCHED_YIELD});
  CHECK_ERROR(cuDevicePrimaryCtxSetFlags(0, 1u << 20), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuDevicePrimaryCtxSetFlags(99, 0), CUDA_ERROR_INVALID_DEVICE);
  CHECK_CU(cuDevicePrimaryCtxRetain(&first, 0));
  CHECK_CU(cuCtxPushCurrent(first));
  CUdeviceptr memory = 0;
  CHECK_CU(cuMemAlloc(&memory, 64));
  CHECK_CU(cuCtxPopCurrent(nullptr));
  CHECK_CU(cuDevicePrimaryCtxReset(0));
  CHECK_CU(cuDevicePrimaryCtxGetState(0, &flags, &active));
  CHECK_EQ(active, 0);
  CHECK_ERROR(cuDevicePrimaryCtxReset(99), CUDA_ERROR_INVALID_DEVICE);
  CHECK_CU(cuDevicePrimaryCtxRelease(0));
  CHECK_CU(cuDevicePrimaryCtxRetain(&again, 0));
  CHECK_EQ(again, first);  // the handle stays
  CHECK_CU(cuCtxPushCurrent(again));
  CHECK_ERROR(cuMemFree(memory), CUDA_ERROR_INVALID_VALUE);  // gone with the reset
  CHECK_CU(cuCtxPopCurrent(nullptr));
  CHECK_CU(cuDevicePrimaryCtxRelease(0));
  CHECK_ERROR(cuDevicePrimaryCtxRelease(0), CUDA_ERROR_INVALID_CONTEXT);
}

static void no_context() {
  size_t value;
  unsigned flags;
  CUfunc_cache cache;
  CUsharedconfig banks;
  CUdevice device;
  CUcontext none;
  CHECK_ERROR(cuCtxGetFlags(&flags), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_ERROR(cuCtxSetFlags(0), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_ERROR(cuCtxGetDevice_v2(&device, nullptr), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_ERROR(cuCtxSynchronize_v2(nullptr), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_ERROR(cuCtxGetLimit(&value, CU_LIMIT_STACK_SIZE), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_ERROR(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 1024), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_ERROR(cuCtxGetCacheConfig(&cache), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_ERROR(cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_L1), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_ERROR(cuCtxGetSharedMemConfig(&banks), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_ERROR(cuCtxSetSharedMemConfig(CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_ERROR(cuCtxResetPersistingL2Cache(), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_ERROR(cuCtxAttach(&none, 0), CUDA_ERROR_INVALID_CONTEXT);
}

int main() {
  unsigned flags = 0;
  CHECK_OWN_ERROR(cuCtxGetFlags(&flags), CUDA_ERROR_NOT_INITIALIZED);
  CHECK_CU(cuInit(0));
  no_context();
  primary();
  CHECK_CU(cuCtxCreate(&context, nullptr, 0, 0));
  facts();
  limits();
  preferences();
  attachments();
  whole_context();
  CHECK_CU(cuCtxDestroy(context));
  return check_report();
}
