// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of another interface: a file that kernels, copies and the other side see at the same time.
// RUN: %mcc -std=c++17 %s -o %t && %run %t
// covers: C-4.21.2-01 C-4.21.2-02
#include <cuda.h>
#include <cuda_runtime.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"

constexpr size_t kBytes = 1 << 20;

__global__ void add(int *p, int n, int value) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    p[i] += value;
  }
}

static int make_file() {
  int file = memfd_create("external", MFD_CLOEXEC);
  CHECK(file >= 0 && ftruncate(file, kBytes) == 0);
  return file;
}

static void buffers() {
  int file = make_file();
  int *seen = (int *)mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  for (size_t i = 0; i < kBytes / 4; i++) {
    seen[i] = (int)i;
  }
  cudaExternalMemoryHandleDesc desc = {};
  desc.type = cudaExternalMemoryHandleTypeOpaqueFd;
  desc.handle.fd = file;
  desc.size = kBytes;
  desc.flags = cudaExternalMemoryDedicated;
  cudaExternalMemory_t memory = nullptr;
  CHECK_CUDA(cudaImportExternalMemory(&memory, &desc));  // the descriptor is the library's now
  cudaExternalMemoryBufferDesc all = {}, part = {};
  all.size = kBytes;
  part.offset = 4096 + 256;
  part.size = 8192;
  void *whole = nullptr, *piece = nullptr;
  CHECK_CUDA(cudaExternalMemoryGetMappedBuffer(&whole, memory, &all));
  CHECK_CUDA(cudaExternalMemoryGetMappedBuffer(&piece, memory, &part));
  cudaPointerAttributes known = {};
  CHECK_CUDA(cudaPointerGetAttributes(&known, piece));
  CHECK_EQ(known.type, cudaMemoryTypeDevice);
  add<<<4, 256>>>((int *)whole, kBytes / 4, 1);
  add<<<1, 256>>>((int *)piece, 8192 / 4, 100);
  CHECK_CUDA(cudaDeviceSynchronize());
  int wrong = 0;
  for (size_t i = 0; i < kBytes / 4; i++) {
    const bool twice = i * 4 >= part.offset && i * 4 < part.offset + part.size;
    wrong += seen[i] != (int)i + (twice ? 101 : 1);
  }
  CHECK_EQ(wrong, 0);
  int first = 0;
  CHECK_CUDA(cudaMemcpy(&first, piece, 4, cudaMemcpyDefault));
  CHECK_EQ(first, (int)part.offset / 4 + 101);

  part.offset = kBytes - 4096;
  CHECK_ERROR(cudaExternalMemoryGetMappedBuffer(&piece, memory, &part), cudaErrorInvalidValue);
  part.size = 0;
  CHECK_ERROR(cudaExternalMemoryGetMappedBuffer(&piece, memory, &part), cudaErrorInvalidValue);
  part.size = 4096;
  part.flags = 1;
  CHECK_ERROR(cudaExternalMemoryGetMappedBuffer(&piece, memory, &part), cudaErrorInvalidValue);
  CHECK_ERROR(cudaExternalMemoryGetMappedBuffer(nullptr, memory, &all), cudaErrorInvalidValue);
  CHECK_ERROR(cudaExternalMemoryGetMappedBuffer(&piece, memory, nullptr), cudaErrorInvalidValue);
  CHECK_ERROR(cudaExternalMemoryGetMappedBuffer(&piece, nullptr, &all), cudaErrorInvalidValue);
  cudaIpcMemHandle_t handle;
  CHECK_ERROR(cudaIpcGetMemHandle(&handle, whole), cudaErrorInvalidValue);

  // What is mapped outlives the import, and is freed like other memory.
  CHECK_CUDA(cudaDestroyExternalMemory(memory));
  CHECK_ERROR(cudaDestroyExternalMemory(memory), cudaErrorInvalidValue);
  CHECK_CUDA(cudaMemset(whole, 0, kBytes));
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(seen[0], 0);
  CHECK_CUDA(cudaFree(whole));
  CHECK_CUDA(cudaFree(piece));
  CHECK_ERROR(cudaFree(whole), cudaErrorInvalidValue);
  munmap(seen, kBytes);
}

static void arrays() {
  cudaExternalMemoryHandleDesc desc = {};
  desc.type = cudaExternalMemoryHandleTypeOpaqueFd;
  desc.handle.fd = make_file();
  desc.size = kBytes;
  cudaExternalMemory_t memory = nullptr;
  CHECK_CUDA(cudaImportExternalMemory(&memory, &desc));
  cudaExternalMemoryMipmappedArrayDesc shape = {};
  shape.formatDesc = cudaCreateChannelDesc<float>();
  shape.extent = make_cudaExtent(64, 32, 0);
  shape.numLevels = 3;
  cudaMipmappedArray_t mipmap = nullptr;
  CHECK_CUDA(cudaExternalMemoryGetMappedMipmappedArray(&mipmap, memory, &shape));
  cudaArray_t level = nullptr;
  CHECK_CUDA(cudaGetMipmappedArrayLevel(&level, mipmap, 1));
  float in[16][32], out[16][32];
  for (int i = 0; i < 16 * 32; i++) {
    in[0][i] = (float)i;
  }
  CHECK_CUDA(cudaMemcpy2DToArray(level, 0, 0, in, sizeof in[0], sizeof in[0], 16, cudaMemcpyHostToDevice));
  CHECK_CUDA(cudaMemcpy2DFromArray(out, sizeof out[0], level, 0, 0, sizeof out[0], 16, cudaMemcpyDeviceToHost));
  CHECK(memcmp(in, out, sizeof in) == 0);
  cudaArraySparseProperties sparse = {};
  CHECK_ERROR(cudaMipmappedArrayGetSparseProperties(&sparse, mipmap), cudaErrorInvalidValue);
  CHECK_ERROR(cudaArrayGetSparseProperties(&sparse, level), cudaErrorInvalidValue);
  CHECK_CUDA(cudaFreeMipmappedArray(mipmap));
  shape.extent = make_cudaExtent(4096, 4096, 0);  // more than the file has
  CHECK_ERROR(cudaExternalMemoryGetMappedMipmappedArray(&mipmap, memory, &shape), cudaErrorInvalidValue);
  CHECK_ERROR(cudaExternalMemoryGetMappedMipmappedArray(&mipmap, memory, nullptr), cudaErrorInvalidValue);
  CHECK_CUDA(cudaDestroyExternalMemory(memory));
}

static void refused() {
  cudaExternalMemory_t memory = nullptr;
  cudaExternalMemoryHandleDesc desc = {};
  desc.type = cudaExternalMemoryHandleTypeOpaqueFd;
  desc.handle.fd = make_file();
  desc.size = kBytes + 1;
  CHECK_OWN_ERROR(cudaImportExternalMemory(&memory, &desc), cudaErrorInvalidValue);
  desc.size = 0;
  CHECK_ERROR(cudaImportExternalMemory(&memory, &desc), cudaErrorInvalidValue);
  desc.size = kBytes;
  desc.flags = 0x80;
  CHECK_ERROR(cudaImportExternalMemory(&memory, &desc), cudaErrorInvalidValue);
  desc.flags = 0;
  desc.type = (cudaExternalMemoryHandleType)77;
  CHECK_ERROR(cudaImportExternalMemory(&memory, &desc), cudaErrorInvalidValue);
  desc.type = cudaExternalMemoryHandleTypeD3D12Heap;
  CHECK_OWN_ERROR(cudaImportExternalMemory(&memory, &desc), cudaErrorInvalidValue);
  desc.type = cudaExternalMemoryHandleTypeOpaqueFd;
  CHECK_ERROR(cudaImportExternalMemory(nullptr, &desc), cudaErrorInvalidValue);
  CHECK_ERROR(cudaImportExternalMemory(&memory, nullptr), cudaErrorInvalidValue);
  close(desc.handle.fd);  // still ours: nothing was imported
  CHECK_OWN_ERROR(cudaImportExternalMemory(&memory, &desc), cudaErrorInvalidResourceHandle);
  desc.handle.fd = -1;
  CHECK_OWN_ERROR(cudaImportExternalMemory(&memory, &desc), cudaErrorInvalidResourceHandle);

  // Semaphores are objects of a GPU's driver.
  if (!check::is_own_driver()) {
    return;
  }
  cudaExternalSemaphore_t semaphore = nullptr;
  cudaExternalSemaphoreHandleDesc sem = {};
  sem.type = cudaExternalSemaphoreHandleTypeOpaqueFd;
  CHECK_ERROR(cudaImportExternalSemaphore(&semaphore, &sem), cudaErrorNotSupported);
  sem.type = (cudaExternalSemaphoreHandleType)77;
  CHECK_ERROR(cudaImportExternalSemaphore(&semaphore, &sem), cudaErrorInvalidValue);
  cudaExternalSemaphoreSignalParams signal = {};
  cudaExternalSemaphoreWaitParams wait = {};
  CHECK_ERROR(cudaSignalExternalSemaphoresAsync(&semaphore, &signal, 1, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaWaitExternalSemaphoresAsync(&semaphore, &wait, 1, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaDestroyExternalSemaphore(semaphore), cudaErrorInvalidValue);
}

int main() {
  CHECK_CUDA(cudaFree(0));
  if (check::is_own_driver()) {  // others take what graphics interfaces made, not any file
    buffers();
    arrays();
  }
  refused();
  return check_report();
}
