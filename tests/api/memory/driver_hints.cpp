// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Advice, prefetches and discards of managed memory by both APIs: what was said last is what a range answers.
// RUN: %mcc %s -o %t && %run %t
// covers: C-4.1.4.4-01 C-4.1.4.1-01 C-4.1.1.2.2-01 C-4.1.3-02
#include "check.h"

#include <cuda.h>
#include <cuda_runtime.h>

constexpr size_t kPage = 4096, kBytes = 16 * kPage;

static CUdeviceptr memory;
static CUstream stream;
static const CUmemLocation kDevice = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
static const CUmemLocation kHost = {CU_MEM_LOCATION_TYPE_HOST, 0};

static int ask(CUmem_range_attribute attribute, CUdeviceptr from, size_t bytes) {
  int value = -77;
  CHECK_CU(cuMemRangeGetAttribute(&value, sizeof value, attribute, from, bytes));
  return value;
}

static void advice() {
  CHECK_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, memory, kBytes), 0);
  CHECK_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, memory, kBytes), CU_DEVICE_INVALID);
  CHECK_CU(cuMemAdvise(memory, 4 * kPage, CU_MEM_ADVISE_SET_READ_MOSTLY, kDevice));
  CHECK_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, memory, 4 * kPage), 1);
  CHECK_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, memory, kBytes), 0);  // not all of it
  CHECK_CU(cuMemAdvise(memory, kBytes, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, kHost));
  CHECK_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, memory, kBytes), CU_DEVICE_CPU);
  CHECK_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE, memory, kBytes), int{CU_MEM_LOCATION_TYPE_HOST});
  CHECK_CU(cuMemAdvise(memory, kPage, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, kDevice));
  CHECK_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID, memory, kPage), 0);
  CHECK_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, memory, 2 * kPage), CU_DEVICE_INVALID);
  int accessed[3] = {};
  CHECK_CU(cuMemAdvise(memory, kBytes, CU_MEM_ADVISE_SET_ACCESSED_BY, kDevice));
  CHECK_CU(cuMemRangeGetAttribute(accessed, sizeof accessed, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, memory, kBytes));
  CHECK(accessed[0] == 0 && accessed[1] == CU_DEVICE_INVALID && accessed[2] == CU_DEVICE_INVALID);

  CHECK_ERROR(cuMemAdvise(0, kPage, CU_MEM_ADVISE_SET_READ_MOSTLY, kDevice), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemAdvise(memory, 0, CU_MEM_ADVISE_SET_READ_MOSTLY, kDevice), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemAdvise(memory, 2 * kBytes, CU_MEM_ADVISE_SET_READ_MOSTLY, kDevice), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemAdvise(memory, kPage, (CUmem_advise)99, kDevice), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemAdvise(memory, kPage, CU_MEM_ADVISE_SET_ACCESSED_BY, {CU_MEM_LOCATION_TYPE_DEVICE, 99}),
              CUDA_ERROR_INVALID_VALUE);
  int value = 0;
  CHECK_ERROR(cuMemRangeGetAttribute(nullptr, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, memory, kPage),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemRangeGetAttribute(&value, 3, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, memory, kPage),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemRangeGetAttribute(&value, 4, (CUmem_range_attribute)99, memory, kPage), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemRangeGetAttribute(&value, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, memory, 0),
              CUDA_ERROR_INVALID_VALUE);
}

static void several_at_once() {
  int read_mostly = -1, last = -1;
  void *answers[] = {&read_mostly, &last};
  size_t sizes[] = {4, 4};
  CUmem_range_attribute asked[] = {CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION};
  CHECK_CU(cuMemPrefetchAsync(memory, kBytes, kHost, 0, stream));
  CHECK_CU(cuMemRangeGetAttributes(answers, sizes, asked, 2, memory, 4 * kPage));
  CHECK_EQ(read_mostly, 1);
  CHECK_EQ(last, CU_DEVICE_CPU);
  CHECK_ERROR(cuMemRangeGetAttributes(nullptr, sizes, asked, 2, memory, kPage), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemRangeGetAttributes(answers, nullptr, asked, 2, memory, kPage), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemRangeGetAttributes(answers, sizes, nullptr, 2, memory, kPage), CUDA_ERROR_INVALID_VALUE);

  cudaMemRangeAttribute runtime_asked[] = {cudaMemRangeAttributeReadMostly, cudaMemRangeAttributeLastPrefetchLocation};
  read_mostly = last = -1;
  void *p = (void *)memory;
  CHECK_CUDA(cudaMemRangeGetAttributes(answers, sizes, runtime_asked, 2, p, 4 * kPage));
  CHECK_EQ(read_mostly, 1);
  CHECK_EQ(last, cudaCpuDeviceId);
  CHECK_ERROR(cudaMemRangeGetAttributes(answers, sizes, runtime_asked, 2, nullptr, kPage), cudaErrorInvalidValue);
  sizes[1] = 3;
  CHECK_ERROR(cudaMemRangeGetAttributes(answers, sizes, runtime_asked, 2, p, kPage), cudaErrorInvalidValue);
  runtime_asked[0] = (cudaMemRangeAttribute)99;
  sizes[1] = 4;
  CHECK_ERROR(cudaMemRangeGetAttributes(answers, sizes, runtime_asked, 2, p, kPage), cudaErrorInvalidValue);
}

/// Several ranges to several places in one call.
static void batches() {
  CUdeviceptr parts[] = {memory, memory + 4 * kPage, memory + 8 * kPage};
  size_t sizes[] = {kPage, kPage, kPage}, indices[] = {0, 2}, wrong[] = {1, 2};
  CUmemLocation places[] = {kHost, kDevice};
  CHECK_CU(cuMemPrefetchBatchAsync(parts, sizes, 3, places, indices, 2, 0, stream));
  CHECK_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, parts[1], kPage), CU_DEVICE_CPU);
  CHECK_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, parts[2], kPage), 0);
  CHECK_CU(cuMemDiscardBatchAsync(parts, sizes, 3, 0, stream));
  CHECK_CU(cuMemDiscardAndPrefetchBatchAsync(parts, sizes, 3, &places[1], indices, 1, 0, stream));
  CHECK_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, parts[0], kPage), 0);
  CHECK_CU(cuStreamSynchronize(stream));
  *(int *)parts[1] = 4;  // the memory is there as before, whatever it holds
  CHECK_EQ(*(int *)parts[1], 4);

  CHECK_ERROR(cuMemPrefetchBatchAsync(nullptr, sizes, 3, places, indices, 2, 0, stream), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemPrefetchBatchAsync(parts, nullptr, 3, places, indices, 2, 0, stream), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemPrefetchBatchAsync(parts, sizes, 0, places, indices, 2, 0, stream), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemPrefetchBatchAsync(parts, sizes, 3, nullptr, indices, 2, 0, stream), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemPrefetchBatchAsync(parts, sizes, 3, places, wrong, 2, 0, stream), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemPrefetchBatchAsync(parts, sizes, 3, places, indices, 0, 0, stream), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemPrefetchBatchAsync(parts, sizes, 3, places, indices, 2, 1, stream), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuMemPrefetchBatchAsync(parts, sizes, 3, places, indices, 2, 0, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemDiscardBatchAsync(nullptr, sizes, 3, 0, stream), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemDiscardBatchAsync(parts, sizes, 0, 0, stream), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemDiscardBatchAsync(parts, sizes, 3, 7, stream), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemDiscardAndPrefetchBatchAsync(parts, sizes, 3, places, wrong, 2, 0, stream),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemDiscardAndPrefetchBatchAsync(nullptr, sizes, 3, places, indices, 2, 0, stream),
              CUDA_ERROR_INVALID_VALUE);
  sizes[2] = 2 * kBytes;
  CHECK_ERROR(cuMemDiscardBatchAsync(parts, sizes, 3, 0, stream), CUDA_ERROR_INVALID_VALUE);
}

int main() {
  CHECK_CUDA(cudaFree(nullptr));
  CHECK_CU(cuMemAllocManaged(&memory, kBytes, CU_MEM_ATTACH_GLOBAL));
  CHECK_CU(cuStreamCreate(&stream, 0));
  advice();
  several_at_once();
  batches();
  CHECK_CU(cuStreamDestroy(stream));
  CHECK_CU(cuMemFree(memory));
  return check_report();
}
