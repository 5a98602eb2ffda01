// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies and fills by the driver API: each returns what it should, moves exactly the bytes asked for, and changes
// nothing when it refuses.
// RUN: %mcc %s -o %t -lcuda && %run %t
// covers: C-3.3-01 M-3.2.2-01
#include <cuda.h>

#include <vector>

#include "check.h"

constexpr size_t kBytes = 4096;

static CUdeviceptr a, b;
static CUstream stream, stale;
static unsigned char host[kBytes], back[kBytes];

static void start() {
  for (size_t i = 0; i < kBytes; i++) {
    host[i] = static_cast<unsigned char>(i * 7 + i / 256);
  }
  CHECK_CU(cuMemcpyHtoD(a, host, kBytes));
  CHECK_CU(cuMemsetD8(b, 0xee, kBytes));
  CHECK_CU(cuCtxSynchronize());  // some of the copies use a stream that waits for nothing
}

/// b holds bytes [from, from + bytes) of the pattern at `to`, and is untouched elsewhere.
static bool only_copied(size_t to, size_t from, size_t bytes) {
  CHECK_CU(cuMemcpyDtoH(back, b, kBytes));
  for (size_t i = 0; i < kBytes; i++) {
    const unsigned char expected = i >= to && i < to + bytes ? host[from + i - to] : 0xee;
    if (back[i] != expected) {
      return false;
    }
  }
  return true;
}

static void copies() {
  start();
  CHECK_CU(cuMemcpy(b + 8, a + 4, 100));
  CHECK(only_copied(8, 4, 100));
  start();
  CHECK_CU(cuMemcpyDtoD(b, a + 1, 33));
  CHECK_CU(cuCtxSynchronize());
  CHECK(only_copied(0, 1, 33));
  start();
  CHECK_CU(cuMemcpyDtoDAsync(b + 4000, a + 3000, 96, stream));
  CHECK_CU(cuStreamSynchronize(stream));
  CHECK(only_copied(4000, 3000, 96));
  start();
  CHECK_CU(cuMemcpyAsync(b + 3, a, 5, stream));
  CHECK_CU(cuStreamSynchronize(stream));
  CHECK(only_copied(3, 0, 5));
  CHECK_CU(cuMemcpy(b, a, 0));
  CHECK_CU(cuMemcpyDtoD(b, a, 0));

  start();
  CHECK_ERROR(cuMemcpy(b + 1, a, kBytes), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemcpy(b, 0, 4), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemcpyDtoD(b, a + 1, kBytes), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemcpyDtoD(0, a, 4), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemcpyAsync(b + 1, a, kBytes, stream), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemcpyDtoDAsync(b + 1, a, kBytes, stream), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuMemcpyAsync(b, a, 4, stale), CUDA_ERROR_INVALID_HANDLE);
  CHECK_OWN_ERROR(cuMemcpyDtoDAsync(b, a, 4, stale), CUDA_ERROR_INVALID_HANDLE);
  CHECK(only_copied(0, 0, 0));
}

static CUDA_MEMCPY2D rectangle(size_t x, size_t y, size_t width, size_t height) {
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = a;
  copy.dstDevice = b;
  copy.srcPitch = copy.dstPitch = 64;
  copy.srcXInBytes = copy.dstXInBytes = x;
  copy.srcY = copy.dstY = y;
  copy.WidthInBytes = width;
  copy.Height = height;
  return copy;
}

static bool only_rectangle(size_t x, size_t y, size_t width, size_t height) {
  CHECK_CU(cuMemcpyDtoH(back, b, kBytes));
  for (size_t i = 0; i < kBytes; i++) {
    const bool inside = i % 64 >= x && i % 64 < x + width && i / 64 >= y && i / 64 < y + height;
    if (back[i] != (inside ? host[i] : 0xee)) {
      return false;
    }
  }
  return true;
}

static void rectangles() {
  CUDA_MEMCPY2D copy = rectangle(3, 5, 17, 9);
  start();
  CHECK_CU(cuMemcpy2DUnaligned(&copy));
  CHECK(only_rectangle(3, 5, 17, 9));
  start();
  CHECK_CU(cuMemcpy2DAsync(&copy, stream));
  CHECK_CU(cuStreamSynchronize(stream));
  CHECK(only_rectangle(3, 5, 17, 9));
  start();
  CHECK_ERROR(cuMemcpy2DUnaligned(nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemcpy2DAsync(nullptr, stream), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuMemcpy2DAsync(&copy, stale), CUDA_ERROR_INVALID_HANDLE);
  copy.srcPitch = 16;  // less than x + width
  CHECK_ERROR(cuMemcpy2DUnaligned(&copy), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemcpy2DAsync(&copy, stream), CUDA_ERROR_INVALID_VALUE);
  copy = rectangle(0, 0, 64, 65);  // one row too many
  CHECK_ERROR(cuMemcpy2DUnaligned(&copy), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemcpy2DAsync(&copy, stream), CUDA_ERROR_INVALID_VALUE);
  CHECK(only_copied(0, 0, 0));
}

static CUDA_MEMCPY3D box() {
  CUDA_MEMCPY3D copy = {};
  copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = a;
  copy.dstDevice = b;
  copy.srcPitch = copy.dstPitch = 16;
  copy.srcHeight = copy.dstHeight = 8;
  copy.srcXInBytes = copy.dstXInBytes = 2;
  copy.srcY = copy.dstY = 1;
  copy.srcZ = copy.dstZ = 3;
  copy.WidthInBytes = 5;
  copy.Height = 6;
  copy.Depth = 4;
  return copy;
}

static bool only_box() {
  CHECK_CU(cuMemcpyDtoH(back, b, kBytes));
  for (size_t i = 0; i < kBytes; i++) {
    const size_t x = i % 16, y = i / 16 % 8, z = i / 128;
    const bool inside = x >= 2 && x < 7 && y >= 1 && y < 7 && z >= 3 && z < 7;
    if (back[i] != (inside ? host[i] : 0xee)) {
      return false;
    }
  }
  return true;
}

static CUDA_MEMCPY3D_PEER peer_box(CUcontext context) {
  const CUDA_MEMCPY3D plain = box();
  CUDA_MEMCPY3D_PEER copy = {};
  copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = plain.srcDevice;
  copy.dstDevice = plain.dstDevice;
  copy.srcPitch = copy.dstPitch = plain.srcPitch;
  copy.srcHeight = copy.dstHeight = plain.srcHeight;
  copy.srcXInBytes = copy.dstXInBytes = plain.srcXInBytes;
  copy.srcY = copy.dstY = plain.srcY;
  copy.srcZ = copy.dstZ = plain.srcZ;
  copy.srcContext = copy.dstContext = context;
  copy.WidthInBytes = plain.WidthInBytes;
  copy.Height = plain.Height;
  copy.Depth = plain.Depth;
  return copy;
}

static void boxes(CUcontext context) {
  CUDA_MEMCPY3D copy = box();
  start();
  CHECK_CU(cuMemcpy3D(&copy));
  CHECK(only_box());
  CUDA_MEMCPY3D_PEER peer = peer_box(context);
  start();
  CHECK_CU(cuMemcpy3DPeer(&peer));
  CHECK(only_box());
  start();
  CHECK_CU(cuMemcpy3DPeerAsync(&peer, stream));
  CHECK_CU(cuStreamSynchronize(stream));
  CHECK(only_box());

  start();
  CHECK_ERROR(cuMemcpy3D(nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuMemcpy3DPeer(nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuMemcpy3DPeerAsync(nullptr, stream), CUDA_ERROR_INVALID_VALUE);
  copy.srcHeight = 6;  // less than y + height
  CHECK_ERROR(cuMemcpy3D(&copy), CUDA_ERROR_INVALID_VALUE);
  copy = box();
  copy.Depth = 40;
  CHECK_ERROR(cuMemcpy3D(&copy), CUDA_ERROR_INVALID_VALUE);
  peer.Depth = 40;
  CHECK_ERROR(cuMemcpy3DPeer(&peer), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemcpy3DPeerAsync(&peer, stream), CUDA_ERROR_INVALID_VALUE);
  peer = peer_box(reinterpret_cast<CUcontext>(0x1234));
  CHECK_OWN_ERROR(cuMemcpy3DPeer(&peer), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_OWN_ERROR(cuMemcpy3DPeerAsync(&peer, stream), CUDA_ERROR_INVALID_CONTEXT);
  CHECK(only_copied(0, 0, 0));
}

/// b holds `value` of `size` bytes in `height` rows of `width` elements `pitch` bytes apart, and is untouched
/// elsewhere.
static bool only_filled(unsigned value, size_t size, size_t pitch, size_t width, size_t height) {
  CHECK_CU(cuMemcpyDtoH(back, b, kBytes));
  for (size_t i = 0; i < kBytes; i++) {
    const bool inside = i / pitch < height && i % pitch < width * size;
    const auto expected = static_cast<unsigned char>(inside ? value >> (8 * (i % size)) : 0xee);
    if (back[i] != expected) {
      return false;
    }
  }
  return true;
}

static void fills() {
  start();
  CHECK_CU(cuMemsetD8(b, 0x5a, 77));
  CHECK(only_filled(0x5a, 1, kBytes, 77, 1));
  start();
  CHECK_CU(cuMemsetD16(b, 0xbeef, 77));
  CHECK(only_filled(0xbeef, 2, kBytes, 77, 1));
  start();
  CHECK_CU(cuMemsetD16Async(b, 0xcafe, 5, stream));
  CHECK_CU(cuStreamSynchronize(stream));
  CHECK(only_filled(0xcafe, 2, kBytes, 5, 1));
  start();
  CHECK_CU(cuMemsetD2D8(b, 64, 0x11, 7, 3));
  CHECK(only_filled(0x11, 1, 64, 7, 3));
  start();
  CHECK_CU(cuMemsetD2D16(b, 64, 0x1122, 7, 3));
  CHECK(only_filled(0x1122, 2, 64, 7, 3));
  start();
  CHECK_CU(cuMemsetD2D32(b, 64, 0x11223344, 7, 3));
  CHECK(only_filled(0x11223344, 4, 64, 7, 3));
  start();
  CHECK_CU(cuMemsetD2D8Async(b, 64, 0x21, 64, 64, stream));
  CHECK_CU(cuStreamSynchronize(stream));
  CHECK(only_filled(0x21, 1, 64, 64, 64));
  start();
  CHECK_CU(cuMemsetD2D16Async(b, 128, 0x2122, 9, 32, stream));
  CHECK_CU(cuStreamSynchronize(stream));
  CHECK(only_filled(0x2122, 2, 128, 9, 32));
  start();
  CHECK_CU(cuMemsetD2D32Async(b, 64, 0x21222324, 1, 64, stream));
  CHECK_CU(cuStreamSynchronize(stream));
  CHECK(only_filled(0x21222324, 4, 64, 1, 64));

  start();
  CHECK_ERROR(cuMemsetD8(b, 1, kBytes + 1), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemsetD8(0, 1, 1), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemsetD16(b + 1, 1, 4), CUDA_ERROR_INVALID_VALUE);  // not aligned to its elements
  CHECK_ERROR(cuMemsetD16Async(b + 1, 1, 4, stream), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuMemsetD16Async(b, 1, 4, stale), CUDA_ERROR_INVALID_HANDLE);
  CHECK_ERROR(cuMemsetD2D8(b, 64, 1, 65, 2), CUDA_ERROR_INVALID_VALUE);  // wider than the pitch
  CHECK_ERROR(cuMemsetD2D16(b, 64, 1, 7, 65), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemsetD2D16(b, 63, 1, 7, 2), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemsetD2D32(b + 2, 64, 1, 7, 3), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemsetD2D8Async(b, 64, 1, 65, 2, stream), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemsetD2D16Async(b, 64, 1, 7, 65, stream), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemsetD2D32Async(b + 2, 64, 1, 7, 3, stream), CUDA_ERROR_INVALID_VALUE);
  CHECK(only_copied(0, 0, 0));
}

/// Without a current context nothing is copied or filled.
static void no_context() {
  CUDA_MEMCPY2D two = rectangle(0, 0, 4, 4);
  CUDA_MEMCPY3D three = box();
  CUcontext context;
  CHECK_CU(cuCtxPopCurrent(&context));
  CHECK_ERROR(cuMemcpy(b, a, 4), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_ERROR(cuMemcpyDtoD(b, a, 4), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_ERROR(cuMemcpy2DUnaligned(&two), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_ERROR(cuMemcpy3D(&three), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_ERROR(cuMemsetD8(b, 1, 4), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_ERROR(cuMemsetD16(b, 1, 4), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_ERROR(cuMemsetD2D8(b, 64, 1, 4, 4), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_ERROR(cuMemsetD2D16(b, 64, 1, 4, 4), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_ERROR(cuMemsetD2D32(b, 64, 1, 4, 4), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_CU(cuCtxPushCurrent(context));
}

int main() {
  CUcontext context;
  CHECK_OWN_ERROR(cuMemcpy(a, b, 4), CUDA_ERROR_NOT_INITIALIZED);
  CHECK_CU(cuInit(0));
  CHECK_CU(cuCtxCreate(&context, nullptr, 0, 0));
  CHECK_CU(cuMemAlloc(&a, kBytes));
  CHECK_CU(cuMemAlloc(&b, kBytes));
  CHECK_CU(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CHECK_CU(cuStreamCreate(&stale, 0));
  CHECK_CU(cuStreamDestroy(stale));
  copies();
  rectangles();
  boxes(context);
  fills();
  no_context();
  CHECK_CU(cuStreamDestroy(stream));
  CHECK_CU(cuMemFree(a));
  CHECK_CU(cuMemFree(b));
  CHECK_CU(cuCtxDestroy(context));
  return check_report();
}
