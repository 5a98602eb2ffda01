// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What people reported of programs, libraries and device code that were built with other tools.
// report: spectral-compute/scale-validation#54
// report: spectral-compute/scale-validation#56
// report: spectral-compute/scale-validation#66
// report: vosen/ZLUDA#47
// report: vosen/ZLUDA#627
// report: gpgpu-sim/gpgpu-sim_distribution#166
// gpu: no (the symbols are those of this library)
// RUN: %mcc %s -o %t && %run %t 2>&1 | %FileCheck %s
#include "check.h"

#include <cuda.h>
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <elf.h>

#include <cstring>
#include <initializer_list>

// What a version of the platform declares can be linked, and says that it is not supported.
static void declared_functions() {
  CUgreenCtx green = nullptr;
  CUdevResource resource = {};
  cudaGraph_t graph;
  cudaGraphConditionalHandle condition;
  CHECK_ERROR(cuGreenCtxCreate(&green, nullptr, 0, CU_GREEN_CTX_DEFAULT_STREAM), CUDA_ERROR_NOT_SUPPORTED);
  CHECK_ERROR(cuDeviceGetDevResource(0, &resource, CU_DEV_RESOURCE_TYPE_SM), CUDA_ERROR_NOT_SUPPORTED);
  CHECK_CUDA(cudaGraphCreate(&graph, 0));
  CHECK_ERROR(cudaGraphConditionalHandleCreate(&condition, graph), cudaErrorNotSupported);
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeConditional;
  cudaGraphNode_t node;
  CHECK_ERROR(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params), cudaErrorNotSupported);
  CHECK_CUDA(cudaGraphDestroy(graph));
  CHECK_ERROR(cudaGetLastError(), cudaErrorNotSupported);
}

// A module that has machine code for a GPU alone.
static void code_for_a_gpu() {
  constexpr unsigned short kCuda = 190;  // the machine's number in ELF files
  Elf64_Ehdr header = {};
  memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = header.e_version = EV_CURRENT;
  header.e_type = ET_EXEC;
  header.e_machine = kCuda;
  header.e_ehsize = sizeof header;
  CUmodule module;
  cudaLibrary_t library;
  CHECK_ERROR(cuModuleLoadData(&module, &header), CUDA_ERROR_NO_BINARY_FOR_GPU);
  CHECK_ERROR(cudaLibraryLoadData(&library, &header, nullptr, nullptr, 0, nullptr, nullptr, 0),
              cudaErrorNoKernelImageForDevice);
}

// An object file of another compiler in the program. It is told once, and its kernels
// are unknown.
// CHECK: helicon: an object of this program was not compiled by mcc
extern "C" void **__cudaRegisterFatBinary(const void *);
extern "C" void __cudaRegisterFatBinaryEnd(void **);
extern "C" void __cudaRegisterFunction(void **, const char *, char *, const char *, int, void *, void *, void *, void *,
                                       int *);
extern "C" void __cudaUnregisterFatBinary(void **);

static void foreign_object() {
  static const unsigned long long code[16] = {0xba55ed50ull, ~0ull, ~0ull};
  static const struct {
    int magic, version;
    const void *data;
    void *unused;
  } wrapper = {0x466243b1, 1, code, nullptr};
  static const char stub = 0;
  static char name[] = "kernel";
  void **handle = __cudaRegisterFatBinary(&wrapper);
  __cudaRegisterFunction(handle, &stub, name, name, -1, nullptr, nullptr, nullptr, nullptr, nullptr);
  __cudaRegisterFatBinaryEnd(handle);
  CHECK_ERROR(cudaLaunchKernel(&stub, dim3(1), dim3(1), nullptr, 0, nullptr), cudaErrorInvalidDeviceFunction);
  __cudaUnregisterFatBinary(handle);
  CHECK_ERROR(cudaGetLastError(), cudaErrorInvalidDeviceFunction);
}

// Libraries that were linked to another libcudart ask for its symbols with their version.
static void versions() {
  void *library = dlopen("libcudart.so.13", RTLD_NOW | RTLD_NOLOAD);
  library = library != nullptr ? library : dlopen(nullptr, RTLD_NOW);
  for (const char *symbol : {"cudaMalloc", "cudaFuncSetAttribute", "cudaMemcpyAsync_ptsz", "__cudaRegisterFatBinary",
                             "__cudaRegisterFatBinaryEnd", "__cudaPushCallConfiguration"}) {
    void *versioned = dlvsym(library, symbol, "libcudart.so.13");
    CHECK(versioned != nullptr && versioned == dlsym(library, symbol));
  }
  CHECK(dlsym(library, "cuInit") != nullptr && dlsym(library, "musaMalloc") != nullptr);
}

int main() {
  CHECK_CUDA(cudaFree(nullptr));
  declared_functions();
  code_for_a_gpu();
  foreign_object();
  versions();
  return check_report();
}
// CHECK: passed
