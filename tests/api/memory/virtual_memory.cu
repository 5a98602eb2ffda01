// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Virtual memory management: memory without an address, addresses without memory, one mapped at the other, in kernels
// and copies, at two addresses at once, and in another process.
// RUN: %mcc -std=c++17 %s -o %t && %run %t
// covers: C-4.17.1-01 C-4.17.2-01 C-4.17.3-01 C-4.17.3-02 C-4.17.3-03 C-4.17.5-02 C-4.17.5-03
#include "check.h"

#include <cuda.h>
#include <cuda_runtime.h>
#include <sys/wait.h>
#include <unistd.h>

static CUmemAllocationProp prop;
static size_t unit;
static const CUmemAccessDesc kReadWrite = {{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};

__global__ void add(int *p, int n, int value) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    p[i] += value;
  }
}

static void sizes() {
  int supported = 0, by_file = 0;
  CHECK_CU(cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0));
  CHECK_CU(cuDeviceGetAttribute(&by_file, CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED, 0));
  CHECK_EQ(supported, 1);
  CHECK_EQ(by_file, 1);
  size_t recommended = 0;
  CHECK_CU(cuMemGetAllocationGranularity(&unit, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  CHECK_CU(cuMemGetAllocationGranularity(&recommended, &prop, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED));
  CHECK(unit >= 4096 && recommended % unit == 0);
  CHECK_ERROR(cuMemGetAllocationGranularity(nullptr, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemGetAllocationGranularity(&recommended, nullptr, CU_MEM_ALLOC_GRANULARITY_MINIMUM),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemGetAllocationGranularity(&recommended, &prop, (CUmemAllocationGranularity_flags)9),
              CUDA_ERROR_INVALID_VALUE);
}

/// A range of two pieces grows behind a kernel's pointer.
static void grow() {
  CUdeviceptr base = 0;
  CUmemGenericAllocationHandle first = 0, second = 0, again = 0;
  CHECK_CU(cuMemAddressReserve(&base, 4 * unit, 0, 0, 0));
  CHECK_EQ(base % unit, 0u);
  CHECK_CU(cuMemCreate(&first, unit, &prop, 0));
  const size_t skipped = check::is_own_driver() ? unit : 0;  // others know no offsets
  CHECK_CU(cuMemCreate(&second, skipped + unit, &prop, 0));
  CHECK_CU(cuMemMap(base, unit, 0, first, 0));
  unsigned long long flags = 7;
  CHECK_CU(cuMemGetAccess(&flags, &kReadWrite.location, base));
  CHECK_EQ(flags, 0ull);
  CHECK_ERROR(cuMemsetD8(base, 0, unit), CUDA_ERROR_INVALID_VALUE);  // mapped, without access
  CHECK_CU(cuMemSetAccess(base, unit, &kReadWrite, 1));
  CHECK_CU(cuMemGetAccess(&flags, &kReadWrite.location, base + unit - 1));
  CHECK_EQ(flags, (unsigned long long)CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  CHECK_CU(cuMemsetD32(base, 5, unit / 4));
  CHECK_CU(cuMemMap(base + unit, unit, skipped, second, 0));
  CHECK_CU(cuMemSetAccess(base + unit, unit, &kReadWrite, 1));
  CHECK_CU(cuMemsetD32(base + unit, 6, unit / 4));
  add<<<8, 256>>>((int *)base, (int)(2 * unit / 4), 10);
  int values[2] = {};
  CHECK_CU(cuMemcpyDtoH(values, base + unit - 4, 8));  // across the border
  CHECK_EQ(values[0], 15);
  CHECK_EQ(values[1], 16);

  CHECK_CU(cuMemRetainAllocationHandle(&again, (void *)(base + unit + 8)));
  CHECK_EQ(again, second);
  CHECK_CU(cuMemRelease(again));
  CUmemAllocationProp known = {};
  CHECK_CU(cuMemGetAllocationPropertiesFromHandle(&known, first));
  CHECK_EQ(known.location.id, 0);
  CHECK(known.type == CU_MEM_ALLOCATION_TYPE_PINNED && known.requestedHandleTypes == prop.requestedHandleTypes);
  unsigned long long kinds = 0;
  CHECK_CU(cuPointerGetAttribute(&kinds, CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES, base));
  CHECK_EQ(kinds, (unsigned long long)CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);

  // Handles may go before the mappings do.
  CHECK_CU(cuMemRelease(first));
  CHECK_CU(cuMemRelease(second));
  CHECK_OWN_ERROR(cuMemRelease(second), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuMemcpyDtoH(values, base, 4));
  CHECK_EQ(values[0], 15);
  CHECK_ERROR(cuMemAddressFree(base, 4 * unit), CUDA_ERROR_INVALID_VALUE);  // still mapped
  CHECK_CU(cuMemUnmap(base, 2 * unit));
  CHECK_ERROR(cuMemGetAccess(&flags, &kReadWrite.location, base), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuMemUnmap(base, 2 * unit), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemRetainAllocationHandle(&again, (void *)base), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuMemAddressFree(base, 4 * unit));
  CHECK_ERROR(cuMemAddressFree(base, 4 * unit), CUDA_ERROR_INVALID_VALUE);
}

/// One memory at two addresses, one of them for reading only.
static void two_addresses() {
  CUdeviceptr a = 0, b = 0;
  CUmemGenericAllocationHandle memory = 0;
  CHECK_CU(cuMemCreate(&memory, unit, &prop, 0));
  CHECK_CU(cuMemAddressReserve(&a, unit, 0, 0, 0));
  CHECK_CU(cuMemAddressReserve(&b, unit, unit, 0, 0));
  CHECK_CU(cuMemMap(a, unit, 0, memory, 0));
  CHECK_CU(cuMemMap(b, unit, 0, memory, 0));
  CHECK_CU(cuMemSetAccess(a, unit, &kReadWrite, 1));
  CHECK_CU(cuMemSetAccess(b, unit, &kReadWrite, 1));
  CHECK_CU(cuMemsetD32(a, 77, 4));
  int value = 0;
  CHECK_CU(cuMemcpyDtoH(&value, b + 12, 4));
  CHECK_EQ(value, 77);
  CUmemAccessDesc read_only = kReadWrite;
  read_only.flags = CU_MEM_ACCESS_FLAGS_PROT_READ;
  if (check::is_own_driver()) {  // others may not know how to protect from writing
    CHECK_CU(cuMemSetAccess(b, unit, &read_only, 1));
    unsigned access = 0;
    CHECK_CU(cuPointerGetAttribute(&access, CU_POINTER_ATTRIBUTE_ACCESS_FLAGS, b));
    CHECK_EQ(access, (unsigned)CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READ);
    CHECK_ERROR(cuMemsetD32(b, 1, 4), CUDA_ERROR_INVALID_VALUE);
    CHECK_CU(cuMemcpyDtoH(&value, b, 4));
  }
  CHECK_CU(cuMemUnmap(a, unit));
  CHECK_CU(cuMemUnmap(b, unit));
  CHECK_CU(cuMemAddressFree(a, unit));
  CHECK_CU(cuMemAddressFree(b, unit));
  CHECK_CU(cuMemRelease(memory));
}

static void misuse() {
  CUdeviceptr base = 0;
  CUmemGenericAllocationHandle memory = 0, none = 0;
  CHECK_ERROR(cuMemAddressReserve(nullptr, unit, 0, 0, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemAddressReserve(&base, unit + 1, 0, 0, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemAddressReserve(&base, 0, 0, 0, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemAddressReserve(&base, unit, 3, 0, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemAddressReserve(&base, unit, 0, 0, 1), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemCreate(nullptr, unit, &prop, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemCreate(&none, unit, nullptr, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemCreate(&none, unit + 512, &prop, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemCreate(&none, unit, &prop, 9), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemCreate(&none, unit << 30, &prop, 0), CUDA_ERROR_OUT_OF_MEMORY);
  CUmemAllocationProp other = prop;
  other.location.id = 99;
  CHECK_ERROR(cuMemCreate(&none, unit, &other, 0), CUDA_ERROR_INVALID_DEVICE);
  other = prop;
  other.type = (CUmemAllocationType)55;
  CHECK_ERROR(cuMemCreate(&none, unit, &other, 0), CUDA_ERROR_INVALID_VALUE);

  CHECK_CU(cuMemCreate(&memory, unit, &prop, 0));
  CHECK_CU(cuMemAddressReserve(&base, 2 * unit, 0, 0, 0));
  CHECK_OWN_ERROR(cuMemMap(base, 2 * unit, 0, memory, 0), CUDA_ERROR_INVALID_VALUE);  // more than there is
  CHECK_OWN_ERROR(cuMemMap(base, unit, unit, memory, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemMap(base + 512, unit, 0, memory, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemMap(base, unit, 0, memory, 1), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuMemMap(base, unit, 0, 0x1234, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemSetAccess(base, unit, &kReadWrite, 1), CUDA_ERROR_INVALID_VALUE);  // nothing mapped
  CHECK_CU(cuMemMap(base, unit, 0, memory, 0));
  CHECK_ERROR(cuMemMap(base, unit, 0, memory, 0), CUDA_ERROR_INVALID_VALUE);  // already mapped
  CHECK_ERROR(cuMemSetAccess(base, unit, nullptr, 1), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemSetAccess(base, 2 * unit, &kReadWrite, 1), CUDA_ERROR_INVALID_VALUE);
  CUmemAccessDesc wrong = kReadWrite;
  wrong.flags = (CUmemAccess_flags)2;
  CHECK_ERROR(cuMemSetAccess(base, unit, &wrong, 1), CUDA_ERROR_INVALID_VALUE);
  wrong = kReadWrite;
  wrong.location.id = 99;
  CHECK_ERROR(cuMemSetAccess(base, unit, &wrong, 1), CUDA_ERROR_INVALID_VALUE);
  unsigned long long flags = 0;
  CHECK_ERROR(cuMemGetAccess(nullptr, &kReadWrite.location, base), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemGetAccess(&flags, nullptr, base), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuMemUnmap(base, 2 * unit), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemFree(base), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemRetainAllocationHandle(nullptr, (void *)base), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemGetAllocationPropertiesFromHandle(nullptr, memory), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuMemGetAllocationPropertiesFromHandle(&other, 0x1234), CUDA_ERROR_INVALID_VALUE);
  int file = -1;
  CHECK_ERROR(cuMemExportToShareableHandle(nullptr, memory, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemExportToShareableHandle(&file, memory, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 3),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuMemImportFromShareableHandle(&none, (void *)-1, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR),
                  CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemImportFromShareableHandle(nullptr, (void *)0, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuMemUnmap(base, unit));
  CHECK_CU(cuMemAddressFree(base, 2 * unit));
  CHECK_CU(cuMemRelease(memory));
  CHECK_OWN_ERROR(cuMemRelease(memory), CUDA_ERROR_INVALID_VALUE);

  other = prop;
  other.requestedHandleTypes = CU_MEM_HANDLE_TYPE_NONE;
  CHECK_CU(cuMemCreate(&memory, unit, &other, 0));
  CHECK_ERROR(cuMemExportToShareableHandle(&file, memory, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuMemRelease(memory));
}

/// The child was started before the parent used the library; the file descriptor was there by then, too.
static int child(int from_parent, int to_parent) {
  int file = -1;
  char line = 0;
  if (read(from_parent, &line, 1) != 1) {
    return 1;
  }
  char path[64];
  pid_t parent = getppid();
  if (read(from_parent, &file, sizeof file) != sizeof file) {
    return 2;
  }
  snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)parent, file);
  FILE *opened = fopen(path, "r+");
  if (opened == nullptr) {
    return 3;
  }
  CUcontext context;
  CUmemGenericAllocationHandle memory;
  CUdeviceptr base;
  CHECK_CU(cuInit(0));
  CHECK_CU(cuCtxCreate(&context, nullptr, 0, 0));
  CHECK_CU(cuMemImportFromShareableHandle(&memory, (void *)(intptr_t)fileno(opened),
                                          CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
  CHECK_CU(cuMemAddressReserve(&base, unit, 0, 0, 0));
  CHECK_CU(cuMemMap(base, unit, 0, memory, 0));
  CHECK_CU(cuMemSetAccess(base, unit, &kReadWrite, 1));
  add<<<1, 32>>>((int *)base, 32, 1);
  CHECK_CU(cuCtxSynchronize());
  if (write(to_parent, &line, 1) != 1) {
    return 4;
  }
  return check::failures() == 0 ? 0 : 5;
}

static void share(int to_child, int from_child) {
  CUdeviceptr base;
  CUmemGenericAllocationHandle memory;
  CHECK_CU(cuMemCreate(&memory, unit, &prop, 0));
  CHECK_CU(cuMemAddressReserve(&base, unit, 0, 0, 0));
  CHECK_CU(cuMemMap(base, unit, 0, memory, 0));
  CHECK_CU(cuMemSetAccess(base, unit, &kReadWrite, 1));
  CHECK_CU(cuMemsetD32(base, 40, 32));
  int file = -1;
  CHECK_CU(cuMemExportToShareableHandle(&file, memory, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  char line = 'x';
  CHECK(write(to_child, &line, 1) == 1 && write(to_child, &file, sizeof file) == sizeof file);
  CHECK(read(from_child, &line, 1) == 1);
  int values[32] = {};
  CHECK_CU(cuMemcpyDtoH(values, base, sizeof values));
  CHECK(values[0] == 41 && values[31] == 41);
  close(file);
  CHECK_CU(cuMemUnmap(base, unit));
  CHECK_CU(cuMemAddressFree(base, unit));
  CHECK_CU(cuMemRelease(memory));
}

int main() {
  prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  prop.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  prop.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  unit = 2u << 20;
  int down[2], up[2];
  CHECK(pipe(down) == 0 && pipe(up) == 0);
  const pid_t other = check::is_own_driver() ? fork() : -1;
  if (other == 0) {
    close(down[1]);
    close(up[0]);
    _exit(child(down[0], up[1]));
  }
  close(down[0]);
  close(up[1]);
  CHECK_CUDA(cudaFree(nullptr));
  sizes();
  grow();
  two_addresses();
  misuse();
  if (other > 0) {
    share(down[1], up[0]);
    close(down[1]);
    int status = -1;
    CHECK_EQ(waitpid(other, &status, 0), other);
    CHECK_EQ(status, 0);
  }
  return check_report();
}
