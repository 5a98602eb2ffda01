// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points: libraries and their kernels.
#include "drivers/cpu/core/checks.h"
#include "drivers/cpu/core/device.h"
#include "drivers/cpu/module/file.h"
#include "drivers/cpu/module/function.h"
#include "drivers/cpu/module/jit_log.h"
#include "drivers/cpu/module/library.h"
#include "helicon/gen/cpu_impl.h"

#include <algorithm>

namespace hel::cpu {
namespace {

Result<bool> is_preserved(const CUlibraryOption *options, void *const *values, unsigned count) {
  bool preserved = false;
  if (count != 0) {
    HEL_TRY(check_out(options, "libraryOptions"));
  }
  for (unsigned i = 0; i < count; i++) {
    if (options[i] == CU_LIBRARY_BINARY_IS_PRESERVED) {
      preserved = true;
    } else if (options[i] != CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE) {
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "no library option has the number %d", static_cast<int>(options[i]));
    }
  }
  return preserved;
}

Result<void> load(CUlibrary *out, const void *image, size_t bytes, bool preserved) {
  *out = HEL_TRY(Library::load(image, bytes, preserved))->handle();
  return {};
}

Result<void> put(const Global &global, CUdeviceptr *dptr, size_t *bytes) {
  if (dptr != nullptr) {
    *dptr = global.address;
  }
  if (bytes != nullptr) {
    *bytes = global.bytes;
  }
  return {};
}

}  // namespace

Result<void> library_load_data(CUlibrary *library, const void *code, CUjit_option *jitOptions, void **jitOptionsValues,
                               unsigned int numJitOptions, CUlibraryOption *libraryOptions, void **libraryOptionValues,
                               unsigned int numLibraryOptions) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(library, "library"));
  const bool preserved = HEL_TRY(is_preserved(libraryOptions, libraryOptionValues, numLibraryOptions));
  JitLog log = HEL_TRY(JitLog::read(numJitOptions, jitOptions, jitOptionsValues));
  return log.close(load(library, code, 0, preserved));
}

Result<void> library_load_from_file(CUlibrary *library, const char *fileName, CUjit_option *jitOptions,
                                    void **jitOptionsValues, unsigned int numJitOptions,
                                    CUlibraryOption *libraryOptions, void **libraryOptionValues,
                                    unsigned int numLibraryOptions) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(library, "library"));
  HEL_TRY(check_out(fileName, "fileName"));
  std::vector<uint8_t> bytes = HEL_TRY(read_file(fileName));
  JitLog log = HEL_TRY(JitLog::read(numJitOptions, jitOptions, jitOptionsValues));
  return log.close(load(library, bytes.data(), bytes.size(), false));
}

Result<void> library_unload(CUlibrary library) {
  HEL_TRY(check_initialized());
  HEL_TRY(retire<Library>(library))->close();
  return {};
}

Result<void> library_get_kernel(CUkernel *pKernel, CUlibrary library, const char *name) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(pKernel, "pKernel"));
  HEL_TRY(check_out(name, "name"));
  *pKernel = HEL_TRY(HEL_TRY(find<Library>(library))->kernel(name))->handle();
  return {};
}

Result<void> library_get_kernel_count(unsigned int *count, CUlibrary lib) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(count, "count"));
  *count = static_cast<unsigned>(HEL_TRY(find<Library>(lib))->kernels().size());
  return {};
}

Result<void> library_enumerate_kernels(CUkernel *kernels, unsigned int numKernels, CUlibrary lib) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(kernels, "kernels"));
  Ref<Library> library = HEL_TRY(find<Library>(lib));
  const size_t count = std::min<size_t>(numKernels, library->kernels().size());
  for (size_t i = 0; i < count; i++) {
    kernels[i] = HEL_TRY(library->kernel(i))->handle();
  }
  return {};
}

Result<void> library_get_module(CUmodule *pMod, CUlibrary library) {
  Context *context = HEL_TRY(current_context());
  HEL_TRY(check_out(pMod, "pMod"));
  *pMod = HEL_TRY(HEL_TRY(find<Library>(library))->module_in(*context))->handle();
  return {};
}

Result<void> library_get_global(CUdeviceptr *dptr, size_t *bytes, CUlibrary library, const char *name) {
  Context *context = HEL_TRY(current_context());
  HEL_TRY(check_out(name, "name"));
  Ref<Module> module = HEL_TRY(HEL_TRY(find<Library>(library))->module_in(*context));
  return put(HEL_TRY(module->global(name)), dptr, bytes);
}

Result<void> library_get_managed(CUdeviceptr *dptr, size_t *bytes, CUlibrary library, const char *name) {
  Context *context = HEL_TRY(current_context());
  HEL_TRY(check_out(name, "name"));
  return put(HEL_TRY(HEL_TRY(find<Library>(library))->managed(name, *context)), dptr, bytes);
}

Result<void> share_managed(CUlibrary library, const char *name, CUdeviceptr storage) {
  return HEL_TRY(find<Library>(library))->borrow_managed(name, reinterpret_cast<void *>(storage));
}

Result<void> library_get_unified_function(void **fptr, CUlibrary library, const char *symbol) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(fptr, "fptr"));
  HEL_TRY(find<Library>(library));
  return HEL_FAIL(CUDA_ERROR_NOT_FOUND, "functions with one address for host and device do not exist here");
}

Result<void> kernel_get_function(CUfunction *pFunc, CUkernel kernel) {
  Context *context = HEL_TRY(current_context());
  HEL_TRY(check_out(pFunc, "pFunc"));
  *pFunc = HEL_TRY(HEL_TRY(find<Kernel>(kernel))->function_in(*context))->handle();
  return {};
}

Result<void> kernel_get_library(CUlibrary *pLib, CUkernel kernel) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(pLib, "pLib"));
  *pLib = HEL_TRY(find<Kernel>(kernel))->library().handle();
  return {};
}

Result<void> kernel_get_attribute(int *pi, CUfunction_attribute attrib, CUkernel kernel, CUdevice dev) {
  HEL_TRY(find_device(dev));
  HEL_TRY(check_out(pi, "pi"));
  Ref<Kernel> object = HEL_TRY(find<Kernel>(kernel));
  FunctionSettings settings;
  HEL_TRY(object->library().settings_of(object->index(), dev, settings));
  *pi = HEL_TRY(function_attribute(object->record().info, settings, attrib));
  return {};
}

Result<void> kernel_set_attribute(CUfunction_attribute attrib, int val, CUkernel kernel, CUdevice dev) {
  Device *device = HEL_TRY(find_device(dev));
  Ref<Kernel> object = HEL_TRY(find<Kernel>(kernel));
  return object->library().set_attribute(object->index(), *device, attrib, val);
}

Result<void> kernel_set_cache_config(CUkernel kernel, CUfunc_cache config, CUdevice dev) {
  HEL_TRY(find_device(dev));
  HEL_TRY(find<Kernel>(kernel));
  return check_cache_config(config);
}

Result<void> kernel_get_name(const char **name, CUkernel hfunc) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(name, "name"));
  *name = HEL_TRY(find<Kernel>(hfunc))->record().info.name;
  return {};
}

Result<void> kernel_get_param_info(CUkernel kernel, size_t paramIndex, size_t *paramOffset, size_t *paramSize) {
  HEL_TRY(check_initialized());
  Ref<Kernel> object = HEL_TRY(find<Kernel>(kernel));
  return param_info(object->record().info, paramIndex, paramOffset, paramSize);
}

}  // namespace hel::cpu
