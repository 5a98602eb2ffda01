// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points: modules.
#include "base/platform_variable.h"
#include "drivers/cpu/core/checks.h"
#include "drivers/cpu/core/device.h"
#include "drivers/cpu/module/file.h"
#include "drivers/cpu/module/jit_log.h"
#include "drivers/cpu/module/module.h"
#include "helicon/gen/cpu_impl.h"

#include <strings.h>

#include <algorithm>

namespace hel::cpu {
namespace {

Result<void> load(CUmodule *out, const void *image, size_t bytes) {
  Context *context = HEL_TRY(current_context());
  HEL_TRY(check_out(out, "module"));
  ImageSource source = HEL_TRY(open_image(image, bytes));
  ElfBytes elf = HEL_TRY(choose_elf(source));
  *out = HEL_TRY(Module::load(*context, HEL_TRY(LoadedImage::load(elf)), nullptr))->handle();
  return {};
}

}  // namespace

Result<void> module_load(CUmodule *module, const char *fname) {
  HEL_TRY(current_context());
  HEL_TRY(check_out(fname, "fname"));
  std::vector<uint8_t> bytes = HEL_TRY(read_file(fname));
  return load(module, bytes.data(), bytes.size());
}

Result<void> module_load_data(CUmodule *module, const void *image) { return load(module, image, 0); }

Result<void> module_load_data_ex(CUmodule *module, const void *image, unsigned int numOptions, CUjit_option *options,
                                 void **optionValues) {
  JitLog log = HEL_TRY(JitLog::read(numOptions, options, optionValues));
  return log.close(load(module, image, 0));
}

Result<void> module_load_fat_binary(CUmodule *module, const void *fatCubin) { return load(module, fatCubin, 0); }

Result<void> module_unload(CUmodule hmod) {
  HEL_TRY(check_initialized());
  Ref<Module> module = HEL_TRY(find<Module>(hmod));
  HEL_TRY(module->context().check());
  HEL_TRY(retire<Module>(hmod));
  module->context().synchronize();
  module->context().remove_child(*module);
  module->close();
  return {};
}

Result<void> module_get_loading_mode(CUmoduleLoadingMode *mode) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(mode, "mode"));
  const char *wanted = platform_variable(PlatformVariable::ModuleLoading);
  *mode = wanted != nullptr && strcasecmp(wanted, "EAGER") == 0 ? CU_MODULE_EAGER_LOADING : CU_MODULE_LAZY_LOADING;
  return {};
}

Result<void> module_get_function(CUfunction *hfunc, CUmodule hmod, const char *name) {
  HEL_TRY(current_context());
  HEL_TRY(check_out(hfunc, "hfunc"));
  HEL_TRY(check_out(name, "name"));
  Ref<Module> module = HEL_TRY(find<Module>(hmod));
  *hfunc = HEL_TRY(module->function(name))->handle();
  return {};
}

Result<void> module_get_function_count(unsigned int *count, CUmodule mod) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(count, "count"));
  *count = static_cast<unsigned>(HEL_TRY(find<Module>(mod))->function_count());
  return {};
}

Result<void> module_enumerate_functions(CUfunction *functions, unsigned int numFunctions, CUmodule mod) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(functions, "functions"));
  Ref<Module> module = HEL_TRY(find<Module>(mod));
  const size_t count = std::min<size_t>(numFunctions, module->function_count());
  for (size_t i = 0; i < count; i++) {
    functions[i] = HEL_TRY(module->function(i))->handle();
  }
  return {};
}

Result<void> module_get_global(CUdeviceptr *dptr, size_t *bytes, CUmodule hmod, const char *name) {
  HEL_TRY(current_context());
  HEL_TRY(check_out(name, "name"));
  Ref<Module> module = HEL_TRY(find<Module>(hmod));
  if (dptr == nullptr && bytes == nullptr) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "dptr and bytes are both null");
  }
  Global global = HEL_TRY(module->global(name));
  if (dptr != nullptr) {
    *dptr = global.address;
  }
  if (bytes != nullptr) {
    *bytes = global.bytes;
  }
  return {};
}

}  // namespace hel::cpu
