// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocation, copies and pointer queries: values, ranges, errors that change nothing.
#include "drivers/cpu/core/driver_test.h"

#include <cstring>
#include <numeric>
#include <vector>

namespace hel::cpu {
namespace {

TEST_F(DriverTest, AllocationsAreAlignedAndCounted) {
  size_t before = 0, after = 0, total = 0;
  ASSERT_OK(cu.MemGetInfo(&before, &total));
  CUdeviceptr small = 0, large = 0;
  EXPECT_OK(cu.MemAlloc(&small, 3));
  EXPECT_OK(cu.MemAlloc(&large, 10 << 20));
  EXPECT_EQ(small % 256, 0u);
  EXPECT_EQ(large % 256, 0u);
  EXPECT_OK(cu.MemGetInfo(&after, &total));
  EXPECT_LE(after, before - (10 << 20));
  EXPECT_OK(cu.MemFree(small));
  EXPECT_OK(cu.MemFree(large));
  EXPECT_OK(cu.MemGetInfo(&after, &total));
  EXPECT_EQ(after, before);
  EXPECT_EQ(cu.MemFree(large), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.MemFree(small), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.MemFree(0x1234), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.MemAlloc(&small, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.MemAlloc(nullptr, 4), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverTest, TooMuchMemoryChangesNothing) {
  size_t before = 0, after = 0, total = 0;
  ASSERT_OK(cu.MemGetInfo(&before, &total));
  CUdeviceptr memory = 42;
  EXPECT_EQ(cu.MemAlloc(&memory, total + 1), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(cu.MemAlloc(&memory, ~size_t{0}), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(memory, 42u);
  EXPECT_OK(cu.MemAlloc(&memory, total / 2));
  CUdeviceptr more = 0;
  EXPECT_EQ(cu.MemAlloc(&more, total / 2 + (1 << 20)), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_OK(cu.MemFree(memory));
  EXPECT_OK(cu.MemGetInfo(&after, &total));
  EXPECT_EQ(after, before);
}

TEST_F(DriverTest, CopiesMoveTheRightBytes) {
  for (size_t bytes : {size_t{1}, size_t{1000}, size_t{70000}, size_t{9 << 20}}) {
    std::vector<unsigned char> in(bytes), out(bytes);
    std::iota(in.begin(), in.end(), static_cast<unsigned char>(bytes));
    CUdeviceptr a = 0, b = 0;
    ASSERT_OK(cu.MemAlloc(&a, bytes));
    ASSERT_OK(cu.MemAlloc(&b, bytes));
    EXPECT_OK(cu.MemcpyHtoD(a, in.data(), bytes));
    EXPECT_OK(cu.MemcpyDtoD(b, a, bytes));
    EXPECT_OK(cu.MemcpyDtoH(out.data(), b, bytes));
    EXPECT_EQ(in, out);
    EXPECT_OK(cu.MemsetD8(b, 0x5A, bytes));
    EXPECT_OK(cu.Memcpy(reinterpret_cast<CUdeviceptr>(out.data()), b, bytes));
    EXPECT_EQ(out[0], 0x5A);
    EXPECT_EQ(out[bytes - 1], 0x5A);
    EXPECT_OK(cu.MemFree(a));
    EXPECT_OK(cu.MemFree(b));
  }
}

TEST_F(DriverTest, CopiesOutOfRangeCopyNothing) {
  for (size_t bytes : {size_t{100}, size_t{300000}}) {
    std::vector<unsigned char> host(bytes * 2, 1);
    CUdeviceptr memory = 0;
    ASSERT_OK(cu.MemAlloc(&memory, bytes));
    ASSERT_OK(cu.MemsetD8(memory, 7, bytes));
    EXPECT_EQ(cu.MemcpyHtoD(memory, host.data(), bytes + 1), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cu.MemcpyHtoD(memory + 1, host.data(), bytes), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cu.MemsetD8(memory, 9, bytes + 1), CUDA_ERROR_INVALID_VALUE);
    EXPECT_OK(cu.MemcpyDtoH(host.data(), memory, bytes));
    EXPECT_EQ(host[0], 7);
    EXPECT_EQ(host[bytes - 1], 7);
    EXPECT_EQ(cu.MemcpyDtoH(nullptr, memory, 4), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cu.MemcpyDtoH(reinterpret_cast<void *>(0x10000), memory, 4), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cu.MemcpyHtoD(0, host.data(), 4), CUDA_ERROR_INVALID_VALUE);
    EXPECT_OK(cu.MemFree(memory));
    EXPECT_EQ(cu.MemcpyHtoD(memory, host.data(), 4), CUDA_ERROR_INVALID_VALUE);
  }
}

TEST_F(DriverTest, AnyMemoryOfTheProcessWillDo) {
  std::vector<int> a(1000, 1), b(1000, 2);
  EXPECT_OK(cu.MemcpyDtoD(reinterpret_cast<CUdeviceptr>(a.data()), reinterpret_cast<CUdeviceptr>(b.data()), 4000));
  EXPECT_EQ(a[999], 2);
  EXPECT_OK(cu.MemsetD32(reinterpret_cast<CUdeviceptr>(a.data()), 9, 1000));
  EXPECT_EQ(a[999], 9);
  CUdeviceptr managed = 0;
  ASSERT_OK(cu.MemAllocManaged(&managed, 4000, CU_MEM_ATTACH_GLOBAL));
  EXPECT_OK(cu.MemcpyDtoH(reinterpret_cast<void *>(managed), reinterpret_cast<CUdeviceptr>(a.data()), 4000));
  EXPECT_EQ(reinterpret_cast<int *>(managed)[999], 9);
}

TEST_F(DriverTest, PitchedCopies) {
  constexpr size_t kWidth = 100, kHeight = 37;
  CUdeviceptr memory = 0;
  size_t pitch = 0;
  ASSERT_OK(cu.MemAllocPitch(&memory, &pitch, kWidth, kHeight, 4));
  EXPECT_GE(pitch, kWidth);
  EXPECT_EQ(pitch % 256, 0u);
  std::vector<unsigned char> in(kWidth * kHeight), out(kWidth * kHeight);
  std::iota(in.begin(), in.end(), 0);
  CUDA_MEMCPY2D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = in.data();
  copy.srcPitch = kWidth;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = memory;
  copy.dstPitch = pitch;
  copy.WidthInBytes = kWidth;
  copy.Height = kHeight;
  EXPECT_OK(cu.Memcpy2D(&copy));
  CUDA_MEMCPY2D back{};
  back.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  back.srcDevice = memory;
  back.srcPitch = pitch;
  back.dstMemoryType = CU_MEMORYTYPE_HOST;
  back.dstHost = out.data();
  back.dstPitch = kWidth;
  back.WidthInBytes = kWidth;
  back.Height = kHeight;
  EXPECT_OK(cu.Memcpy2D(&back));
  EXPECT_EQ(in, out);
  back.srcPitch = kWidth - 1;
  EXPECT_EQ(cu.Memcpy2D(&back), CUDA_ERROR_INVALID_VALUE);
  copy.Height = kHeight + 1;
  copy.srcPitch = 0;
  EXPECT_EQ(cu.Memcpy2D(&copy), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(cu.MemsetD2D8(memory, pitch, 3, 10, kHeight));
  back.srcPitch = pitch;
  EXPECT_OK(cu.Memcpy2D(&back));
  EXPECT_EQ(out[9], 3);
  EXPECT_EQ(out[10], in[10]);
}

TEST_F(DriverTest, ArraysHoldWhatWasCopied) {
  CUDA_ARRAY3D_DESCRIPTOR d{};
  d.Width = 16;
  d.Height = 8;
  d.Depth = 4;
  d.Format = CU_AD_FORMAT_FLOAT;
  d.NumChannels = 1;
  CUarray array = nullptr;
  ASSERT_OK(cu.Array3DCreate(&array, &d));
  std::vector<float> in(16 * 8 * 4), out(in.size());
  std::iota(in.begin(), in.end(), 0.0f);
  CUDA_MEMCPY3D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = in.data();
  copy.srcPitch = 16 * 4;
  copy.srcHeight = 8;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  copy.WidthInBytes = 16 * 4;
  copy.Height = 8;
  copy.Depth = 4;
  EXPECT_OK(cu.Memcpy3D(&copy));
  std::swap(copy.srcMemoryType, copy.dstMemoryType);
  copy.srcArray = array;
  copy.dstHost = out.data();
  copy.dstPitch = 16 * 4;
  copy.dstHeight = 8;
  EXPECT_OK(cu.Memcpy3D(&copy));
  EXPECT_EQ(in, out);
  copy.srcZ = 1;
  EXPECT_EQ(cu.Memcpy3D(&copy), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(cu.ArrayDestroy(array));
  EXPECT_EQ(cu.ArrayDestroy(array), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(DriverTest, PointersTellTheirOrigin) {
  CUdeviceptr device = 0, managed = 0;
  void *host = nullptr;
  static int registered[1000];
  ASSERT_OK(cu.MemAlloc(&device, 1000));
  ASSERT_OK(cu.MemAllocManaged(&managed, 1000, CU_MEM_ATTACH_GLOBAL));
  ASSERT_OK(cu.MemAllocHost(&host, 1000));
  ASSERT_OK(cu.MemHostRegister(registered, sizeof registered, 0));
  EXPECT_EQ(cu.MemHostRegister(registered, 4, 0), CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  auto type = [&](CUdeviceptr p) {
    unsigned value = 99;
    return cu.PointerGetAttribute(&value, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p) == CUDA_SUCCESS ? value : 0;
  };
  EXPECT_EQ(type(device + 999), static_cast<unsigned>(CU_MEMORYTYPE_DEVICE));
  EXPECT_EQ(type(device + 1000), 0u);
  EXPECT_EQ(type(managed), static_cast<unsigned>(CU_MEMORYTYPE_DEVICE));
  EXPECT_EQ(type(reinterpret_cast<CUdeviceptr>(host)), static_cast<unsigned>(CU_MEMORYTYPE_HOST));
  EXPECT_EQ(type(reinterpret_cast<CUdeviceptr>(&registered[3])), static_cast<unsigned>(CU_MEMORYTYPE_HOST));
  EXPECT_EQ(type(reinterpret_cast<CUdeviceptr>(&device)), 0u);
  CUdeviceptr base = 0;
  size_t size = 0;
  EXPECT_OK(cu.MemGetAddressRange(&base, &size, device + 10));
  EXPECT_EQ(base, device);
  EXPECT_EQ(size, 1000u);
  EXPECT_EQ(cu.MemFree(reinterpret_cast<CUdeviceptr>(host)), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(cu.MemFreeHost(host));
  EXPECT_EQ(cu.MemFreeHost(host), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(cu.MemHostUnregister(registered));
  EXPECT_EQ(cu.MemHostUnregister(registered), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
  std::memset(reinterpret_cast<void *>(managed), 1, 1000);
  EXPECT_OK(cu.MemFree(managed));
}

TEST_F(DriverTest, AdviceIsRememberedByPage) {
  constexpr size_t kBytes = 4 * 4096;
  CUdeviceptr memory = 0;
  ASSERT_OK(cu.MemAllocManaged(&memory, kBytes, CU_MEM_ATTACH_GLOBAL));
  CUmemLocation device{};
  device.type = CU_MEM_LOCATION_TYPE_DEVICE;
  int value = -5;
  auto ask = [&](CUmem_range_attribute which, size_t offset, size_t bytes) {
    EXPECT_OK(cu.MemRangeGetAttribute(&value, sizeof value, which, memory + offset, bytes));
    return value;
  };
  EXPECT_OK(cu.MemAdvise(memory, 4096, CU_MEM_ADVISE_SET_READ_MOSTLY, device));
  EXPECT_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, 0, 4096), 1);
  EXPECT_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, 0, kBytes), 0);
  EXPECT_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, 0, kBytes), CU_DEVICE_INVALID);
  EXPECT_OK(cu.MemAdvise(memory, kBytes, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, device));
  EXPECT_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, 0, kBytes), 0);
  EXPECT_OK(cu.MemPrefetchAsync(memory, kBytes, device, 0, nullptr));
  EXPECT_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, 4096, 4096), 0);
  int accessed[2] = {7, 7};
  EXPECT_OK(cu.MemAdvise(memory, kBytes, CU_MEM_ADVISE_SET_ACCESSED_BY, device));
  EXPECT_OK(cu.MemRangeGetAttribute(accessed, sizeof accessed, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, memory, kBytes));
  EXPECT_EQ(accessed[0], 0);
  EXPECT_EQ(accessed[1], CU_DEVICE_INVALID);
  EXPECT_EQ(cu.MemAdvise(memory, kBytes + 1, CU_MEM_ADVISE_SET_READ_MOSTLY, device), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(cu.MemFree(memory));
  CUdeviceptr plain = 0;
  ASSERT_OK(cu.MemAlloc(&plain, 4096));
  EXPECT_EQ(cu.MemPrefetchAsync(plain, 4096, device, 0, nullptr), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverTest, StreamOrderedMemory) {
  CUstream stream = nullptr;
  ASSERT_OK(cu.StreamCreate(&stream, 0));
  CUdeviceptr memory = 0;
  EXPECT_OK(cu.MemAllocAsync(&memory, 1 << 20, stream));
  EXPECT_OK(cu.MemsetD32Async(memory, 0x01020304, (1 << 20) / 4, stream));
  unsigned last = 0;
  EXPECT_OK(cu.MemcpyDtoHAsync(&last, memory + (1 << 20) - 4, 4, stream));
  EXPECT_OK(cu.MemFreeAsync(memory, stream));
  EXPECT_EQ(cu.MemFreeAsync(memory, stream), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(cu.StreamSynchronize(stream));
  EXPECT_EQ(last, 0x01020304u);
  CUmemoryPool pool = nullptr;
  EXPECT_OK(cu.DeviceGetDefaultMemPool(&pool, 0));
  cuuint64_t value = 1ull << 30;
  EXPECT_OK(cu.MemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &value));
  EXPECT_OK(cu.MemAllocAsync(&memory, 1 << 20, stream));
  EXPECT_OK(cu.MemFreeAsync(memory, stream));
  EXPECT_OK(cu.StreamSynchronize(stream));
  EXPECT_OK(cu.MemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &value));
  EXPECT_EQ(value, 1u << 20);
  CUdeviceptr again = 0;
  EXPECT_OK(cu.MemAllocAsync(&again, 1 << 20, stream));
  EXPECT_EQ(again, memory);
  EXPECT_OK(cu.MemFree(again));
  EXPECT_OK(cu.MemPoolTrimTo(pool, 0));
  EXPECT_OK(cu.MemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &value));
  EXPECT_EQ(value, 0u);
  value = 0;
  EXPECT_OK(cu.MemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &value));
}

}  // namespace
}  // namespace hel::cpu
