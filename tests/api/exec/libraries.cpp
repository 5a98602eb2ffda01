// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Libraries by the runtime API: code that the program loads by itself, its kernels and variables; and questions about
// kernels that the occupancy functions answer.
// RUN: %mcc -fatbin %source/tests/api/driver/Inputs/functions.cu -o %t.fatbin
// RUN: %mcc -Wno-deprecated-declarations %s -o %t && %run %t %t.fatbin
// covers: C-3.4-01 C-2.3.7-01
#include "check.h"

#include <cuda_runtime.h>

#include <fstream>
#include <iterator>
#include <vector>

static std::vector<char> image;

static cudaLibrary_t load() {
  cudaLibrary_t library = nullptr;
  CHECK_CUDA(cudaLibraryLoadData(&library, image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  return library;
}

static void loading(const char *path) {
  cudaLibrary_t library = nullptr, none = nullptr;
  CHECK_CUDA(cudaLibraryLoadFromFile(&library, path, nullptr, nullptr, 0, nullptr, nullptr, 0));
  unsigned count = 0;
  cudaKernel_t all[3] = {};
  CHECK_CUDA(cudaLibraryGetKernelCount(&count, library));
  CHECK_EQ(count, 3u);
  CHECK_CUDA(cudaLibraryEnumerateKernels(all, 3, library));
  CHECK(all[0] != nullptr && all[2] != nullptr && all[0] != all[1]);
  CHECK_ERROR(cudaLibraryGetKernelCount(nullptr, library), cudaErrorInvalidValue);
  CHECK_ERROR(cudaLibraryEnumerateKernels(nullptr, 3, library), cudaErrorInvalidValue);
  CHECK_CUDA(cudaLibraryUnload(library));
  CHECK_OWN_ERROR(cudaLibraryUnload(library), cudaErrorInvalidResourceHandle);
  CHECK_OWN_ERROR(cudaLibraryGetKernelCount(&count, library), cudaErrorInvalidResourceHandle);
  CHECK_OWN_ERROR(cudaLibraryEnumerateKernels(all, 3, library), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaLibraryLoadFromFile(&none, "/nowhere", nullptr, nullptr, 0, nullptr, nullptr, 0),
              cudaErrorFileNotFound);
  CHECK_ERROR(cudaLibraryLoadFromFile(nullptr, path, nullptr, nullptr, 0, nullptr, nullptr, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaLibraryLoadFromFile(&none, nullptr, nullptr, nullptr, 0, nullptr, nullptr, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaLibraryLoadData(nullptr, image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
              cudaErrorInvalidValue);
  CHECK_ERROR(cudaLibraryLoadData(&none, nullptr, nullptr, nullptr, 0, nullptr, nullptr, 0), cudaErrorInvalidValue);
  std::vector<char> garbage(4096, 0x5a);
  if (check::is_own_driver()) {  // others may look at the image later
    CHECK_ERROR(cudaLibraryLoadData(&none, garbage.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
                cudaErrorInvalidKernelImage);
    CHECK(none == nullptr);
  }
}

static void kernels_and_variables() {
  cudaLibrary_t library = load();
  cudaKernel_t kernel = nullptr, none = nullptr;
  CHECK_CUDA(cudaLibraryGetKernel(&kernel, library, "narrow"));
  CHECK_ERROR(cudaLibraryGetKernel(&none, library, "missing"), cudaErrorSymbolNotFound);
  CHECK_ERROR(cudaLibraryGetKernel(nullptr, library, "narrow"), cudaErrorInvalidValue);
  CHECK_ERROR(cudaLibraryGetKernel(&none, library, nullptr), cudaErrorInvalidValue);
  int *counter = nullptr, *shared = nullptr, value = 0;
  size_t bytes = 0;
  CHECK_CUDA(cudaLibraryGetGlobal((void **)&counter, &bytes, library, "counter"));
  CHECK_EQ(bytes, sizeof(int));
  void *parameters[] = {&counter};
  CHECK_CUDA(cudaLaunchKernel((const void *)kernel, dim3(1), dim3(64), parameters, 0, nullptr));
  CHECK_CUDA(cudaMemcpy(&value, counter, 4, cudaMemcpyDeviceToHost));
  CHECK_EQ(value, 67);
  CHECK_CUDA(cudaLibraryGetManaged((void **)&shared, &bytes, library, "shared_by_all"));
  CHECK_EQ(*shared, 4);
  CHECK_ERROR(cudaLibraryGetGlobal((void **)&counter, &bytes, library, "missing"), cudaErrorSymbolNotFound);
  CHECK_ERROR(cudaLibraryGetGlobal(nullptr, &bytes, library, "counter"), cudaErrorInvalidValue);
  CHECK_ERROR(cudaLibraryGetManaged((void **)&shared, &bytes, library, "counter"), cudaErrorSymbolNotFound);
  CHECK_ERROR(cudaLibraryGetManaged(nullptr, &bytes, library, "shared_by_all"), cudaErrorInvalidValue);
  void *unified = nullptr;
  CHECK_OWN_ERROR(cudaLibraryGetUnifiedFunction(&unified, library, "narrow"), cudaErrorSymbolNotFound);
  CHECK_ERROR(cudaLibraryGetUnifiedFunction(nullptr, library, "narrow"), cudaErrorInvalidValue);

  CHECK_CUDA(cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 30, 0));
  cudaFuncAttributes told = {};
  CHECK_CUDA(cudaFuncGetAttributes(&told, (const void *)kernel));
  CHECK_EQ(told.preferredShmemCarveout, 30);
  CHECK_ERROR(cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 30, 99),
              cudaErrorInvalidDevice);
  CHECK_ERROR(cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 130, 0),
              cudaErrorInvalidValue);
  CHECK_CUDA(cudaLibraryUnload(library));
  CHECK_OWN_ERROR(cudaLibraryGetKernel(&none, library, "narrow"), cudaErrorInvalidResourceHandle);
  CHECK_OWN_ERROR(cudaLibraryGetGlobal((void **)&counter, &bytes, library, "counter"), cudaErrorInvalidResourceHandle);
  CHECK_OWN_ERROR(cudaLibraryGetManaged((void **)&shared, &bytes, library, "shared_by_all"),
                  cudaErrorInvalidResourceHandle);
  CHECK_OWN_ERROR(cudaLibraryGetUnifiedFunction(&unified, library, "narrow"), cudaErrorInvalidResourceHandle);
  CHECK_OWN_ERROR(cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 1, 0),
                  cudaErrorInvalidResourceHandle);
}

static void occupancy() {
  cudaLibrary_t library = load();
  cudaKernel_t kernel = nullptr;
  CHECK_CUDA(cudaLibraryGetKernel(&kernel, library, "with_shared"));
  const void *f = (const void *)kernel;
  int blocks = 0, same = 0, size = 0, clusters = 0;
  size_t bytes = 0;
  CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, 256, 0));
  CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&same, f, 256, 0, cudaOccupancyDefault));
  CHECK_EQ(same, blocks);
  CHECK_ERROR(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&same, f, 256, 0, 99), cudaErrorInvalidValue);
  CHECK_ERROR(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(nullptr, f, 256, 0, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&same, nullptr, 256, 0, 0),
              cudaErrorInvalidDeviceFunction);
  CHECK_CUDA(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, f, 2, 256));
  CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&same, f, 256, bytes));
  CHECK(same >= 2);
  CHECK_ERROR(cudaOccupancyAvailableDynamicSMemPerBlock(nullptr, f, 2, 256), cudaErrorInvalidValue);
  CHECK_ERROR(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, f, 2, -1), cudaErrorInvalidValue);
  CHECK_ERROR(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, nullptr, 2, 256), cudaErrorInvalidDeviceFunction);
  cudaLaunchAttribute cluster = {};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim.x = 4;
  cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = 16;
  config.blockDim = 256;
  config.attrs = &cluster;
  config.numAttrs = 1;
  CHECK_CUDA(cudaOccupancyMaxPotentialClusterSize(&size, f, &config));
  CHECK(size >= 8);
  CHECK_CUDA(cudaOccupancyMaxActiveClusters(&clusters, f, &config));
  CHECK(clusters >= 1);
  CHECK_ERROR(cudaOccupancyMaxPotentialClusterSize(nullptr, f, &config), cudaErrorInvalidValue);
  CHECK_ERROR(cudaOccupancyMaxPotentialClusterSize(&size, f, nullptr), cudaErrorInvalidValue);
  CHECK_ERROR(cudaOccupancyMaxPotentialClusterSize(&size, nullptr, &config), cudaErrorInvalidDeviceFunction);
  CHECK_ERROR(cudaOccupancyMaxActiveClusters(nullptr, f, &config), cudaErrorInvalidValue);
  CHECK_ERROR(cudaOccupancyMaxActiveClusters(&clusters, f, nullptr), cudaErrorInvalidValue);
  CHECK_ERROR(cudaOccupancyMaxActiveClusters(&clusters, nullptr, &config), cudaErrorInvalidDeviceFunction);

  CHECK_CUDA(cudaFuncSetSharedMemConfig(f, cudaSharedMemBankSizeFourByte));
  CHECK_ERROR(cudaFuncSetSharedMemConfig(f, (cudaSharedMemConfig)9), cudaErrorInvalidValue);
  CHECK_ERROR(cudaFuncSetSharedMemConfig(nullptr, cudaSharedMemBankSizeFourByte), cudaErrorInvalidDeviceFunction);
  cudaSharedMemConfig banks = cudaSharedMemBankSizeEightByte;
  CHECK_CUDA(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeFourByte));
  CHECK_CUDA(cudaDeviceGetSharedMemConfig(&banks));
  CHECK(banks != cudaSharedMemBankSizeEightByte);
  CHECK_ERROR(cudaDeviceSetSharedMemConfig((cudaSharedMemConfig)9), cudaErrorInvalidValue);
  CHECK_ERROR(cudaDeviceGetSharedMemConfig(nullptr), cudaErrorInvalidValue);
  CHECK_CUDA(cudaLibraryUnload(library));
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 2);
  std::ifstream file(argv[1], std::ios::binary);
  image.assign(std::istreambuf_iterator<char>(file), {});
  loading(argv[1]);
  kernels_and_variables();
  occupancy();
  return check_report();
}
