// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reserved addresses, physical memory, mappings and their access.
#include "drivers/cpu/core/driver_test.h"

#include <unistd.h>

#include <vector>

namespace hel::cpu {
namespace {

constexpr size_t kUnit = 2u << 20;

class VirtualMemoryTest : public DriverTest {
protected:
  void SetUp() override {
    DriverTest::SetUp();
    prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    prop.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    access.location = prop.location;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    size_t unit = 0;
    ASSERT_OK(cu.MemGetAllocationGranularity(&unit, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    ASSERT_EQ(unit, kUnit);
  }
  CUmemAllocationProp prop{};
  CUmemAccessDesc access{};
};

TEST_F(VirtualMemoryTest, PiecesMakeOneMemory) {
  CUdeviceptr base = 0;
  CUmemGenericAllocationHandle a = 0, b = 0;
  ASSERT_OK(cu.MemAddressReserve(&base, 4 * kUnit, 0, 0, 0));
  ASSERT_OK(cu.MemCreate(&a, kUnit, &prop, 0));
  ASSERT_OK(cu.MemCreate(&b, 2 * kUnit, &prop, 0));
  EXPECT_OK(cu.MemMap(base, kUnit, 0, a, 0));
  EXPECT_OK(cu.MemMap(base + kUnit, 2 * kUnit, 0, b, 0));
  EXPECT_EQ(cu.MemMap(base + kUnit, kUnit, 0, a, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.MemMap(base + 3 * kUnit, kUnit, kUnit, a, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.MemsetD8(base, 1, 16), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(cu.MemSetAccess(base, 3 * kUnit, &access, 1));
  std::vector<unsigned char> in(3 * kUnit), out(3 * kUnit);
  for (size_t i = 0; i < in.size(); i++) {
    in[i] = static_cast<unsigned char>(i * 7 + i / 1000);
  }
  EXPECT_OK(cu.MemcpyHtoD(base, in.data(), in.size()));
  EXPECT_OK(cu.MemcpyDtoH(out.data(), base, out.size()));
  EXPECT_EQ(in, out);
  EXPECT_EQ(cu.MemcpyDtoH(out.data(), base + kUnit, 2 * kUnit + 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.MemFree(base), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.MemAddressFree(base, 4 * kUnit), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.MemUnmap(base, 2 * kUnit), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(cu.MemUnmap(base, 3 * kUnit));
  EXPECT_EQ(cu.MemcpyDtoH(out.data(), base, 16), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(cu.MemRelease(a));
  EXPECT_EQ(cu.MemRelease(a), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(cu.MemRelease(b));
  EXPECT_OK(cu.MemAddressFree(base, 4 * kUnit));
}

TEST_F(VirtualMemoryTest, OneMemoryAtTwoPlaces) {
  CUdeviceptr first = 0, second = 0;
  CUmemGenericAllocationHandle memory = 0, again = 0;
  ASSERT_OK(cu.MemAddressReserve(&first, kUnit, 0, 0, 0));
  ASSERT_OK(cu.MemAddressReserve(&second, kUnit, 8 * kUnit, 0, 0));
  EXPECT_EQ(second % (8 * kUnit), 0u);
  ASSERT_OK(cu.MemCreate(&memory, kUnit, &prop, 0));
  EXPECT_OK(cu.MemMap(first, kUnit, 0, memory, 0));
  EXPECT_OK(cu.MemRelease(memory));
  EXPECT_EQ(cu.MemMap(second, kUnit, 0, memory, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(cu.MemRetainAllocationHandle(&again, reinterpret_cast<void *>(first + 100)));
  EXPECT_EQ(again, memory);
  EXPECT_OK(cu.MemMap(second, kUnit, 0, again, 0));
  EXPECT_OK(cu.MemSetAccess(first, kUnit, &access, 1));
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READ;
  EXPECT_OK(cu.MemSetAccess(second, kUnit, &access, 1));
  unsigned long long flags = 9;
  EXPECT_OK(cu.MemGetAccess(&flags, &access.location, second));
  EXPECT_EQ(flags, static_cast<unsigned long long>(CU_MEM_ACCESS_FLAGS_PROT_READ));
  EXPECT_OK(cu.MemsetD32(first, 0x12345678, 4));
  EXPECT_EQ(cu.MemsetD32(second, 0, 4), CUDA_ERROR_INVALID_VALUE);
  unsigned value = 0;
  EXPECT_OK(cu.MemcpyDtoH(&value, second + 12, 4));
  EXPECT_EQ(value, 0x12345678u);
  EXPECT_OK(cu.MemUnmap(first, kUnit));
  EXPECT_OK(cu.MemcpyDtoH(&value, second, 4));
  EXPECT_OK(cu.MemUnmap(second, kUnit));
  EXPECT_OK(cu.MemRelease(again));
  EXPECT_OK(cu.MemAddressFree(first, kUnit));
  EXPECT_OK(cu.MemAddressFree(second, kUnit));
}

TEST_F(VirtualMemoryTest, ExportAndImport) {
  CUmemGenericAllocationHandle memory = 0, imported = 0;
  int file = -1;
  ASSERT_OK(cu.MemCreate(&memory, kUnit, &prop, 0));
  EXPECT_OK(cu.MemExportToShareableHandle(&file, memory, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  EXPECT_OK(cu.MemImportFromShareableHandle(&imported, reinterpret_cast<void *>(static_cast<intptr_t>(file)),
                                            CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
  close(file);
  EXPECT_EQ(cu.MemImportFromShareableHandle(&imported, reinterpret_cast<void *>(static_cast<intptr_t>(-1)),
                                            CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_NE(imported, memory);
  EXPECT_OK(cu.MemRelease(memory));
  EXPECT_OK(cu.MemRelease(imported));
}

TEST_F(VirtualMemoryTest, WrongSizesAreRefused) {
  CUdeviceptr base = 0;
  CUmemGenericAllocationHandle memory = 0;
  size_t before = 0, after = 0, total = 0;
  ASSERT_OK(cu.MemGetInfo(&before, &total));
  EXPECT_EQ(cu.MemCreate(&memory, kUnit + 1, &prop, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.MemCreate(&memory, 0, &prop, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.MemCreate(&memory, (total + kUnit) / kUnit * kUnit, &prop, 0), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(cu.MemAddressReserve(&base, 100, 0, 0, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.MemAddressReserve(&base, size_t{1} << 60, 0, 0, 0), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(cu.MemRelease(12345), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(cu.MemCreate(&memory, kUnit, &prop, 0));
  EXPECT_OK(cu.MemGetInfo(&after, &total));
  EXPECT_EQ(before - after, kUnit);
  EXPECT_OK(cu.MemRelease(memory));
  EXPECT_OK(cu.MemGetInfo(&after, &total));
  EXPECT_EQ(before, after);
}

}  // namespace
}  // namespace hel::cpu
