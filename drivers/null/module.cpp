// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Null driver: modules, libraries, functions, launches. Nothing is loaded: a module has every function and every
// variable that it is asked for; a variable has kVariableBytes. A library is a module, a kernel is a function.
#include "drivers/null/state.h"
#include "helicon/gen/null_impl.h"

namespace hel::null {
namespace {

constexpr size_t kVariableBytes = 4096;
constexpr unsigned kMaxThreads = 1024;

Result<Module *> find_module(CUmodule module) HEL_REQUIRES(state().mutex) {
  HEL_TRY(current_context());
  return find_in(state().modules, module);
}

Result<Function *> find_function(CUfunction function) HEL_REQUIRES(state().mutex) {
  HEL_TRY(current_context());
  return find_in(state().functions, function);
}

}  // namespace

Result<void> module_load_data(CUmodule *module, const void *image) {
  Lock lock(state().mutex);
  HEL_TRY(current_context());
  HEL_TRY(need(module, "module"));
  HEL_TRY(need(image, "image"));
  auto *made = new Module;
  state().modules.insert(made);
  *module = reinterpret_cast<CUmodule>(made);
  return {};
}

Result<void> module_unload(CUmodule hmod) {
  Lock lock(state().mutex);
  Module *module = HEL_TRY(find_module(hmod));
  for (const auto &[name, function] : module->functions) {
    state().functions.erase(function.get());
  }
  state().modules.erase(module);
  delete module;
  return {};
}

Result<void> module_get_function(CUfunction *hfunc, CUmodule hmod, const char *name) {
  Lock lock(state().mutex);
  Module *module = HEL_TRY(find_module(hmod));
  HEL_TRY(need(hfunc, "hfunc"));
  HEL_TRY(need(name, "name"));
  std::unique_ptr<Function> &function = module->functions[name];
  if (!function) {
    function.reset(new Function{module, name, {}});
    state().functions.insert(function.get());
  }
  *hfunc = reinterpret_cast<CUfunction>(function.get());
  return {};
}

Result<void> module_get_global(CUdeviceptr *dptr, size_t *bytes, CUmodule hmod, const char *name) {
  Lock lock(state().mutex);
  Module *module = HEL_TRY(find_module(hmod));
  HEL_TRY(need(name, "name"));
  CUdeviceptr &variable = module->variables[name];
  if (variable == 0) {
    variable = new_memory(kVariableBytes, Allocation::Device, HEL_TRY(current_context())->device, 0);
  }
  if (dptr != nullptr) {
    *dptr = variable;
  }
  if (bytes != nullptr) {
    *bytes = kVariableBytes;
  }
  return {};
}

Result<void> library_load_data(CUlibrary *library, const void *code, CUjit_option *jitOptions, void **jitOptionsValues,
                               unsigned int numJitOptions, CUlibraryOption *libraryOptions, void **libraryOptionValues,
                               unsigned int numLibraryOptions) {
  return module_load_data(reinterpret_cast<CUmodule *>(library), code);
}

Result<void> library_unload(CUlibrary library) { return module_unload(reinterpret_cast<CUmodule>(library)); }

Result<void> library_get_module(CUmodule *pMod, CUlibrary library) {
  Lock lock(state().mutex);
  HEL_TRY(need(pMod, "pMod"));
  *pMod = reinterpret_cast<CUmodule>(HEL_TRY(find_module(reinterpret_cast<CUmodule>(library))));
  return {};
}

Result<void> library_get_kernel(CUkernel *pKernel, CUlibrary library, const char *name) {
  return module_get_function(reinterpret_cast<CUfunction *>(pKernel), reinterpret_cast<CUmodule>(library), name);
}

Result<void> library_get_global(CUdeviceptr *dptr, size_t *bytes, CUlibrary library, const char *name) {
  return module_get_global(dptr, bytes, reinterpret_cast<CUmodule>(library), name);
}

Result<void> library_get_managed(CUdeviceptr *dptr, size_t *bytes, CUlibrary library, const char *name) {
  return module_get_global(dptr, bytes, reinterpret_cast<CUmodule>(library), name);
}

Result<void> kernel_get_function(CUfunction *pFunc, CUkernel kernel) {
  Lock lock(state().mutex);
  HEL_TRY(need(pFunc, "pFunc"));
  *pFunc = reinterpret_cast<CUfunction>(HEL_TRY(find_function(reinterpret_cast<CUfunction>(kernel))));
  return {};
}

Result<void> func_get_module(CUmodule *hmod, CUfunction hfunc) {
  Lock lock(state().mutex);
  HEL_TRY(need(hmod, "hmod"));
  *hmod = reinterpret_cast<CUmodule>(HEL_TRY(find_function(hfunc))->module);
  return {};
}

Result<void> func_get_name(const char **name, CUfunction hfunc) {
  Lock lock(state().mutex);
  HEL_TRY(need(name, "name"));
  *name = HEL_TRY(find_function(hfunc))->name.c_str();
  return {};
}

Result<void> func_get_attribute(int *pi, CUfunction_attribute attrib, CUfunction hfunc) {
  Lock lock(state().mutex);
  HEL_TRY(need(pi, "pi"));
  Function *function = HEL_TRY(find_function(hfunc));
  *pi = attrib == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK ? static_cast<int>(kMaxThreads)
                                                          : function->attributes[attrib];
  return {};
}

Result<void> func_set_attribute(CUfunction hfunc, CUfunction_attribute attrib, int value) {
  Lock lock(state().mutex);
  HEL_TRY(find_function(hfunc))->attributes[attrib] = value;
  return {};
}

Result<void> launch_kernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ,
                           unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ,
                           unsigned int sharedMemBytes, CUstream hStream, void **kernelParams, void **extra) {
  Lock lock(state().mutex);
  Function *function = HEL_TRY(find_function(f));
  Stream *stream = HEL_TRY(find_stream(hStream));
  unsigned long long threads = 1ull * blockDimX * blockDimY * blockDimZ;
  unsigned long long blocks = 1ull * gridDimX * gridDimY * gridDimZ;
  if (threads == 0 || threads > kMaxThreads || blocks == 0) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%llu blocks of %llu threads", blocks, threads);
  }
  enqueue(stream,
          format("kernel %s grid=(%u,%u,%u) block=(%u,%u,%u) shared=%u", function->name.c_str(), gridDimX, gridDimY,
                 gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes),
          nullptr);
  return {};
}

Result<void> launch_kernel_ex(const CUlaunchConfig *config, CUfunction f, void **kernelParams, void **extra) {
  HEL_TRY(need(config, "config"));
  return launch_kernel(f, config->gridDimX, config->gridDimY, config->gridDimZ, config->blockDimX, config->blockDimY,
                       config->blockDimZ, config->sharedMemBytes, config->hStream, kernelParams, extra);
}

Result<void> launch_cooperative_kernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY,
                                       unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY,
                                       unsigned int blockDimZ, unsigned int sharedMemBytes, CUstream hStream,
                                       void **kernelParams) {
  return launch_kernel(f, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes, hStream,
                       kernelParams, nullptr);
}

}  // namespace hel::null
