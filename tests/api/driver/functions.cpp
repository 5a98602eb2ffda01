// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of modules and kernels of libraries: names, parameters, attributes, occupancy, launches.
// RUN: %mcc -fatbin %S/Inputs/functions.cu -o %t.fatbin && %mcc -Wno-deprecated-declarations %s -o %t
// RUN: %run %t %t.fatbin
// RUN: env CUDA_MODULE_LOADING=EAGER %run %t %t.fatbin
// covers: C-3.3-01 M-3.2.17-02 M-3.2.17-03 C-4.8-01 C-5.2.4.1-01
#include "check.h"

#include <cuda.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <vector>

static std::vector<char> image;
static CUmodule module;
static CUfunction scale, narrow, with_shared;
static const CUfunction kForeign = (CUfunction)0x1234;

static void modules() {
  CUmodule again = nullptr, none = nullptr;
  CUmoduleLoadingMode mode = (CUmoduleLoadingMode)0;
  CHECK_CU(cuModuleLoadFatBinary(&module, image.data()));
  CHECK_ERROR(cuModuleLoadFatBinary(nullptr, image.data()), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuModuleLoadFatBinary(&none, nullptr), CUDA_ERROR_INVALID_VALUE);
  std::vector<char> garbage(4096, 0x5a);
  CHECK_ERROR(cuModuleLoadFatBinary(&none, garbage.data()), CUDA_ERROR_INVALID_IMAGE);
  CHECK(none == nullptr);
  unsigned count = 0;
  CUfunction all[4] = {};
  CHECK_CU(cuModuleGetFunctionCount(&count, module));
  CHECK_EQ(count, 3u);
  CHECK_CU(cuModuleEnumerateFunctions(all, 3, module));
  CHECK(all[0] != nullptr && all[2] != nullptr && all[0] != all[1] && all[3] == nullptr);
  CHECK_ERROR(cuModuleGetFunctionCount(nullptr, module), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuModuleEnumerateFunctions(nullptr, 3, module), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuModuleGetFunctionCount(&count, nullptr), CUDA_ERROR_INVALID_HANDLE);
  CHECK_OWN_ERROR(cuModuleEnumerateFunctions(all, 3, nullptr), CUDA_ERROR_INVALID_HANDLE);
  CHECK_CU(cuModuleGetFunction(&scale, module, "scale"));
  CHECK_CU(cuModuleGetFunction(&narrow, module, "narrow"));
  CHECK_CU(cuModuleGetFunction(&with_shared, module, "with_shared"));

  CHECK_CU(cuModuleGetLoadingMode(&mode));
  const char *wanted = getenv("CUDA_MODULE_LOADING");
  CHECK_EQ(mode, wanted == nullptr ? CU_MODULE_LAZY_LOADING : CU_MODULE_EAGER_LOADING);
  CHECK_OWN_ERROR(cuModuleGetLoadingMode(nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuFuncGetModule(&again, narrow));
  CHECK_EQ(again, module);
  CHECK_ERROR(cuFuncGetModule(nullptr, narrow), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuFuncGetModule(&again, kForeign), CUDA_ERROR_INVALID_HANDLE);
}

static void names_and_parameters() {
  const char *name = nullptr;
  size_t offset = 0, bytes = 0;
  CHECK_CU(cuFuncGetName(&name, scale));
  CHECK(strcmp(name, "scale") == 0);
  CHECK_ERROR(cuFuncGetName(nullptr, scale), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuFuncGetName(&name, kForeign), CUDA_ERROR_INVALID_HANDLE);
  const size_t offsets[] = {0, 8, 16}, sizes[] = {8, 1, 8};
  for (size_t i = 0; i < 3; i++) {
    CHECK_CU(cuFuncGetParamInfo(scale, i, &offset, &bytes));
    CHECK(offset == offsets[i] && bytes == sizes[i]);
  }
  CHECK_CU(cuFuncGetParamInfo(scale, 0, &offset, nullptr));
  CHECK_ERROR(cuFuncGetParamInfo(scale, 3, &offset, &bytes), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuFuncGetParamInfo(scale, 0, nullptr, &bytes), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuFuncGetParamInfo(kForeign, 0, &offset, &bytes), CUDA_ERROR_INVALID_HANDLE);
  CUfunctionLoadingState state = CU_FUNCTION_LOADING_STATE_UNLOADED;
  CHECK_CU(cuFuncLoad(scale));
  CHECK_CU(cuFuncIsLoaded(&state, scale));
  CHECK_EQ(state, CU_FUNCTION_LOADING_STATE_LOADED);
  CHECK_ERROR(cuFuncIsLoaded(nullptr, scale), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuFuncIsLoaded(&state, kForeign), CUDA_ERROR_INVALID_HANDLE);
  CHECK_OWN_ERROR(cuFuncLoad(kForeign), CUDA_ERROR_INVALID_HANDLE);
}

static void attributes() {
  int value = 0;
  CHECK_CU(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, narrow));
  CHECK_EQ(value, 64);
  CHECK_CU(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, with_shared));
  CHECK_EQ(value, 1024);
  CHECK_ERROR(cuFuncGetAttribute(nullptr, CU_FUNC_ATTRIBUTE_NUM_REGS, narrow), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuFuncGetAttribute(&value, (CUfunction_attribute)999, narrow), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, kForeign), CUDA_ERROR_INVALID_HANDLE);
  CHECK_CU(cuFuncSetAttribute(with_shared, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 100 << 10));
  CHECK_CU(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, with_shared));
  CHECK_EQ(value, 100 << 10);
  CHECK_ERROR(cuFuncSetAttribute(with_shared, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 24),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuFuncSetAttribute(with_shared, CU_FUNC_ATTRIBUTE_NUM_REGS, 3), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuFuncSetAttribute(with_shared, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 101),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuFuncSetAttribute(kForeign, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 50),
                  CUDA_ERROR_INVALID_HANDLE);
  CHECK_CU(cuFuncSetCacheConfig(narrow, CU_FUNC_CACHE_PREFER_SHARED));
  CHECK_ERROR(cuFuncSetCacheConfig(narrow, (CUfunc_cache)9), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuFuncSetCacheConfig(kForeign, CU_FUNC_CACHE_PREFER_SHARED), CUDA_ERROR_INVALID_HANDLE);
  CHECK_CU(cuFuncSetSharedMemConfig(narrow, CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE));
  CHECK_ERROR(cuFuncSetSharedMemConfig(narrow, (CUsharedconfig)9), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuFuncSetSharedMemConfig(kForeign, CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE),
                  CUDA_ERROR_INVALID_HANDLE);
}

static size_t eight_a_thread(int block) { return 8 * static_cast<size_t>(block); }

static void occupancy() {
  int blocks = 0, same = 0, grid = 0, block = 0, per_multiprocessor = 0, processors = 0;
  size_t bytes = 0;
  CHECK_CU(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, narrow, 64, 0));
  CHECK_CU(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&same, narrow, 64, 0,
                                                                CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE));
  CHECK(blocks > 0 && same == blocks);
  CHECK_CU(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, with_shared, 256, 90 << 10));
  CHECK(blocks >= 1 && blocks <= 2);
  CHECK_ERROR(cuOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, narrow, 64, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, narrow, 0, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kForeign, 64, 0), CUDA_ERROR_INVALID_HANDLE);
  CHECK_ERROR(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, narrow, 64, 0, 7),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuDeviceGetAttribute(&processors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
  CHECK_CU(cuOccupancyMaxPotentialBlockSize(&grid, &block, narrow, nullptr, 0, 0));
  CHECK(block > 0 && block <= 64 && grid % processors == 0);
  CHECK_CU(cuOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, with_shared, eight_a_thread, 0, 128, 0));
  CHECK(block > 0 && block <= 128);
  CHECK_CU(cuOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, with_shared, block, eight_a_thread(block)));
  CHECK_EQ(grid, per_multiprocessor * processors);
  CHECK_ERROR(cuOccupancyMaxPotentialBlockSize(nullptr, &block, narrow, nullptr, 0, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuOccupancyMaxPotentialBlockSize(&grid, nullptr, narrow, nullptr, 0, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuOccupancyMaxPotentialBlockSize(&grid, &block, kForeign, nullptr, 0, 0), CUDA_ERROR_INVALID_HANDLE);
  CHECK_ERROR(cuOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, narrow, nullptr, 0, 0, 7),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuOccupancyAvailableDynamicSMemPerBlock(&bytes, with_shared, 2, 256));
  CHECK(bytes > 48 << 10);
  CHECK_CU(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, with_shared, 256, bytes));
  CHECK(blocks >= 2);
  CHECK_OWN_ERROR(cuOccupancyAvailableDynamicSMemPerBlock(nullptr, with_shared, 2, 256), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuOccupancyAvailableDynamicSMemPerBlock(&bytes, with_shared, 2, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuOccupancyAvailableDynamicSMemPerBlock(&bytes, with_shared, 1000, 256), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuOccupancyAvailableDynamicSMemPerBlock(&bytes, kForeign, 2, 256), CUDA_ERROR_INVALID_HANDLE);

  CUlaunchAttribute cluster = {};
  cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  cluster.value.clusterDim.x = 2;
  cluster.value.clusterDim.y = cluster.value.clusterDim.z = 1;
  CUlaunchConfig config = {16, 1, 1, 64, 1, 1, 0, nullptr, &cluster, 1};
  int size = 0, clusters = 0;
  CHECK_CU(cuOccupancyMaxPotentialClusterSize(&size, narrow, &config));
  CHECK(size >= 8);
  CHECK_CU(cuOccupancyMaxActiveClusters(&clusters, narrow, &config));
  CHECK(clusters >= 1);
  CHECK_ERROR(cuOccupancyMaxPotentialClusterSize(nullptr, narrow, &config), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuOccupancyMaxPotentialClusterSize(&size, narrow, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuOccupancyMaxPotentialClusterSize(&size, kForeign, &config), CUDA_ERROR_INVALID_HANDLE);
  CHECK_ERROR(cuOccupancyMaxActiveClusters(nullptr, narrow, &config), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuOccupancyMaxActiveClusters(&clusters, narrow, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuOccupancyMaxActiveClusters(&clusters, kForeign, &config), CUDA_ERROR_INVALID_HANDLE);
  cluster.value.clusterDim.x = 5;  // does not divide the grid
  CHECK_OWN_ERROR(cuOccupancyMaxActiveClusters(&clusters, narrow, &config), CUDA_ERROR_INVALID_CLUSTER_SIZE);
}

static void launches() {
  CUdeviceptr memory;
  int value = 0;
  CHECK_CU(cuMemAlloc(&memory, 1024));
  CHECK_CU(cuMemsetD32(memory, 10, 1));
  char by = 3;
  double offset = 2.5;
  void *parameters[] = {&memory, &by, &offset}, *one[] = {&memory};
  CUlaunchConfig config = {1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, 0};
  CHECK_CU(cuLaunchKernelEx(&config, scale, parameters, nullptr));
  CHECK_CU(cuMemcpyDtoH(&value, memory, 4));
  CHECK_EQ(value, 32);
  CHECK_CU(cuLaunchCooperativeKernel(narrow, 2, 1, 1, 32, 1, 1, 0, nullptr, one));
  CHECK_CU(cuMemcpyDtoH(&value, memory, 4));
  CHECK_EQ(value, 96);
  CHECK_ERROR(cuLaunchKernelEx(nullptr, scale, parameters, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuLaunchKernelEx(&config, kForeign, parameters, nullptr), CUDA_ERROR_INVALID_HANDLE);
  CHECK_OWN_ERROR(cuLaunchKernelEx(&config, scale, nullptr, nullptr), CUDA_ERROR_INVALID_VALUE);
  config.numAttrs = 1;
  CHECK_OWN_ERROR(cuLaunchKernelEx(&config, scale, parameters, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuLaunchCooperativeKernel(narrow, 1 << 20, 1, 1, 32, 1, 1, 0, nullptr, one),
              CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
  CHECK_ERROR(cuLaunchCooperativeKernel(narrow, 0, 1, 1, 32, 1, 1, 0, nullptr, one), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuLaunchCooperativeKernel(narrow, 1, 1, 1, 65, 1, 1, 0, nullptr, one), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuLaunchCooperativeKernel(kForeign, 1, 1, 1, 32, 1, 1, 0, nullptr, one), CUDA_ERROR_INVALID_HANDLE);
  CHECK_CU(cuMemcpyDtoH(&value, memory, 4));
  CHECK_EQ(value, 96);
  CHECK_CU(cuMemFree(memory));
}

static void kernels_of_libraries() {
  CUlibrary library, back = nullptr;
  CUkernel kernel;
  CUfunction function = nullptr;
  CUmodule made = nullptr;
  int value = 0;
  size_t offset = 0, bytes = 0;
  CHECK_CU(cuLibraryLoadData(&library, image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  CHECK_CU(cuLibraryGetKernel(&kernel, library, "narrow"));
  CHECK_CU(cuKernelGetLibrary(&back, kernel));
  CHECK_EQ(back, library);
  CHECK_CU(cuLibraryGetModule(&made, library));
  CHECK_CU(cuKernelGetFunction(&function, kernel));
  CUmodule of_function = nullptr;
  CHECK_CU(cuFuncGetModule(&of_function, function));
  CHECK_EQ(of_function, made);
  CHECK_CU(cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel, 0));
  CHECK_EQ(value, 64);
  CHECK_CU(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 40, kernel, 0));
  CHECK_CU(cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, kernel, 0));
  CHECK_EQ(value, 40);
  CHECK_CU(cuKernelSetCacheConfig(kernel, CU_FUNC_CACHE_PREFER_L1, 0));
  CHECK_CU(cuKernelGetParamInfo(kernel, 0, &offset, &bytes));
  CHECK(offset == 0 && bytes == 8);
  void *unified = nullptr;
  CHECK_OWN_ERROR(cuLibraryGetUnifiedFunction(&unified, library, "narrow"), CUDA_ERROR_NOT_FOUND);

  CHECK_ERROR(cuKernelGetLibrary(nullptr, kernel), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuLibraryGetModule(nullptr, library), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuKernelGetFunction(nullptr, kernel), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuKernelGetAttribute(nullptr, CU_FUNC_ATTRIBUTE_NUM_REGS, kernel, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuKernelGetAttribute(&value, (CUfunction_attribute)999, kernel, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, kernel, 99), CUDA_ERROR_INVALID_DEVICE);
  CHECK_ERROR(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_NUM_REGS, 4, kernel, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 40, kernel, 99),
              CUDA_ERROR_INVALID_DEVICE);
  CHECK_ERROR(cuKernelSetCacheConfig(kernel, (CUfunc_cache)9, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuKernelSetCacheConfig(kernel, CU_FUNC_CACHE_PREFER_L1, 99), CUDA_ERROR_INVALID_DEVICE);
  CHECK_ERROR(cuKernelGetParamInfo(kernel, 1, &offset, &bytes), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuKernelGetParamInfo(kernel, 0, nullptr, &bytes), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuLibraryUnload(library));
  CHECK_OWN_ERROR(cuLibraryGetModule(&made, library), CUDA_ERROR_INVALID_HANDLE);
  CHECK_OWN_ERROR(cuKernelGetFunction(&function, kernel), CUDA_ERROR_INVALID_HANDLE);
  CHECK_OWN_ERROR(cuKernelGetLibrary(&back, kernel), CUDA_ERROR_INVALID_HANDLE);
  CHECK_OWN_ERROR(cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, kernel, 0), CUDA_ERROR_INVALID_HANDLE);
  CHECK_OWN_ERROR(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 1, kernel, 0),
                  CUDA_ERROR_INVALID_HANDLE);
  CHECK_OWN_ERROR(cuKernelSetCacheConfig(kernel, CU_FUNC_CACHE_PREFER_L1, 0), CUDA_ERROR_INVALID_HANDLE);
  CHECK_OWN_ERROR(cuKernelGetParamInfo(kernel, 0, &offset, &bytes), CUDA_ERROR_INVALID_HANDLE);
  CHECK_OWN_ERROR(cuLibraryGetUnifiedFunction(&unified, library, "narrow"), CUDA_ERROR_INVALID_HANDLE);
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 2);
  std::ifstream file(argv[1], std::ios::binary);
  image.assign(std::istreambuf_iterator<char>(file), {});
  CUcontext context;
  CHECK_CU(cuInit(0));
  CHECK_CU(cuCtxCreate(&context, nullptr, 0, 0));
  modules();
  names_and_parameters();
  attributes();
  occupancy();
  launches();
  kernels_of_libraries();
  CHECK_CU(cuModuleUnload(module));
  CHECK_OWN_ERROR(cuFuncLoad(scale), CUDA_ERROR_INVALID_HANDLE);
  CHECK_CU(cuCtxDestroy(context));
  return check_report();
}
