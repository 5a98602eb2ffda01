// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host functions and callbacks run in stream order; later work waits for them; API calls in them are refused.
// RUN: %mcc %s -o %t && %run %t
// covers: C-2.5.4-01 C-2.5.4-02
#include "check.h"

struct Note {
  int *cell;
  int seen;
  cudaError_t inside;
};

__global__ void twice(int *cell) { *cell *= 2; }

static void CUDART_CB add_one(void *data) {
  Note *note = static_cast<Note *>(data);
  note->seen = *note->cell;
  *note->cell += 1;
  void *memory = nullptr;
  note->inside = cudaMalloc(&memory, 16);
}

static void CUDART_CB after(cudaStream_t, cudaError_t status, void *data) {
  Note *note = static_cast<Note *>(data);
  note->inside = status;
  note->seen = *note->cell;
}

int main() {
  int *cell = nullptr;
  CHECK_CUDA(cudaMallocManaged(&cell, sizeof(int)));
  *cell = 5;
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  Note note{cell, 0, cudaSuccess}, last{cell, 0, cudaErrorUnknown};
  twice<<<1, 1, 0, stream>>>(cell);
  CHECK_CUDA(cudaLaunchHostFunc(stream, add_one, &note));
  twice<<<1, 1, 0, stream>>>(cell);
  CHECK_CUDA(cudaStreamAddCallback(stream, after, &last, 0));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_EQ(note.seen, 10);
  CHECK_EQ(*cell, 22);
  CHECK_ERROR(note.inside, cudaErrorNotPermitted);
  CHECK_EQ(last.seen, 22);
  CHECK_ERROR(last.inside, cudaSuccess);
  CHECK_ERROR(cudaLaunchHostFunc(stream, nullptr, nullptr), cudaErrorInvalidValue);
  CHECK_CUDA(cudaStreamDestroy(stream));
  CHECK_CUDA(cudaFree(cell));
  return check_report();
}
