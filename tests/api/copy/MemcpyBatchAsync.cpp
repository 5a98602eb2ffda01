// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Batches of copies: attributes by index, three dimensions, arrays; a batch with a wrong copy does nothing.
//
// gpu: no (the vendor's driver does the copies before the one that fails)
// RUN: %mcc %s -o %t && %run %t
// covers: C-3.1.5-01 C-3.1.5-02 C-4.1.4.3-01
#include "check.h"

#include <cuda_runtime.h>

#include <string.h>

#include <vector>

static cudaStream_t stream;

static cudaMemcpyAttributes attributes(cudaMemcpySrcAccessOrder order) {
  cudaMemcpyAttributes a{};
  a.srcAccessOrder = order;
  return a;
}

static void one_dimension() {
  constexpr int kCopies = 4, kCells = 1000;
  int *device[kCopies], *back[kCopies];
  std::vector<int> host[kCopies];
  void *to[kCopies], *out[kCopies];
  const void *from[kCopies], *in[kCopies];
  size_t sizes[kCopies];
  for (int i = 0; i < kCopies; i++) {
    host[i].assign(kCells, i + 1);
    CHECK_CUDA(cudaMalloc(&device[i], kCells * sizeof(int)));
    CHECK_CUDA(cudaMallocHost(&back[i], kCells * sizeof(int)));
    memset(back[i], 0, kCells * sizeof(int));
    to[i] = device[i];
    from[i] = host[i].data();
    in[i] = device[i];
    out[i] = back[i];
    sizes[i] = kCells * sizeof(int);
  }
  cudaMemcpyAttributes attrs[2] = {attributes(cudaMemcpySrcAccessOrderDuringApiCall),
                                   attributes(cudaMemcpySrcAccessOrderStream)};
  size_t starts[2] = {0, 2};
  CHECK_CUDA(cudaMemcpyBatchAsync(to, from, sizes, kCopies, attrs, starts, 2, stream));
  host[0].assign(kCells, 99);  // the call was allowed to read it only until it returned
  CHECK_CUDA(cudaMemcpyBatchAsync(out, in, sizes, kCopies, attrs + 1, starts, 1, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  for (int i = 0; i < kCopies; i++) {
    CHECK_EQ(back[i][0], i + 1);
    CHECK_EQ(back[i][kCells - 1], i + 1);
  }
  CHECK_ERROR(cudaMemcpyBatchAsync(to, from, sizes, kCopies, attrs, starts, 2, nullptr), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemcpyBatchAsync(to, from, sizes, 0, attrs, starts, 1, stream), cudaErrorInvalidValue);
  size_t wrong[2] = {0, 9};
  CHECK_ERROR(cudaMemcpyBatchAsync(to, from, sizes, kCopies, attrs, wrong, 2, stream), cudaErrorInvalidValue);
  // The last copy is too long: none is done.
  host[0].assign(kCells, 77);
  sizes[3] += 4096;
  CHECK_ERROR(cudaMemcpyBatchAsync(to, from, sizes, kCopies, attrs, starts, 2, stream), cudaErrorInvalidValue);
  CHECK_CUDA(cudaMemcpy(back[0], device[0], sizeof(int), cudaMemcpyDeviceToHost));
  CHECK_EQ(back[0][0], 1);
  for (int i = 0; i < kCopies; i++) {
    CHECK_CUDA(cudaFree(device[i]));
    CHECK_CUDA(cudaFreeHost(back[i]));
  }
}

static cudaMemcpy3DOperand at(void *pointer, size_t row, size_t layer) {
  cudaMemcpy3DOperand operand{};
  operand.type = cudaMemcpyOperandTypePointer;
  operand.op.ptr.ptr = pointer;
  operand.op.ptr.rowLength = row;
  operand.op.ptr.layerHeight = layer;
  return operand;
}

static void three_dimensions() {
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindSigned);
  CHECK_CUDA(cudaMalloc3DArray(&array, &format, cudaExtent{8, 4, 2}));
  std::vector<int> in(8 * 4 * 2), out(4 * 2 * 2, 0);
  for (size_t i = 0; i < in.size(); i++) {
    in[i] = (int)i;
  }
  cudaMemcpy3DOperand whole{};
  whole.type = cudaMemcpyOperandTypeArray;
  whole.op.array.array = array;
  cudaMemcpy3DOperand corner = whole;
  corner.op.array.offset.x = 4;
  corner.op.array.offset.y = 2;
  cudaMemcpy3DBatchOp ops[2] = {};
  ops[0].src = at(in.data(), 0, 0);
  ops[0].dst = whole;
  ops[0].extent = {8, 4, 2};
  ops[0].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  ops[1].src = corner;
  ops[1].dst = at(out.data(), 4, 2);
  ops[1].extent = {4, 2, 2};
  ops[1].srcAccessOrder = cudaMemcpySrcAccessOrderAny;
  CHECK_CUDA(cudaMemcpy3DBatchAsync(2, ops, 0, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_EQ(out[0], 2 * 8 + 4);
  CHECK_EQ(out[4 * 2 * 2 - 1], 8 * 4 + 3 * 8 + 7);
  ops[1].extent.width = 5;
  CHECK_ERROR(cudaMemcpy3DBatchAsync(2, ops, 0, stream), cudaErrorInvalidValue);
  CHECK_CUDA(cudaFreeArray(array));
}

static void managed() {
  void *memory = nullptr;
  size_t bytes = 1 << 20, start = 0;
  CHECK_CUDA(cudaMallocManaged(&memory, bytes));
  memset(memory, 5, bytes);
  cudaMemLocation location{};
  location.type = cudaMemLocationTypeDevice;
  CHECK_CUDA(cudaMemPrefetchBatchAsync(&memory, &bytes, 1, &location, &start, 1, 0, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_EQ(((char *)memory)[bytes - 1], 5);
  CHECK_CUDA(cudaMemDiscardBatchAsync(&memory, &bytes, 1, 0, stream));
  CHECK_CUDA(cudaMemDiscardAndPrefetchBatchAsync(&memory, &bytes, 1, &location, &start, 1, 0, stream));
  void *plain = nullptr;
  CHECK_CUDA(cudaMalloc(&plain, bytes));
  CHECK_ERROR(cudaMemDiscardBatchAsync(&plain, &bytes, 1, 0, stream), cudaErrorInvalidValue);
  CHECK_CUDA(cudaFree(plain));
  CHECK_CUDA(cudaFree(memory));
}

int main() {
  CHECK_CUDA(cudaStreamCreate(&stream));
  one_dimension();
  three_dimensions();
  managed();
  CHECK_CUDA(cudaStreamDestroy(stream));
  return check_report();
}
