// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of the runtime API between arrays, from symbols, between devices and of boxes, in their waiting and their
// asynchronous forms, those of early versions too.
// RUN: %mcc -Wno-deprecated-declarations %s -o %t && env HELICON_CPU_DEVICES=2 %run %t
// covers: M-3.2.2-06 M-3.2.2-04 M-3.2.9-05
#include "check.h"

constexpr int kWidth = 8, kHeight = 4, kTexels = kWidth * kHeight;
constexpr size_t kRow = kWidth * sizeof(int), kBytes = kTexels * sizeof(int);

__device__ int symbol[kTexels];

static cudaStream_t stream;
static int in[kTexels], out[kTexels];

static cudaArray_t make_array() {
  cudaArray_t array = nullptr;
  const cudaChannelFormatDesc texel = cudaCreateChannelDesc<int>();
  CHECK_CUDA(cudaMallocArray(&array, &texel, kWidth, kHeight));
  return array;
}

static void clear() { memset(out, 0, sizeof out); }

static void read(cudaArray_t array) {
  clear();
  CHECK_CUDA(cudaMemcpy2DFromArray(out, kRow, array, 0, 0, kRow, kHeight, cudaMemcpyDeviceToHost));
}

static void rectangles() {
  cudaArray_t a = make_array(), b = make_array();
  CHECK_CUDA(cudaMemcpy2DToArrayAsync(a, 0, 0, in, kRow, kRow, kHeight, cudaMemcpyHostToDevice, stream));
  clear();
  CHECK_CUDA(cudaMemcpy2DFromArrayAsync(out, kRow, a, 4, 1, kRow - 4, 2, cudaMemcpyDeviceToHost, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK(out[0] == in[kWidth + 1] && out[6] == in[kWidth + 7] && out[7] == 0 && out[8] == in[2 * kWidth + 1]);
  CHECK_CUDA(cudaMemcpy2DToArray(b, 0, 0, in, kRow, kRow, kHeight, cudaMemcpyHostToDevice));
  CHECK_CUDA(cudaMemcpy2DArrayToArray(b, 0, 2, a, 8, 0, 12, 2, cudaMemcpyDeviceToDevice));
  read(b);
  CHECK(out[0] == in[0] && out[2 * kWidth] == in[2] && out[2 * kWidth + 2] == in[4] &&
        out[2 * kWidth + 3] == in[2 * kWidth + 3] && out[3 * kWidth] == in[kWidth + 2]);

  CHECK_ERROR(cudaMemcpy2DToArrayAsync(a, 4, 0, in, kRow, kRow, kHeight, cudaMemcpyHostToDevice, stream),
              cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemcpy2DToArrayAsync(a, 0, 0, in, kRow - 4, kRow, kHeight, cudaMemcpyHostToDevice, stream),
              cudaErrorInvalidPitchValue);
  CHECK_ERROR(cudaMemcpy2DToArrayAsync(a, 0, 0, in, kRow, kRow, kHeight, (cudaMemcpyKind)9, stream),
              cudaErrorInvalidMemcpyDirection);
  CHECK_ERROR(cudaMemcpy2DFromArrayAsync(out, kRow, a, 0, 1, kRow, kHeight, cudaMemcpyDeviceToHost, stream),
              cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemcpy2DFromArrayAsync(out, 4, a, 0, 0, kRow, kHeight, cudaMemcpyDeviceToHost, stream),
              cudaErrorInvalidPitchValue);
  CHECK_ERROR(cudaMemcpy2DArrayToArray(b, 0, 0, a, 4, 0, kRow, 1, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemcpy2DArrayToArray(b, 0, 0, a, 0, 0, kRow, kHeight + 1, cudaMemcpyDeviceToDevice),
              cudaErrorInvalidValue);
  CHECK_OWN_ERROR(cudaMemcpy2DArrayToArray(b, 0, 0, nullptr, 0, 0, kRow, 1, cudaMemcpyDeviceToDevice),
                  cudaErrorInvalidValue);
  CHECK_CUDA(cudaFreeArray(a));
  CHECK_CUDA(cudaFreeArray(b));
}

/// The early forms copy bytes that go on in the next row.
static void bytes_of_arrays() {
  cudaArray_t a = make_array(), b = make_array();
  CHECK_CUDA(cudaMemcpyToArrayAsync(a, 0, 0, in, kBytes, cudaMemcpyHostToDevice, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  clear();
  CHECK_CUDA(cudaMemcpyFromArray(out, a, 24, 0, 16, cudaMemcpyDeviceToHost));
  CHECK(out[0] == in[6] && out[3] == in[9] && out[4] == 0);
  clear();
  CHECK_CUDA(cudaMemcpyFromArrayAsync(out, a, 0, 1, 2 * kRow, cudaMemcpyDeviceToHost, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK(out[0] == in[kWidth] && out[2 * kWidth - 1] == in[3 * kWidth - 1] && out[2 * kWidth] == 0);
  CHECK_CUDA(cudaMemcpyArrayToArray(b, 0, 0, a, 4, 1, 2 * kRow, cudaMemcpyDeviceToDevice));
  read(b);
  CHECK(out[0] == in[kWidth + 1] && out[2 * kWidth - 1] == in[3 * kWidth]);
  CHECK_ERROR(cudaMemcpyToArrayAsync(a, 0, 1, in, kBytes, cudaMemcpyHostToDevice, stream), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemcpyFromArray(out, a, 0, 1, kBytes, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemcpyFromArray(nullptr, a, 0, 0, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemcpyFromArrayAsync(out, a, 4, 0, kBytes, cudaMemcpyDeviceToHost, stream), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemcpyArrayToArray(b, 0, 0, a, 4, 0, kBytes, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
  CHECK_CUDA(cudaFreeArray(a));
  CHECK_CUDA(cudaFreeArray(b));
}

static void symbols() {
  CHECK_CUDA(cudaMemcpyToSymbol(symbol, in, kBytes));
  clear();
  CHECK_CUDA(cudaMemcpyFromSymbolAsync(out, symbol, 12, 8, cudaMemcpyDeviceToHost, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK(out[0] == in[2] && out[2] == in[4] && out[3] == 0);
  CHECK_ERROR(cudaMemcpyFromSymbolAsync(out, symbol, kBytes, 4, cudaMemcpyDeviceToHost, stream), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemcpyFromSymbolAsync(out, in, 4, 0, cudaMemcpyDeviceToHost, stream), cudaErrorInvalidSymbol);
  CHECK_ERROR(cudaMemcpyFromSymbolAsync(out, symbol, 4, 0, (cudaMemcpyKind)9, stream), cudaErrorInvalidMemcpyDirection);
  CHECK_ERROR(cudaMemcpyFromSymbolAsync(nullptr, symbol, 4, 0, cudaMemcpyDeviceToHost, stream), cudaErrorInvalidValue);
}

static void boxes() {
  cudaPitchedPtr box = {};
  const cudaExtent extent = make_cudaExtent(16, 3, 2);
  CHECK_CUDA(cudaMalloc3D(&box, extent));
  CHECK_CUDA(cudaMemset3DAsync(box, 0x11, extent, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  unsigned char bytes[2][3][16];
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = box;
  copy.dstPtr = make_cudaPitchedPtr(bytes, 16, 16, 3);
  copy.extent = extent;
  copy.kind = cudaMemcpyDeviceToHost;
  CHECK_CUDA(cudaMemcpy3D(&copy));
  CHECK(bytes[0][0][0] == 0x11 && bytes[1][2][15] == 0x11);
  cudaPitchedPtr nowhere = box;
  nowhere.ptr = nullptr;
  CHECK_ERROR(cudaMemset3DAsync(nowhere, 0, extent, stream), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemset3DAsync(box, 0, make_cudaExtent(16, 3, 1000), stream), cudaErrorInvalidValue);
  CHECK_CUDA(cudaFree(box.ptr));
}

static void between_devices() {
  int count = 0;
  CHECK_CUDA(cudaGetDeviceCount(&count));
  const int second = count > 1 ? 1 : 0;
  cudaPitchedPtr here = {}, there = {};
  const cudaExtent extent = make_cudaExtent(16, 3, 2);
  CHECK_CUDA(cudaMalloc3D(&here, extent));
  CHECK_CUDA(cudaSetDevice(second));
  CHECK_CUDA(cudaMalloc3D(&there, extent));
  CHECK_CUDA(cudaSetDevice(0));
  unsigned char last = 0;
  for (int way = 0; way < 2; way++) {
    CHECK_CUDA(cudaMemset3D(here, 0x20 + way, extent));
    cudaMemcpy3DPeerParms copy = {};
    copy.srcPtr = here;
    copy.dstPtr = there;
    copy.srcDevice = 0;
    copy.dstDevice = second;
    copy.extent = extent;
    CHECK_CUDA(way == 0 ? cudaMemcpy3DPeer(&copy) : cudaMemcpy3DPeerAsync(&copy, stream));
    CHECK_CUDA(cudaStreamSynchronize(stream));
    CHECK_CUDA(cudaMemcpy(&last, (char *)there.ptr + 5 * there.pitch + 15, 1, cudaMemcpyDefault));
    CHECK_EQ((int)last, 0x20 + way);
    copy.dstDevice = 99;
    CHECK_ERROR(way == 0 ? cudaMemcpy3DPeer(&copy) : cudaMemcpy3DPeerAsync(&copy, stream), cudaErrorInvalidDevice);
    copy.dstDevice = second;
    copy.extent.depth = 1000;
    CHECK_ERROR(way == 0 ? cudaMemcpy3DPeer(&copy) : cudaMemcpy3DPeerAsync(&copy, stream), cudaErrorInvalidValue);
  }
  CHECK_ERROR(cudaMemcpy3DPeer(nullptr), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemcpy3DPeerAsync(nullptr, stream), cudaErrorInvalidValue);
  CHECK_CUDA(cudaFree(here.ptr));
  CHECK_CUDA(cudaFree(there.ptr));
}

int main() {
  for (int i = 0; i < kTexels; i++) {
    in[i] = 100 + i;
  }
  REQUIRE_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  rectangles();
  bytes_of_arrays();
  symbols();
  boxes();
  between_devices();
  CHECK_CUDA(cudaStreamDestroy(stream));
  return check_report();
}
