// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Libraries: modules that the program loads by itself and that serve all contexts. Handles are the driver's.
#include "helicon/gen/runtime_impl.h"
#include "runtime/core/context.h"
#include "runtime/core/convert.h"

namespace hel::rt {
namespace {

CUlibrary driver_library(cudaLibrary_t library) { return reinterpret_cast<CUlibrary>(library); }
CUkernel driver_kernel(cudaKernel_t kernel) { return reinterpret_cast<CUkernel>(kernel); }

Result<void> need(const void *out) {
  if (out == nullptr) {
    return HEL_FAIL(cudaErrorInvalidValue, "the place for the result is null");
  }
  return {};
}

}  // namespace

Result<void> library_load_data(cudaLibrary_t *library, const void *code, cudaJitOption *jitOptions,
                               void **jitOptionsValues, unsigned int numJitOptions, cudaLibraryOption *libraryOptions,
                               void **libraryOptionValues, unsigned int numLibraryOptions) {
  return check(HEL_TRY(driver())->LibraryLoadData(
      reinterpret_cast<CUlibrary *>(library), code, reinterpret_cast<CUjit_option *>(jitOptions), jitOptionsValues,
      numJitOptions, reinterpret_cast<CUlibraryOption *>(libraryOptions), libraryOptionValues, numLibraryOptions));
}

Result<void> library_load_from_file(cudaLibrary_t *library, const char *fileName, cudaJitOption *jitOptions,
                                    void **jitOptionsValues, unsigned int numJitOptions,
                                    cudaLibraryOption *libraryOptions, void **libraryOptionValues,
                                    unsigned int numLibraryOptions) {
  return check(HEL_TRY(driver())->LibraryLoadFromFile(
      reinterpret_cast<CUlibrary *>(library), fileName, reinterpret_cast<CUjit_option *>(jitOptions), jitOptionsValues,
      numJitOptions, reinterpret_cast<CUlibraryOption *>(libraryOptions), libraryOptionValues, numLibraryOptions));
}

Result<void> library_unload(cudaLibrary_t library) {
  return check(HEL_TRY(driver())->LibraryUnload(driver_library(library)));
}

Result<void> library_get_kernel(cudaKernel_t *pKernel, cudaLibrary_t library, const char *name) {
  return check(
      HEL_TRY(driver())->LibraryGetKernel(reinterpret_cast<CUkernel *>(pKernel), driver_library(library), name));
}

Result<void> library_get_global(void **dptr, size_t *bytes, cudaLibrary_t library, const char *name) {
  HEL_TRY(need(dptr));
  return check(HEL_TRY(bound_driver())->LibraryGetGlobal(driver_out(dptr), bytes, driver_library(library), name));
}

Result<void> library_get_managed(void **dptr, size_t *bytes, cudaLibrary_t library, const char *name) {
  HEL_TRY(need(dptr));
  return check(HEL_TRY(bound_driver())->LibraryGetManaged(driver_out(dptr), bytes, driver_library(library), name));
}

Result<void> library_get_unified_function(void **fptr, cudaLibrary_t library, const char *symbol) {
  HEL_TRY(need(fptr));
  return check(HEL_TRY(bound_driver())->LibraryGetUnifiedFunction(fptr, driver_library(library), symbol));
}

Result<void> library_get_kernel_count(unsigned int *count, cudaLibrary_t lib) {
  return check(HEL_TRY(driver())->LibraryGetKernelCount(count, driver_library(lib)));
}

Result<void> library_enumerate_kernels(cudaKernel_t *kernels, unsigned int numKernels, cudaLibrary_t lib) {
  return check(HEL_TRY(driver())->LibraryEnumerateKernels(reinterpret_cast<CUkernel *>(kernels), numKernels,
                                                          driver_library(lib)));
}

Result<void> kernel_set_attribute_for_device(cudaKernel_t kernel, cudaFuncAttribute attr, int value, int device) {
  HEL_TRY(check_device(device));
  return check(HEL_TRY(driver())->KernelSetAttribute(static_cast<CUfunction_attribute>(attr), value,
                                                     driver_kernel(kernel), device));
}

}  // namespace hel::rt
