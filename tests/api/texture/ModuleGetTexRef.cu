// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texture references of the driver API: found in a module, bound to an array, to linear and to pitched memory, with
// settings that are given back; what cannot be found or set.
// gpu: no (texture references of GPU code are variables, which the vendor's functions do not know)
// RUN: %mcc -fatbin -DDEVICE %s -o %t.fatbin && %mcc -Wno-deprecated-declarations %s -o %t -lcuda && %run %t %t.fatbin
// covers: B-7-04
#ifdef DEVICE

texture<float, 2> image;
texture<int, 1> numbers;
extern "C" __global__ void fetch(float *out) { out[threadIdx.x] = tex2D(image, threadIdx.x * 0.5f + 0.5f, 0.5f); }
extern "C" __global__ void fetch_numbers(float *out) { out[threadIdx.x] = tex1Dfetch(numbers, threadIdx.x); }

#else
#include "check.h"

#include <cuda.h>

static CUmodule module;
static CUdeviceptr out;
static float results[8];

static void run(const char *kernel) {
  CUfunction function = nullptr;
  void *arguments[] = {&out};
  CHECK_CU(cuModuleGetFunction(&function, module, kernel));
  CHECK_CU(cuLaunchKernel(function, 1, 1, 1, 8, 1, 1, 0, nullptr, arguments, nullptr));
  CHECK_CU(cuMemcpyDtoH(results, out, sizeof results));
}

static void check_settings(CUtexref image) {
  CUaddress_mode address;
  CUfilter_mode filter;
  CUarray_format format;
  unsigned flags;
  int channels, anisotropy;
  float low, high, bias, border[4] = {1, 2, 3, 4}, border_back[4] = {};
  CHECK_CU(cuTexRefSetAddressMode(image, 1, CU_TR_ADDRESS_MODE_BORDER));
  CHECK_CU(cuTexRefGetAddressMode(&address, image, 1));
  CHECK_EQ(address, CU_TR_ADDRESS_MODE_BORDER);
  CHECK_ERROR(cuTexRefSetAddressMode(image, 3, CU_TR_ADDRESS_MODE_CLAMP), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuTexRefSetAddressMode(image, 0, static_cast<CUaddress_mode>(9)), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuTexRefSetAddressMode(image, 1, CU_TR_ADDRESS_MODE_CLAMP));
  CHECK_CU(cuTexRefSetFilterMode(image, CU_TR_FILTER_MODE_LINEAR));
  CHECK_CU(cuTexRefGetFilterMode(&filter, image));
  CHECK_EQ(filter, CU_TR_FILTER_MODE_LINEAR);
  CHECK_CU(cuTexRefSetMipmapFilterMode(image, CU_TR_FILTER_MODE_LINEAR));
  CHECK_CU(cuTexRefGetMipmapFilterMode(&filter, image));
  CHECK_EQ(filter, CU_TR_FILTER_MODE_LINEAR);
  CHECK_CU(cuTexRefSetMipmapLevelBias(image, 0.5f));
  CHECK_CU(cuTexRefGetMipmapLevelBias(&bias, image));
  CHECK_EQ(bias, 0.5f);
  CHECK_CU(cuTexRefSetMipmapLevelClamp(image, 1, 2));
  CHECK_CU(cuTexRefGetMipmapLevelClamp(&low, &high, image));
  CHECK_EQ(low + high, 3.0f);
  CHECK_CU(cuTexRefSetMaxAnisotropy(image, 4));
  CHECK_CU(cuTexRefGetMaxAnisotropy(&anisotropy, image));
  CHECK_EQ(anisotropy, 4);
  CHECK_CU(cuTexRefSetBorderColor(image, border));
  CHECK_CU(cuTexRefGetBorderColor(border_back, image));
  CHECK_EQ(border_back[2], 3.0f);
  CHECK_ERROR(cuTexRefSetBorderColor(image, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuTexRefSetFlags(image, CU_TRSF_READ_AS_INTEGER));
  CHECK_CU(cuTexRefGetFlags(&flags, image));
  CHECK_EQ(flags, unsigned(CU_TRSF_READ_AS_INTEGER));
  CHECK_ERROR(cuTexRefSetFlags(image, 0x8000), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuTexRefSetFormat(image, CU_AD_FORMAT_FLOAT, 1));
  CHECK_CU(cuTexRefGetFormat(&format, &channels, image));
  CHECK_EQ(format, CU_AD_FORMAT_FLOAT);
  CHECK_EQ(channels, 1);
  CHECK_ERROR(cuTexRefSetFormat(image, CU_AD_FORMAT_FLOAT, 3), CUDA_ERROR_INVALID_VALUE);
}

int main(int, char **argv) {
  CUdevice device;
  CUcontext context;
  CHECK_CU(cuInit(0));
  CHECK_CU(cuDeviceGet(&device, 0));
  CHECK_CU(cuCtxCreate(&context, 0, device));
  CHECK_CU(cuModuleLoad(&module, argv[1]));
  CHECK_CU(cuMemAlloc(&out, sizeof results));
  CUtexref image = nullptr, numbers = nullptr, none = nullptr;
  CHECK_CU(cuModuleGetTexRef(&image, module, "image"));
  CHECK_CU(cuModuleGetTexRef(&numbers, module, "numbers"));
  CHECK_ERROR(cuModuleGetTexRef(&none, module, "nothing"), CUDA_ERROR_NOT_FOUND);
  CHECK_ERROR(cuModuleGetTexRef(nullptr, module, "image"), CUDA_ERROR_INVALID_VALUE);
  check_settings(image);

  const float texels[2][4] = {{0, 1, 2, 3}, {10, 11, 12, 13}};
  CUDA_ARRAY_DESCRIPTOR d = {4, 2, CU_AD_FORMAT_FLOAT, 1};
  CUarray array, array_back = nullptr;
  CHECK_CU(cuArrayCreate(&array, &d));
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = texels;
  copy.srcPitch = copy.WidthInBytes = sizeof texels[0];
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  copy.Height = 2;
  CHECK_CU(cuMemcpy2D(&copy));
  CHECK_ERROR(cuTexRefGetArray(&array_back, image), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuTexRefSetArray(image, array, CU_TRSA_OVERRIDE_FORMAT));
  CHECK_CU(cuTexRefGetArray(&array_back, image));
  CHECK_EQ(array_back, array);
  CHECK_ERROR(cuTexRefSetArray(image, nullptr, CU_TRSA_OVERRIDE_FORMAT), CUDA_ERROR_INVALID_HANDLE);
  run("fetch");
  for (int i = 0; i < 8; ++i) CHECK_EQ(results[i], i < 6 ? i * 0.5f : 3.0f);
  CHECK_CU(cuTexRefSetFilterMode(image, CU_TR_FILTER_MODE_POINT));
  run("fetch");
  for (int i = 0; i < 8; ++i) CHECK_EQ(results[i], i < 6 ? float((i + 1) / 2) : 3.0f);

  CUmipmappedArray mipmap, mipmap_back = nullptr;
  CUDA_ARRAY3D_DESCRIPTOR levels = {4, 2, 0, CU_AD_FORMAT_FLOAT, 1, 0};
  CHECK_CU(cuMipmappedArrayCreate(&mipmap, &levels, 2));
  CHECK_ERROR(cuTexRefGetMipmappedArray(&mipmap_back, image), CUDA_ERROR_INVALID_VALUE);  // it is bound to an array
  CHECK_CU(cuTexRefSetMipmappedArray(image, mipmap, CU_TRSA_OVERRIDE_FORMAT));
  CHECK_CU(cuTexRefGetMipmappedArray(&mipmap_back, image));
  CHECK_EQ(mipmap_back, mipmap);
  CHECK_ERROR(cuTexRefGetMipmappedArray(nullptr, image), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuTexRefSetMipmappedArray(image, nullptr, CU_TRSA_OVERRIDE_FORMAT), CUDA_ERROR_INVALID_HANDLE);
  CHECK_ERROR(cuTexRefSetMipmappedArray(image, mipmap, 99), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuTexRefSetArray(image, array, CU_TRSA_OVERRIDE_FORMAT));
  CHECK_CU(cuMipmappedArrayDestroy(mipmap));

  CUdeviceptr memory, memory_back;
  size_t offset = 9;
  const int values[] = {5, 6, 7, 8, 9};
  CHECK_CU(cuMemAlloc(&memory, 4096));
  CHECK_CU(cuMemcpyHtoD(memory + 512, values, sizeof values));
  CHECK_CU(cuTexRefSetFlags(numbers, CU_TRSF_READ_AS_INTEGER));
  CHECK_CU(cuTexRefSetFormat(numbers, CU_AD_FORMAT_SIGNED_INT32, 1));
  CHECK_CU(cuTexRefSetAddress(nullptr, numbers, memory + 512, sizeof values));
  CHECK_CU(cuTexRefGetAddress(&memory_back, numbers));
  CHECK_EQ(memory_back, memory + 512);
  run("fetch_numbers");
  for (int i = 0; i < 8; ++i) CHECK_EQ(results[i], i < 5 ? float(values[i]) : 0.0f);
  CHECK_ERROR(cuTexRefSetAddress(nullptr, numbers, memory + 516, 4), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuTexRefSetAddress(&offset, numbers, memory + 516, 4));
  CHECK_EQ(offset, 4u);
  CHECK_CU(cuMemcpyHtoD(memory, texels, sizeof texels[0]));
  d.Height = 1;
  CHECK_CU(cuTexRefSetAddress2D(image, &d, memory, 64));
  run("fetch");
  CHECK_EQ(results[3], 2.0f);
  CHECK_ERROR(cuTexRefSetAddress2D(image, &d, memory, 12), CUDA_ERROR_INVALID_VALUE);

  CHECK_CU(cuTexRefCreate(&none));
  CHECK_CU(cuTexRefSetArray(none, array, CU_TRSA_OVERRIDE_FORMAT));
  CHECK_CU(cuTexRefDestroy(none));
  CHECK_ERROR(cuTexRefDestroy(none), CUDA_ERROR_INVALID_HANDLE);
  CHECK_ERROR(cuTexRefSetFlags(nullptr, 0), CUDA_ERROR_INVALID_HANDLE);
  return check_report();
}
#endif
