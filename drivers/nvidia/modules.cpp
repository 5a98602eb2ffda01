// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/nvidia/modules.h"

#include "abi/image.h"
#include "base/driver_result.h"
#include "drivers/nvidia/driver.h"
#include "drivers/nvidia/known_handles.h"
#include "drivers/nvidia/ptx_image.h"

#include <cstdio>
#include <vector>

namespace hel::nvidia {
namespace {

const DriverTable &cu() { return vendor_table(); }

/// A driver's answer as a Result.
Result<void> check(CUresult code) {
  if (code == CUDA_SUCCESS) {
    return {};
  }
  return make_failure(code, FailureKind::Misuse, __FILE__, __LINE__, "");
}

// --- code

CUresult load_module(CUmodule *module, const void *image, unsigned count, CUjit_option *options, void **values) {
  auto load = [&]() -> Result<void> {
    Code code = HEL_TRY(Code::of(image));
    return check(cu().ModuleLoadDataEx(module, code.data(), count, options, values));
  };
  return driver_result("ModuleLoadData", load());
}

CUresult module_load_data(CUmodule *module, const void *image) { return load_module(module, image, 0, nullptr, nullptr); }
CUresult module_load_data_ex(CUmodule *module, const void *image, unsigned count, CUjit_option *options, void **values) {
  return load_module(module, image, count, options, values);
}

Result<std::vector<char>> read_file(const char *path) {
  std::FILE *file = path == nullptr ? nullptr : std::fopen(path, "rbe");
  if (file == nullptr) {
    return HEL_FAIL(path == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_FILE_NOT_FOUND, "cannot read '%s'", path ? path : "");
  }
  std::vector<char> bytes;
  char piece[65536];
  for (size_t got; (got = std::fread(piece, 1, sizeof piece, file)) > 0;) {
    bytes.insert(bytes.end(), piece, piece + got);
  }
  const bool is_read = std::ferror(file) == 0;  // a folder is opened, but not read
  std::fclose(file);
  if (!is_read) {
    return HEL_FAIL(CUDA_ERROR_FILE_NOT_FOUND, "cannot read '%s'", path);
  }
  bytes.resize(bytes.size() + 64);  // text ends with a 0, and looking for a header stays inside
  return bytes;
}

CUresult module_load(CUmodule *module, const char *path) {
  auto load = [&]() -> Result<void> {
    std::vector<char> bytes = HEL_TRY(read_file(path));
    return check(load_module(module, bytes.data(), 0, nullptr, nullptr));
  };
  return driver_result("ModuleLoad", load());
}

CUresult library_load_data(CUlibrary *library, const void *image, CUjit_option *jit, void **jit_values, unsigned jit_count,
                           CUlibraryOption *options, void **values, unsigned count) {
  auto load = [&]() -> Result<void> {
    Code code = HEL_TRY(Code::of(image));
    std::vector<CUlibraryOption> kept;
    std::vector<void *> kept_values;
    for (unsigned i = 0; options != nullptr && i < count; i++) {
      // Unpacked text goes when this call ends.
      if (!code.is_unpacked() || options[i] != CU_LIBRARY_BINARY_IS_PRESERVED) {
        kept.push_back(options[i]);
        kept_values.push_back(values != nullptr ? values[i] : nullptr);
      }
    }
    return check(cu().LibraryLoadData(library, code.data(), jit, jit_values, jit_count, kept.data(), kept_values.data(),
                                      static_cast<unsigned>(kept.size())));
  };
  return driver_result("LibraryLoadData", load());
}

CUresult library_load_from_file(CUlibrary *library, const char *path, CUjit_option *jit, void **jit_values, unsigned jit_count,
                                CUlibraryOption *options, void **values, unsigned count) {
  auto load = [&]() -> Result<void> {
    std::vector<char> bytes = HEL_TRY(read_file(path));
    return check(library_load_data(library, bytes.data(), jit, jit_values, jit_count, options, values, count));
  };
  return driver_result("LibraryLoadFromFile", load());
}

CUresult link_add_data(CUlinkState state, CUjitInputType type, void *data, size_t bytes, const char *name, unsigned count,
                       CUjit_option *options, void **values) {
  auto add = [&]() -> Result<void> {
    Code code = HEL_TRY(Code::of(data, bytes));
    if (code.is_unpacked()) {
      type = CU_JIT_INPUT_PTX;
      bytes = code.bytes();
    }
    return check(cu().LinkAddData(state, type, const_cast<void *>(code.data()), bytes, name, count, options, values));
  };
  return driver_result("LinkAddData", add());
}

CUresult link_add_file(CUlinkState state, CUjitInputType type, const char *path, unsigned count, CUjit_option *options,
                       void **values) {
  auto add = [&]() -> Result<void> {
    std::vector<char> bytes = HEL_TRY(read_file(path));
    Code code = HEL_TRY(Code::of(bytes.data(), bytes.size()));
    if (!code.is_unpacked()) {
      return check(cu().LinkAddFile(state, type, path, count, options, values));
    }
    return check(link_add_data(state, type, bytes.data(), bytes.size(), path, count, options, values));
  };
  return driver_result("LinkAddFile", add());
}

// --- managed variables: the storage has a name of its own (abi/image.h)

std::string storage_of(const char *name) { return std::string(name) + abi::kManagedStorage; }

CUresult library_get_managed(CUdeviceptr *address, size_t *bytes, CUlibrary library, const char *name) {
  CUresult code = name == nullptr ? CUDA_ERROR_NOT_FOUND : cu().LibraryGetManaged(address, bytes, library, storage_of(name).c_str());
  return code == CUDA_ERROR_NOT_FOUND ? cu().LibraryGetManaged(address, bytes, library, name) : code;
}

CUresult module_get_global(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name) {
  CUresult code = name == nullptr ? CUDA_ERROR_NOT_FOUND : cu().ModuleGetGlobal(address, bytes, module, storage_of(name).c_str());
  return code == CUDA_ERROR_NOT_FOUND ? cu().ModuleGetGlobal(address, bytes, module, name) : code;
}

// --- handles that the runtime asks about

CUresult library_get_kernel(CUkernel *kernel, CUlibrary library, const char *name) {
  CUresult code = cu().LibraryGetKernel(kernel, library, name);
  if (code == CUDA_SUCCESS) {
    note_handle(*kernel, library);
  }
  return code;
}

CUresult library_enumerate_kernels(CUkernel *kernels, unsigned count, CUlibrary library) {
  CUresult code = cu().LibraryEnumerateKernels(kernels, count, library);
  for (unsigned i = 0; code == CUDA_SUCCESS && i < count; i++) {
    if (kernels[i] != nullptr) {
      note_handle(kernels[i], library);
    }
  }
  return code;
}

CUresult library_unload(CUlibrary library) {
  forget_handles_of(library);
  return cu().LibraryUnload(library);
}

CUresult module_get_function(CUfunction *function, CUmodule module, const char *name) {
  CUresult code = cu().ModuleGetFunction(function, module, name);
  if (code == CUDA_SUCCESS) {
    note_handle(*function, module);
  }
  return code;
}

CUresult module_unload(CUmodule module) {
  forget_handles_of(module);
  return cu().ModuleUnload(module);
}

CUresult kernel_get_function(CUfunction *function, CUkernel kernel) {
  if (!is_known_handle(kernel)) {
    return CUDA_ERROR_INVALID_HANDLE;
  }
  CUresult code = cu().KernelGetFunction(function, kernel);
  CUlibrary library = nullptr;
  if (code == CUDA_SUCCESS && cu().KernelGetLibrary(&library, kernel) == CUDA_SUCCESS) {
    note_handle(*function, library);
  }
  return code;
}

CUresult kernel_get_library(CUlibrary *library, CUkernel kernel) {
  return is_known_handle(kernel) ? cu().KernelGetLibrary(library, kernel) : CUDA_ERROR_INVALID_HANDLE;
}

CUresult func_get_module(CUmodule *module, CUfunction function) {
  return is_known_handle(function) ? cu().FuncGetModule(module, function) : CUDA_ERROR_INVALID_HANDLE;
}

/// The library tells a node's function, but not the kernel that it was made with, by which the runtime knows it.
CUresult kernel_node_get_params(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *params) {
  CUresult code = cu().GraphKernelNodeGetParams(node, params);
  if (code != CUDA_SUCCESS || params->func == nullptr || params->kern != nullptr) {
    return code;
  }
  for (CUkernel kernel : known_kernels()) {
    CUfunction function = nullptr;
    if (cu().KernelGetFunction(&function, kernel) == CUDA_SUCCESS && function == params->func) {
      params->kern = kernel;
    }
  }
  return code;
}

/// Host memory can be mapped always; the runtime's flag for it is none of a primary context.
CUresult primary_context_set_flags(CUdevice device, unsigned flags) {
  return cu().DevicePrimaryCtxSetFlags(device, flags & ~static_cast<unsigned>(CU_CTX_MAP_HOST));
}

}  // namespace

void put_module_functions(DriverTable &table) {
  table.ModuleLoad = module_load;
  table.ModuleLoadData = module_load_data;
  table.ModuleLoadDataEx = module_load_data_ex;
  table.ModuleLoadFatBinary = module_load_data;
  table.LibraryLoadData = library_load_data;
  table.LibraryLoadFromFile = library_load_from_file;
  table.LinkAddData = link_add_data;
  table.LinkAddFile = link_add_file;
  table.LibraryGetManaged = library_get_managed;
  table.ModuleGetGlobal = module_get_global;
  table.LibraryGetKernel = library_get_kernel;
  table.LibraryEnumerateKernels = library_enumerate_kernels;
  table.LibraryUnload = library_unload;
  table.ModuleGetFunction = module_get_function;
  table.ModuleUnload = module_unload;
  table.KernelGetFunction = kernel_get_function;
  table.KernelGetLibrary = kernel_get_library;
  table.FuncGetModule = func_get_module;
  table.GraphKernelNodeGetParams = kernel_node_get_params;
  table.DevicePrimaryCtxSetFlags = primary_context_set_flags;
}

}  // namespace hel::nvidia
