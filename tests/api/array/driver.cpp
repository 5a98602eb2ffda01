// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays by the driver API: what they tell about themselves, and one-dimensional copies into, out of and between them.
// RUN: %mcc %s -o %t && %run %t
// covers: M-3.2.2-06 C-3.3-01
#include "check.h"

#include <cuda.h>
#include <cuda_runtime.h>

constexpr size_t kTexels = 256, kBytes = kTexels * 4;

static CUstream stream, stale;
static int in[kTexels], out[kTexels];

static CUarray make_line() {
  CUDA_ARRAY_DESCRIPTOR shape = {kTexels, 0, CU_AD_FORMAT_SIGNED_INT32, 1};
  CUarray line = nullptr;
  CHECK_CU(cuArrayCreate(&line, &shape));
  return line;
}

static void descriptors() {
  CUDA_ARRAY_DESCRIPTOR shape = {33, 17, CU_AD_FORMAT_FLOAT, 4}, told = {};
  CUDA_ARRAY3D_DESCRIPTOR solid = {8, 4, 6, CU_AD_FORMAT_UNSIGNED_INT16, 2, CUDA_ARRAY3D_LAYERED}, back = {};
  CUarray plane, box, none = nullptr;
  CHECK_CU(cuArrayCreate(&plane, &shape));
  CHECK_CU(cuArray3DCreate(&box, &solid));
  CHECK_CU(cuArrayGetDescriptor(&told, plane));
  CHECK(told.Width == 33 && told.Height == 17 && told.Format == CU_AD_FORMAT_FLOAT && told.NumChannels == 4);
  CHECK_CU(cuArray3DGetDescriptor(&back, box));
  CHECK(back.Width == 8 && back.Depth == 6 && back.NumChannels == 2 && back.Flags == CUDA_ARRAY3D_LAYERED);
  CHECK_CU(cuArrayGetDescriptor(&told, box));
  CHECK(told.Width == 8 && told.Height == 4);
  CHECK_ERROR(cuArrayGetDescriptor(nullptr, plane), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuArrayGetDescriptor(&told, nullptr), CUDA_ERROR_INVALID_HANDLE);
  CHECK_ERROR(cuArray3DCreate(nullptr, &solid), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuArray3DCreate(&none, nullptr), CUDA_ERROR_INVALID_VALUE);
  solid.Width = 1 << 30;
  CHECK_ERROR(cuArray3DCreate(&none, &solid), CUDA_ERROR_INVALID_VALUE);
  solid.Width = 8;
  solid.NumChannels = 3;
  CHECK_ERROR(cuArray3DCreate(&none, &solid), CUDA_ERROR_INVALID_VALUE);
  solid.NumChannels = 2;
  solid.Flags = 1u << 30;
  CHECK_ERROR(cuArray3DCreate(&none, &solid), CUDA_ERROR_INVALID_VALUE);
  CHECK(none == nullptr);

  // No array has several planes, or tiles without memory.
  CUDA_ARRAY_SPARSE_PROPERTIES sparse = {};
  CHECK_ERROR(cuArrayGetPlane(&none, plane, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuArrayGetPlane(nullptr, plane, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuArrayGetSparseProperties(&sparse, plane), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuArrayGetSparseProperties(nullptr, plane), CUDA_ERROR_INVALID_VALUE);
  solid.Flags = CUDA_ARRAY3D_SPARSE;
  CHECK_OWN_ERROR(cuArray3DCreate(&none, &solid), CUDA_ERROR_NOT_SUPPORTED);
  CHECK_CU(cuArrayDestroy(plane));
  CHECK_CU(cuArrayDestroy(box));
  CHECK_OWN_ERROR(cuArrayGetDescriptor(&told, plane), CUDA_ERROR_INVALID_HANDLE);
}

/// How much memory would be needed is told for arrays that have none of their own; ours tell it for all.
static void requirements() {
  if (!check::is_own_driver()) {
    return;
  }
  CUDA_ARRAY3D_DESCRIPTOR shape = {64, 32, 0, CU_AD_FORMAT_FLOAT, 1, 0};
  CUDA_ARRAY_MEMORY_REQUIREMENTS needs = {}, all = {};
  CUDA_ARRAY_SPARSE_PROPERTIES sparse = {};
  CUmipmappedArray mipmap;
  CUarray level;
  CHECK_CU(cuMipmappedArrayCreate(&mipmap, &shape, 3));
  CHECK_CU(cuMipmappedArrayGetLevel(&level, mipmap, 0));
  CHECK_CU(cuArrayGetMemoryRequirements(&needs, level, 0));
  CHECK(needs.size >= 64 * 32 * 4 && needs.alignment >= 4);
  CHECK_CU(cuMipmappedArrayGetMemoryRequirements(&all, mipmap, 0));
  CHECK(all.size >= needs.size + 32 * 16 * 4 + 16 * 8 * 4);
  CHECK_ERROR(cuArrayGetMemoryRequirements(nullptr, level, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuArrayGetMemoryRequirements(&needs, nullptr, 0), CUDA_ERROR_INVALID_HANDLE);
  CHECK_ERROR(cuArrayGetMemoryRequirements(&needs, level, 99), CUDA_ERROR_INVALID_DEVICE);
  CHECK_ERROR(cuMipmappedArrayGetMemoryRequirements(nullptr, mipmap, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMipmappedArrayGetMemoryRequirements(&all, nullptr, 0), CUDA_ERROR_INVALID_HANDLE);
  CHECK_ERROR(cuMipmappedArrayGetMemoryRequirements(&all, mipmap, -1), CUDA_ERROR_INVALID_DEVICE);
  CHECK_ERROR(cuMipmappedArrayGetSparseProperties(&sparse, mipmap), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMipmappedArrayGetSparseProperties(nullptr, mipmap), CUDA_ERROR_INVALID_VALUE);

  cudaArrayMemoryRequirements told = {};
  CHECK_CUDA(cudaArrayGetMemoryRequirements(&told, (cudaArray_t)level, 0));
  CHECK_EQ(told.size, needs.size);
  CHECK_ERROR(cudaArrayGetMemoryRequirements(nullptr, (cudaArray_t)level, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaArrayGetMemoryRequirements(&told, (cudaArray_t)level, 99), cudaErrorInvalidDevice);
  CHECK_CU(cuMipmappedArrayDestroy(mipmap));
}

/// Texel `to + i` of an array that was zero is in[from + i] for i < count, and 0 elsewhere.
static bool only_copied(CUarray line, size_t to, size_t from, size_t count) {
  CHECK_CU(cuMemcpyAtoH(out, line, 0, kBytes));
  for (size_t i = 0; i < kTexels; i++) {
    if (out[i] != (i >= to && i < to + count ? in[from + i - to] : 0)) {
      return false;
    }
  }
  return true;
}

static void clear(CUarray line) {
  static const int zeros[kTexels] = {};
  CHECK_CU(cuMemcpyHtoA(line, 0, zeros, kBytes));
}

static void lines() {
  CUarray a = make_line(), b = make_line();
  CUdeviceptr memory;
  CHECK_CU(cuMemAlloc(&memory, kBytes));
  CHECK_CU(cuMemcpyHtoD(memory, in, kBytes));
  clear(a);
  CHECK_CU(cuMemcpyHtoA(a, 8, in + 5, 40));
  CHECK(only_copied(a, 2, 5, 10));
  clear(a);
  CHECK_CU(cuMemcpyDtoA(a, 16, memory + 4, 400));
  CHECK(only_copied(a, 4, 1, 100));
  clear(b);
  CHECK_CU(cuMemcpyAtoA(b, 0, a, 16, 400));
  CHECK(only_copied(b, 0, 1, 100));
  CHECK_CU(cuMemsetD32(memory, 0, kTexels));
  CHECK_CU(cuMemcpyAtoD(memory + 8, b, 4, 12));
  CHECK_CU(cuMemcpyDtoH(out, memory, kBytes));
  CHECK(out[1] == 0 && out[2] == in[2] && out[4] == in[4] && out[5] == 0);
  clear(a);
  CHECK_CU(cuMemcpyHtoAAsync(a, 0, in, kBytes, stream));
  memset(out, 0, sizeof out);
  CHECK_CU(cuMemcpyAtoHAsync(out, a, 4, 8, stream));
  CHECK_CU(cuStreamSynchronize(stream));
  CHECK(out[0] == in[1] && out[1] == in[2] && out[2] == 0);

  clear(a);
  CHECK_ERROR(cuMemcpyHtoA(a, 4, in, kBytes), CUDA_ERROR_INVALID_VALUE);  // past the end
  CHECK_ERROR(cuMemcpyHtoA(a, 0, nullptr, 4), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemcpyHtoAAsync(a, 4, in, kBytes, stream), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemcpyDtoA(a, 4, memory, kBytes), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemcpyDtoA(a, 0, memory + 4, kBytes), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemcpyAtoD(memory, a, 4, kBytes), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemcpyAtoD(memory + 4, a, 0, kBytes), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemcpyAtoA(b, 4, a, 0, kBytes), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemcpyAtoH(out, a, 4, kBytes), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemcpyAtoHAsync(out, a, 4, kBytes, stream), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuMemcpyAtoA(b, 0, nullptr, 0, 4), CUDA_ERROR_INVALID_HANDLE);
  CHECK_OWN_ERROR(cuMemcpyHtoAAsync(a, 0, in, 4, stale), CUDA_ERROR_INVALID_HANDLE);
  CHECK_OWN_ERROR(cuMemcpyAtoHAsync(out, a, 0, 4, stale), CUDA_ERROR_INVALID_HANDLE);
  CHECK(only_copied(a, 0, 0, 0));
  CHECK_CU(cuArrayDestroy(a));
  CHECK_OWN_ERROR(cuMemcpyHtoA(a, 0, in, 4), CUDA_ERROR_INVALID_HANDLE);
  CHECK_OWN_ERROR(cuMemcpyDtoA(a, 0, memory, 4), CUDA_ERROR_INVALID_HANDLE);
  CHECK_OWN_ERROR(cuMemcpyAtoD(memory, a, 0, 4), CUDA_ERROR_INVALID_HANDLE);
  CHECK_CU(cuArrayDestroy(b));
  CHECK_CU(cuMemFree(memory));
}

int main() {
  for (size_t i = 0; i < kTexels; i++) {
    in[i] = (int)i + 1000;
  }
  CHECK_CUDA(cudaFree(nullptr));
  CHECK_CU(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CHECK_CU(cuStreamCreate(&stale, 0));
  CHECK_CU(cuStreamDestroy(stale));
  descriptors();
  requirements();
  lines();
  CHECK_CU(cuStreamDestroy(stream));
  return check_report();
}
