// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules, libraries, launches and occupancy, with the hand-made image of test_image.cpp.
#include "abi/image.h"
#include "drivers/cpu/core/driver_test.h"
#include "drivers/cpu/module/file.h"
#include "drivers/cpu/module/image.h"

#include <cstring>
#include <thread>
#include <vector>

namespace hel::cpu {
namespace {

std::vector<uint8_t> elf_image() {
  Result<std::vector<uint8_t>> bytes = read_file(HEL_TEST_IMAGE);
  return bytes ? bytes.take() : std::vector<uint8_t>();
}

/// A container with one ELF entry for `target`.
std::vector<uint8_t> container(const char *target) {
  std::vector<uint8_t> elf = elf_image();
  abi::ImageHeader header{};
  std::memcpy(header.magic, abi::kImageMagic, sizeof header.magic);
  header.version = abi::kImageVersion;
  header.header_bytes = sizeof header;
  header.entry_count = 1;
  abi::ImageEntry entry{};
  entry.kind = abi::ImageKind::Elf;
  entry.offset = 192;
  entry.bytes = entry.unpacked_bytes = elf.size();
  std::strncpy(entry.target, target, sizeof entry.target - 1);
  header.total_bytes = entry.offset + elf.size();
  std::vector<uint8_t> bytes(header.total_bytes);
  std::memcpy(bytes.data(), &header, sizeof header);
  std::memcpy(bytes.data() + sizeof header, &entry, sizeof entry);
  std::memcpy(bytes.data() + entry.offset, elf.data(), elf.size());
  return bytes;
}

class ModuleTest : public DriverTest {
protected:
  void SetUp() override {
    DriverTest::SetUp();
    image = container("x86-64-v2");
    ASSERT_OK(cu.ModuleLoadData(&module, image.data()));
    ASSERT_OK(cu.ModuleGetFunction(&add, module, "add"));
    ASSERT_OK(cu.ModuleGetFunction(&reverse, module, "reverse"));
    ASSERT_OK(cu.ModuleGetFunction(&store, module, "store"));
    ASSERT_OK(cu.MemAlloc(&data, 4096));
    ASSERT_OK(cu.MemsetD32(data, 0, 1024));
  }
  CUresult launch_add(unsigned grid, unsigned block, unsigned shared = 0) {
    int n = 1000;
    short value = 2;
    void *params[] = {&data, &n, &value};
    return cu.LaunchKernel(add, grid, 1, 1, block, 1, 1, shared, nullptr, params, nullptr);
  }
  int at(size_t i) {
    int value = -1;
    EXPECT_OK(cu.MemcpyDtoH(&value, data + 4 * i, 4));
    return value;
  }

  std::vector<uint8_t> image;
  CUmodule module = nullptr;
  CUfunction add = nullptr, reverse = nullptr, store = nullptr;
  CUdeviceptr data = 0;
};

TEST_F(ModuleTest, LaunchesComputeAndKeepStreamOrder) {
  EXPECT_OK(launch_add(8, 128));
  EXPECT_OK(launch_add(8, 128));
  EXPECT_EQ(at(0), 12);
  EXPECT_EQ(at(999), 12);
  EXPECT_EQ(at(1000), 0);
}

TEST_F(ModuleTest, ParametersAsOneBuffer) {
  struct {
    CUdeviceptr data;
    int n;
    short value;
  } buffer = {data, 10, 5};
  size_t size = 14;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
  EXPECT_OK(cu.LaunchKernel(add, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra));
  EXPECT_EQ(at(9), 15);
  EXPECT_EQ(at(10), 0);
  size = 8;
  EXPECT_EQ(cu.LaunchKernel(add, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.LaunchKernel(add, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(ModuleTest, SharedMemoryAndBarrier) {
  std::vector<int> values(256);
  for (int i = 0; i < 256; i++) {
    values[i] = i;
  }
  EXPECT_OK(cu.MemcpyHtoD(data, values.data(), 1024));
  void *params[] = {&data};
  EXPECT_OK(cu.LaunchKernel(reverse, 1, 1, 1, 256, 1, 1, 1024, nullptr, params, nullptr));
  EXPECT_EQ(at(0), 255);
  EXPECT_EQ(at(255), 0);
}

TEST_F(ModuleTest, WrongLaunchesRunNothing) {
  EXPECT_EQ(launch_add(0, 32), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch_add(1, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch_add(1, 1025), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch_add(1, 32, 49153), CUDA_ERROR_INVALID_VALUE);
  void *params[] = {&data};
  EXPECT_EQ(cu.LaunchKernel(store, 1, 1, 1, 65, 1, 1, 0, nullptr, params, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.LaunchKernel(store, 1, 65536, 1, 1, 1, 1, 0, nullptr, params, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.LaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, params, nullptr), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cu.LaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, reinterpret_cast<CUstream>(store), params, nullptr),
            CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cu.LaunchCooperativeKernel(add, 1 << 20, 1, 1, 1024, 1, 1, 0, nullptr, params),
            CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
  EXPECT_EQ(at(0), 0);
  EXPECT_OK(cu.FuncSetAttribute(add, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 100 << 10));
  EXPECT_OK(launch_add(1, 32, 100 << 10));
  EXPECT_EQ(cu.FuncSetAttribute(add, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 228 << 10),
            CUDA_ERROR_INVALID_VALUE);
}

TEST_F(ModuleTest, GlobalsAreMemory) {
  CUdeviceptr counter = 0, scale = 0, managed = 0;
  size_t bytes = 0;
  EXPECT_OK(cu.ModuleGetGlobal(&counter, &bytes, module, "counter"));
  EXPECT_EQ(bytes, 4u);
  EXPECT_OK(cu.ModuleGetGlobal(&scale, &bytes, module, "scale"));
  EXPECT_EQ(bytes, 16u);
  EXPECT_OK(cu.ModuleGetGlobal(&managed, &bytes, module, "managed_value"));
  EXPECT_EQ(cu.ModuleGetGlobal(&counter, &bytes, module, "nothing"), CUDA_ERROR_NOT_FOUND);
  const int factor = 10;
  EXPECT_OK(cu.MemcpyHtoD(scale + 8, &factor, 4));
  EXPECT_EQ(cu.MemcpyHtoD(scale + 8, image.data(), 12), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(launch_add(1, 32));
  EXPECT_EQ(at(0), 20);
  int value = 0;
  EXPECT_OK(cu.MemcpyDtoH(&value, counter, 4));
  EXPECT_EQ(value, 6);
  EXPECT_EQ(*reinterpret_cast<int *>(managed), 43);
}

TEST_F(ModuleTest, EachLoadHasItsOwnVariables) {
  CUmodule second = nullptr;
  ASSERT_OK(cu.ModuleLoadData(&second, image.data()));
  CUdeviceptr a = 0, b = 0;
  EXPECT_OK(cu.ModuleGetGlobal(&a, nullptr, module, "counter"));
  EXPECT_OK(cu.ModuleGetGlobal(&b, nullptr, second, "counter"));
  EXPECT_NE(a, b);
  EXPECT_OK(cu.ModuleUnload(second));
  EXPECT_EQ(cu.ModuleUnload(second), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cu.MemsetD32(b, 0, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(cu.ModuleUnload(module));
  EXPECT_EQ(launch_add(1, 1), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(ModuleTest, BadImagesAreRefused) {
  CUmodule none = nullptr;
  EXPECT_EQ(cu.ModuleLoadData(&none, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.ModuleLoadData(&none, "hello, this is no image"), CUDA_ERROR_INVALID_IMAGE);
  EXPECT_EQ(cu.ModuleLoad(&none, "/nowhere/at/all.cubin"), CUDA_ERROR_FILE_NOT_FOUND);
  std::vector<uint8_t> other = container("x86-64-v9");
  EXPECT_EQ(cu.ModuleLoadData(&none, other.data()), CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_OK(cu.ModuleLoad(&none, HEL_TEST_IMAGE));
  EXPECT_OK(cu.ModuleUnload(none));
  // Every way to cut it off, and every damaged header byte, ends in an error or in a module; never in a crash.
  for (size_t bytes = 1; bytes < image.size(); bytes += bytes < 512 ? 7 : 997) {
    EXPECT_FALSE(open_image(image.data(), bytes)) << bytes;
  }
  for (size_t i = 0; i < 136; i++) {
    std::vector<uint8_t> damaged = image;
    damaged[i] ^= 0xFF;
    if (Result<ImageSource> source = open_image(damaged.data(), damaged.size())) {
      (void)choose_elf(source.value());
    }
  }
}

TEST_F(ModuleTest, FunctionsDescribeThemselves) {
  unsigned count = 0;
  EXPECT_OK(cu.ModuleGetFunctionCount(&count, module));
  EXPECT_EQ(count, 3u);
  CUfunction functions[3] = {};
  EXPECT_OK(cu.ModuleEnumerateFunctions(functions, 3, module));
  EXPECT_EQ(functions[0], add);
  const char *name = nullptr;
  EXPECT_OK(cu.FuncGetName(&name, reverse));
  EXPECT_STREQ(name, "reverse");
  size_t offset = 0, size = 0;
  EXPECT_OK(cu.FuncGetParamInfo(add, 2, &offset, &size));
  EXPECT_EQ(offset, 12u);
  EXPECT_EQ(size, 2u);
  EXPECT_EQ(cu.FuncGetParamInfo(add, 3, &offset, &size), CUDA_ERROR_INVALID_VALUE);
  int value = 0;
  EXPECT_OK(cu.FuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, store));
  EXPECT_EQ(value, 64);
  EXPECT_EQ(cu.ModuleGetFunction(&store, module, "nothing"), CUDA_ERROR_NOT_FOUND);
}

TEST_F(ModuleTest, OccupancyFollowsTheLimits) {
  int blocks = 0;
  EXPECT_OK(cu.OccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 1024, 0));
  EXPECT_EQ(blocks, 2);
  EXPECT_OK(cu.OccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 32, 0));
  EXPECT_EQ(blocks, 32);
  EXPECT_OK(cu.OccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 128, 100 << 10));
  EXPECT_EQ(blocks, 2);
  EXPECT_OK(cu.OccupancyMaxActiveBlocksPerMultiprocessor(&blocks, store, 128, 0));
  EXPECT_EQ(blocks, 0);
  int grid = 0, block = 0;
  EXPECT_OK(cu.OccupancyMaxPotentialBlockSize(&grid, &block, add, nullptr, 0, 0));
  EXPECT_EQ(block, 1024);
  size_t shared = 0;
  EXPECT_OK(cu.OccupancyAvailableDynamicSMemPerBlock(&shared, add, 2, 256));
  EXPECT_GE(shared, 100u << 10);
  EXPECT_EQ(cu.OccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 0, 0), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(ModuleTest, AFaultSticksToItsContextOnly) {
  CUdeviceptr bad = 64;
  void *params[] = {&bad};
  testing::internal::CaptureStderr();
  EXPECT_OK(cu.LaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, nullptr, params, nullptr));
  EXPECT_EQ(cu.CtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
  std::string report = testing::internal::GetCapturedStderr();
  EXPECT_NE(report.find("store"), std::string::npos) << report;
  EXPECT_EQ(cu.CtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
  CUdeviceptr more = 0;
  EXPECT_EQ(cu.MemAlloc(&more, 4), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(launch_add(1, 1), CUDA_ERROR_ILLEGAL_ADDRESS);
  CUcontext other = nullptr;
  EXPECT_OK(cu.CtxCreate(&other, nullptr, 0, 0));
  EXPECT_OK(cu.MemAlloc(&more, 4));
  EXPECT_OK(cu.CtxDestroy(other));
}

TEST_F(ModuleTest, LibrariesServeEveryContext) {
  CUlibrary library = nullptr;
  CUkernel kernel = nullptr;
  {
    std::vector<uint8_t> gone = image;
    ASSERT_OK(cu.LibraryLoadData(&library, gone.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  }
  EXPECT_OK(cu.LibraryGetKernel(&kernel, library, "add"));
  EXPECT_EQ(cu.LibraryGetKernel(&kernel, library, "nothing"), CUDA_ERROR_NOT_FOUND);
  EXPECT_OK(cu.KernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 64 << 10, kernel, 0));
  CUfunction function = nullptr;
  EXPECT_OK(cu.KernelGetFunction(&function, kernel));
  int value = 0;
  EXPECT_OK(cu.FuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, function));
  EXPECT_EQ(value, 64 << 10);
  int n = 8;
  short add_value = 1;
  void *params[] = {&data, &n, &add_value};
  EXPECT_OK(cu.LaunchKernel(reinterpret_cast<CUfunction>(kernel), 1, 1, 1, 32, 1, 1, 0, nullptr, params, nullptr));
  EXPECT_EQ(at(7), 3);
  CUdeviceptr here = 0, there = 0, counter_here = 0, counter_there = 0;
  EXPECT_OK(cu.LibraryGetManaged(&here, nullptr, library, "managed_value"));
  EXPECT_OK(cu.LibraryGetGlobal(&counter_here, nullptr, library, "counter"));
  EXPECT_EQ(cu.LibraryGetManaged(&there, nullptr, library, "counter"), CUDA_ERROR_NOT_FOUND);
  CUcontext other = nullptr;
  EXPECT_OK(cu.CtxCreate(&other, nullptr, 0, 0));
  EXPECT_OK(cu.LibraryGetManaged(&there, nullptr, library, "managed_value"));
  EXPECT_OK(cu.LibraryGetGlobal(&counter_there, nullptr, library, "counter"));
  EXPECT_EQ(here, there);
  EXPECT_NE(counter_here, counter_there);
  EXPECT_OK(cu.CtxDestroy(other));
  EXPECT_EQ(*reinterpret_cast<int *>(here), 43);
  EXPECT_OK(cu.LibraryUnload(library));
  EXPECT_EQ(cu.LibraryUnload(library), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cu.KernelGetFunction(&function, kernel), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(ModuleTest, ALibraryOutlivesItsContexts) {
  CUlibrary library = nullptr;
  ASSERT_OK(cu.LibraryLoadData(&library, image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  CUdeviceptr counter = 0, again = 0;
  for (int i = 0; i < 3; i++) {
    CUcontext other = nullptr;
    ASSERT_OK(cu.CtxCreate(&other, nullptr, 0, 0));
    EXPECT_OK(cu.LibraryGetGlobal(&counter, nullptr, library, "counter"));
    EXPECT_OK(cu.MemsetD32(counter, 7, 1));
    EXPECT_OK(cu.CtxDestroy(other));
    EXPECT_EQ(cu.MemGetAddressRange(&again, nullptr, counter), CUDA_ERROR_NOT_FOUND);
  }
  EXPECT_OK(cu.LibraryUnload(library));
}

TEST_F(ModuleTest, LaunchAttributes) {
  int n = 4;
  short value = 1;
  void *params[] = {&data, &n, &value};
  CUlaunchAttribute attributes[2] = {};
  attributes[0].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
  attributes[0].value.cooperative = 1;
  attributes[1].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  attributes[1].value.clusterDim.x = 2;
  attributes[1].value.clusterDim.y = 1;
  attributes[1].value.clusterDim.z = 1;
  CUlaunchConfig config{};
  config.gridDimX = 2;
  config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
  config.blockDimX = 32;
  config.attrs = attributes;
  config.numAttrs = 2;
  EXPECT_OK(cu.LaunchKernelEx(&config, add, params, nullptr));
  EXPECT_EQ(at(3), 3);
  config.gridDimX = 3;
  EXPECT_EQ(cu.LaunchKernelEx(&config, add, params, nullptr), CUDA_ERROR_INVALID_CLUSTER_SIZE);
  attributes[1].id = static_cast<CUlaunchAttributeID>(77);
  EXPECT_EQ(cu.LaunchKernelEx(&config, add, params, nullptr), CUDA_ERROR_INVALID_VALUE);
}

}  // namespace
}  // namespace hel::cpu
