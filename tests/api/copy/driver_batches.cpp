// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Batches of copies by the driver API, in the present and in the first form.
// gpu: no (the vendor's driver does the copies before the one that fails)
// RUN: %mcc %s -o %t && %run %t
// covers: C-3.1.5-01 C-4.1.4.3-01
#include "check.h"

#include <cuda.h>

constexpr size_t kBytes = 4096;

static CUstream stream;
static CUdeviceptr a, b;

static int cell(CUdeviceptr at) {
  int value = -1;
  CHECK_CU(cuMemcpyDtoH(&value, at, 4));
  return value;
}

static void lines() {
  CUdeviceptr to[] = {b, b + 1024}, from[] = {a, a + 512};
  size_t sizes[] = {256, 512}, starts[] = {0}, wrong[] = {1};
  CUmemcpyAttributes attributes = {};
  attributes.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
  CHECK_CU(cuMemsetD32(a, 7, kBytes / 4));
  CHECK_CU(cuMemsetD32(b, 0, kBytes / 4));
  CHECK_CU(cuMemcpyBatchAsync(to, from, sizes, 2, &attributes, starts, 1, stream));
  CHECK_CU(cuStreamSynchronize(stream));
  CHECK(cell(b) == 7 && cell(b + 252) == 7 && cell(b + 256) == 0 && cell(b + 1532) == 7 && cell(b + 1536) == 0);
  CHECK_ERROR(cuMemcpyBatchAsync(to, from, sizes, 2, &attributes, starts, 1, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemcpyBatchAsync(nullptr, from, sizes, 2, &attributes, starts, 1, stream), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemcpyBatchAsync(to, nullptr, sizes, 2, &attributes, starts, 1, stream), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemcpyBatchAsync(to, from, nullptr, 2, &attributes, starts, 1, stream), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemcpyBatchAsync(to, from, sizes, 0, &attributes, starts, 1, stream), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemcpyBatchAsync(to, from, sizes, 2, nullptr, starts, 1, stream), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemcpyBatchAsync(to, from, sizes, 2, &attributes, wrong, 1, stream), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemcpyBatchAsync(to, from, sizes, 2, &attributes, starts, 1, (CUstream)0x1234),
              CUDA_ERROR_INVALID_HANDLE);
  CHECK_CU(cuMemsetD32(b, 0, kBytes / 4));
  sizes[1] = 2 * kBytes;
  CHECK_ERROR(cuMemcpyBatchAsync(to, from, sizes, 2, &attributes, starts, 1, stream), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuStreamSynchronize(stream));
  CHECK_EQ(cell(b), 0);  // none was done
  attributes.srcAccessOrder = (CUmemcpySrcAccessOrder)99;
  sizes[1] = 512;
  CHECK_ERROR(cuMemcpyBatchAsync(to, from, sizes, 2, &attributes, starts, 1, stream), CUDA_ERROR_INVALID_VALUE);

  size_t failed = 5;
  using First = CUresult(CUdeviceptr *, CUdeviceptr *, size_t *, size_t, CUmemcpyAttributes *, size_t *, size_t,
                         size_t *, CUstream);
  void *symbol = nullptr;
  CHECK_CU(cuGetProcAddress("cuMemcpyBatchAsync", &symbol, 12080, CU_GET_PROC_ADDRESS_DEFAULT, nullptr));
  First *first = reinterpret_cast<First *>(symbol);
  attributes.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
  CHECK_CU(first(to, from, sizes, 2, &attributes, starts, 1, &failed, stream));
  CHECK_CU(cuStreamSynchronize(stream));
  CHECK_EQ(cell(b + 1024), 7);
  CHECK_ERROR(first(to, from, nullptr, 2, &attributes, starts, 1, &failed, stream), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQ(failed, SIZE_MAX);  // no copy of the batch is to blame
}

static CUmemcpy3DOperand side(CUdeviceptr memory) {
  CUmemcpy3DOperand operand = {};
  operand.type = CU_MEMCPY_OPERAND_TYPE_POINTER;
  operand.op.ptr.ptr = memory;
  operand.op.ptr.rowLength = 16;
  operand.op.ptr.layerHeight = 4;
  return operand;
}

static void boxes() {
  CUDA_MEMCPY3D_BATCH_OP op = {};
  op.src = side(a);
  op.dst = side(b);
  op.extent = {8, 2, 2};
  op.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
  CHECK_CU(cuMemsetD32(b, 0, kBytes / 4));
  CHECK_CU(cuMemcpy3DBatchAsync(1, &op, 0, stream));
  CHECK_CU(cuStreamSynchronize(stream));
  CHECK(cell(b) == 7 && cell(b + 4) == 7 && cell(b + 8) == 0 && cell(b + 16) == 7 && cell(b + 32) == 0 &&
        cell(b + 64) == 7 && cell(b + 128) == 0);
  CHECK_ERROR(cuMemcpy3DBatchAsync(0, &op, 0, stream), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemcpy3DBatchAsync(1, nullptr, 0, stream), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemcpy3DBatchAsync(1, &op, 9, stream), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemcpy3DBatchAsync(1, &op, 0, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemcpy3DBatchAsync(1, &op, 0, (CUstream)0x1234), CUDA_ERROR_INVALID_HANDLE);
  op.extent.depth = 0;
  CHECK_ERROR(cuMemcpy3DBatchAsync(1, &op, 0, stream), CUDA_ERROR_INVALID_VALUE);
  op.extent.depth = 1000;
  CHECK_ERROR(cuMemcpy3DBatchAsync(1, &op, 0, stream), CUDA_ERROR_INVALID_VALUE);
  op.extent.depth = 1;
  op.src.type = (CUmemcpy3DOperandType)9;
  CHECK_ERROR(cuMemcpy3DBatchAsync(1, &op, 0, stream), CUDA_ERROR_INVALID_VALUE);

  size_t failed = 5;
  using First = CUresult(size_t, CUDA_MEMCPY3D_BATCH_OP *, size_t *, unsigned long long, CUstream);
  void *symbol = nullptr;
  CHECK_CU(cuGetProcAddress("cuMemcpy3DBatchAsync", &symbol, 12080, CU_GET_PROC_ADDRESS_DEFAULT, nullptr));
  First *first = reinterpret_cast<First *>(symbol);
  CHECK_ERROR(first(1, &op, &failed, 0, stream), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQ(failed, SIZE_MAX);
  op.src = side(a);
  CHECK_CU(first(1, &op, &failed, 0, stream));
  CHECK_CU(cuStreamSynchronize(stream));
}

int main() {
  CUcontext context;
  CHECK_CU(cuInit(0));
  CHECK_CU(cuCtxCreate(&context, nullptr, 0, 0));
  CHECK_CU(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CHECK_CU(cuMemAlloc(&a, kBytes));
  CHECK_CU(cuMemAlloc(&b, kBytes));
  lines();
  boxes();
  CHECK_CU(cuMemFree(a));
  CHECK_CU(cuMemFree(b));
  CHECK_CU(cuCtxDestroy(context));
  return check_report();
}
