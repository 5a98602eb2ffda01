// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any host memory in kernels; who may access what each allocator gives; three ways of handing results over.
// gpu: no (needs memory of the host that the device can reach without being told)
// RUN: %mcc -std=c++20 %s -o %t && %run %t %s | %FileCheck %s
// covers: C-4.1.1.1-01 C-4.1.1.2.6-01 C-4.1.1.2.8-02 C-4.1.2-01
#include <cuda_runtime.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

static int global_value = 40;
extern char **environ;

__global__ void add(int *p, int value) { *p += value; }
__global__ void length(const char *text, int *result) {
  int n = 0;
  while (text[n] != 0) {
    n++;
  }
  *result = n;
}
__global__ void lines(const char *file, size_t bytes, int *result) {
  for (size_t i = 0; i < bytes; i++) {
    *result += file[i] == '\n';
  }
}
__global__ void say(const char *text) { printf("kernel says %s\n", text); }
__global__ void fill(int *data, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    data[i] = i * 3;
  }
}

static void expect_added(int *p, const char *what) {
  int before = *p;
  add<<<1, 1>>>(p, 2);
  CHECK_CUDA(cudaDeviceSynchronize());
  if (*p != before + 2) {
    check::fail(__FILE__, __LINE__, what);
  }
}

static void any_memory(const char *path) {
  int pageable = 0, concurrent = 0;
  CHECK_CUDA(cudaDeviceGetAttribute(&pageable, cudaDevAttrPageableMemoryAccess, 0));
  CHECK_CUDA(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, 0));
  CHECK_EQ(pageable, 1);  // so what a device without it may not do is never asked of a program
  CHECK_EQ(concurrent, 1);
  int stack_value = 10;
  static int static_value = 20;
  int *heap = (int *)malloc(sizeof(int)), *made = new int(5);
  *heap = 30;
  expect_added(&stack_value, "memory of the stack");
  expect_added(&static_value, "a static variable");
  expect_added(&global_value, "a global variable");
  expect_added(heap, "memory of malloc");
  expect_added(made, "memory of new");
  free(heap);
  delete made;
  int n = 0;
  length<<<1, 1>>>("a literal", &n);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(n, 9);
  length<<<1, 1>>>(environ[0], &n);  // memory of another library
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(n, (int)strlen(environ[0]));
  int file = open(path, O_RDONLY);
  struct stat facts;
  CHECK(file >= 0 && fstat(file, &facts) == 0);
  char *mapped = (char *)mmap(nullptr, facts.st_size, PROT_READ, MAP_PRIVATE, file, 0);
  int seen = 0, expected = 0;
  lines<<<1, 1>>>(mapped, facts.st_size, &seen);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (off_t i = 0; i < facts.st_size; i++) {
    expected += mapped[i] == '\n';
  }
  CHECK_EQ(seen, expected);
  munmap(mapped, facts.st_size);
  close(file);
  char text[] = "a text of the host";
  // CHECK: kernel says a text of the host
  say<<<1, 1>>>(text);
  CHECK_CUDA(cudaDeviceSynchronize());
}

/// What each allocator gives, seen from kernels, from the host and by the library.
static void allocators() {
  int *device = nullptr, *managed = nullptr, *pinned = nullptr, *mapped = nullptr, *pooled = nullptr;
  int *registered = (int *)aligned_alloc(4096, 4096);
  CHECK_CUDA(cudaMalloc(&device, 4));
  CHECK_CUDA(cudaMallocManaged(&managed, 4));
  CHECK_CUDA(cudaMallocHost(&pinned, 4));
  CHECK_CUDA(cudaHostAlloc(&mapped, 4, cudaHostAllocMapped | cudaHostAllocPortable));
  CHECK_CUDA(cudaHostRegister(registered, 4096, cudaHostRegisterMapped));
  CHECK_CUDA(cudaMallocAsync(&pooled, 4, 0));
  CHECK_CUDA(cudaMemset(device, 0, 4));
  CHECK_CUDA(cudaMemset(pooled, 0, 4));
  *managed = *pinned = *mapped = *registered = 0;
  expect_added(managed, "managed memory");
  expect_added(pinned, "page-locked memory");
  expect_added(mapped, "mapped memory");
  expect_added(registered, "registered memory");
  struct {
    int *p;
    cudaMemoryType type;
  } all[] = {{device, cudaMemoryTypeDevice}, {managed, cudaMemoryTypeManaged}, {pinned, cudaMemoryTypeHost},
             {mapped, cudaMemoryTypeHost},   {registered, cudaMemoryTypeHost}, {pooled, cudaMemoryTypeDevice}};
  for (auto &[p, type] : all) {
    cudaPointerAttributes known = {};
    CHECK_CUDA(cudaPointerGetAttributes(&known, p));
    CHECK_EQ(known.type, type);
    add<<<1, 1>>>(p, 5);
    int value = 0;
    CHECK_CUDA(cudaMemcpy(&value, p, 4, cudaMemcpyDefault));
    CHECK_EQ(value, type == cudaMemoryTypeDevice ? 5 : 7);
  }
  CHECK_CUDA(cudaHostUnregister(registered));
  free(registered);
  CHECK_CUDA(cudaFree(device));
  CHECK_CUDA(cudaFree(managed));
  CHECK_CUDA(cudaFreeHost(pinned));
  CHECK_CUDA(cudaFreeHost(mapped));
  CHECK_CUDA(cudaFreeAsync(pooled, 0));
}

static void exchange() {
  const int n = 10000;
  cudaStream_t stream = nullptr;
  CHECK_CUDA(cudaStreamCreate(&stream));
  for (int managed = 0; managed < 2; managed++) {
    int *data = nullptr, *copy = (int *)calloc(n, sizeof(int));
    if (managed) {
      CHECK_CUDA(cudaMallocManaged(&data, n * sizeof(int)));
    } else {
      data = (int *)malloc(n * sizeof(int));
    }
    cudaMemLocation device = {.type = cudaMemLocationTypeDevice, .id = 0};
    cudaMemLocation host = {.type = cudaMemLocationTypeHost, .id = 0};
    CHECK_CUDA(cudaMemAdvise(data, n * sizeof(int), cudaMemAdviseSetPreferredLocation, device));
    CHECK_CUDA(cudaMemAdvise(data, n * sizeof(int), cudaMemAdviseSetAccessedBy, host));
    fill<<<8, 128, 0, stream>>>(data, n);
    CHECK_CUDA(cudaMemcpyAsync(copy, data, n * sizeof(int), cudaMemcpyDefault, stream));  // an explicit copy
    CHECK_CUDA(cudaStreamSynchronize(stream));
    CHECK_EQ(copy[n - 1], 3 * (n - 1));
    CHECK_EQ(data[n / 2], 3 * (n / 2));  // the host reads the device's memory
    memset(copy, 0, n * sizeof(int));
    fill<<<8, 128, 0, stream>>>(copy, n);  // the device writes the host's memory
    CHECK_CUDA(cudaStreamSynchronize(stream));
    CHECK(memcmp(copy, data, n * sizeof(int)) == 0);
    if (managed) {
      CHECK_CUDA(cudaFree(data));
    } else {
      free(data);
    }
    free(copy);
  }
  CHECK_CUDA(cudaStreamDestroy(stream));
}

int main(int, char **arguments) {
  any_memory(arguments[1]);
  allocators();
  exchange();
  return check_report();
}
