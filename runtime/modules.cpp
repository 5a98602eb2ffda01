// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/modules.h"

#include "loader/spelling.h"
#include "runtime/context.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <driver_types.h>
#include <strings.h>
#include <unordered_map>

namespace hel::rt {
namespace {

/// Several entries a symbol: an inline kernel that two translation units instantiate has one stub and two modules.
template <typename Entry> using SymbolMap = std::unordered_map<const void *, std::vector<Entry>>;

struct Registry {
  Mutex mutex;
  std::vector<FatBinary *> binaries HEL_GUARDED_BY(mutex);
  SymbolMap<Kernel> kernels HEL_GUARDED_BY(mutex);
  SymbolMap<Variable> variables HEL_GUARDED_BY(mutex);
  std::atomic<unsigned> changes{0};  ///< counts what makes cached look-ups wrong
};

Registry &registry() {
  static Registry *const made = new Registry;  // never destroyed: used until the last dlclose
  return *made;
}

/// A thread's recent look-ups, by stub.
struct CachedFunction {
  const void *stub;
  unsigned long long context;
  unsigned changes;
  CUfunction function;
};
// Few: the library's thread-local data must fit into what the system keeps free for libraries opened by dlopen.
constexpr size_t kCachedFunctions = 16;
thread_local CachedFunction cached_functions[kCachedFunctions];

CachedFunction &cache_slot(const void *stub) {
  uintptr_t bits = reinterpret_cast<uintptr_t>(stub);
  return cached_functions[(bits >> 4 ^ bits >> 10) % kCachedFunctions];
}

Result<unsigned long long> current_context_id(const DriverTable &cu) {
  unsigned long long id = 0;
  HEL_TRY(check(cu.CtxGetId(nullptr, &id)));
  return id;
}

template <typename Entry> void erase_binary(SymbolMap<Entry> &map, const FatBinary *binary) {
  for (auto at = map.begin(); at != map.end();) {
    std::vector<Entry> &entries = at->second;
    entries.erase(std::remove_if(entries.begin(), entries.end(), [&](const Entry &e) { return e.binary == binary; }),
                  entries.end());
    at = entries.empty() ? map.erase(at) : std::next(at);
  }
}

Result<CUfunction> function_of_handle(const DriverTable &cu, const void *handle) {
  CUfunction function = nullptr;
  if (cu.KernelGetFunction(&function, static_cast<CUkernel>(const_cast<void *>(handle))) == CUDA_SUCCESS) {
    return function;
  }
  function = static_cast<CUfunction>(const_cast<void *>(handle));
  CUmodule module = nullptr;
  if (handle != nullptr && cu.FuncGetModule(&module, function) == CUDA_SUCCESS) {
    return function;
  }
  return HEL_FAIL(cudaErrorInvalidDeviceFunction, "%p is no kernel of this program", handle);
}

/// Managed storage when the module cannot be loaded: the host's part of the program still works.
void use_host_storage(const Variable &variable) {
  void **pointer = static_cast<void **>(const_cast<void *>(variable.shadow));
  if (*pointer == nullptr) {
    *pointer = std::calloc(1, variable.bytes);
    if (variable.init != nullptr && *pointer != nullptr) {
      std::memcpy(*pointer, variable.init, variable.bytes);
    }
  }
}

bool loads_eagerly() {
  static const bool eager = [] {
    const char *mode = std::getenv("CUDA_MODULE_LOADING");
    mode = mode != nullptr ? mode : std::getenv("MUSA_MODULE_LOADING");
    return mode != nullptr && strcasecmp(mode, "EAGER") == 0;
  }();
  return eager;
}

Result<void> load_now(FatBinary *binary) {
  const DriverTable *cu = HEL_TRY(bound_driver());
  HEL_TRY(binary->module_in(*cu, HEL_TRY(current_context_id(*cu))));
  return {};
}

/// Loads outside any thread's choice of device: the current context is as before afterwards.
Result<void> load_for_host(FatBinary *binary) {
  const DriverTable *cu = HEL_TRY(driver());
  CUcontext before = nullptr;
  HEL_TRY(check(cu->CtxGetCurrent(&before)));
  Result<void> result = load_now(binary);
  HEL_TRY(check(cu->CtxSetCurrent(before)));
  return result;
}

}  // namespace

FatBinary *add_binary(std::vector<const abi::ImageHeader *> containers) {
  for (const abi::ImageHeader *container : containers) {
    loader::note_module_language(container->language == abi::ImageLanguage::Musa);
  }
  auto *binary = new FatBinary(std::move(containers));
  Registry &r = registry();
  Lock lock(r.mutex);
  r.binaries.push_back(binary);
  return binary;
}

void add_kernel(const Kernel &kernel) {
  Registry &r = registry();
  Lock lock(r.mutex);
  r.kernels[kernel.stub].push_back(kernel);
}

void add_variable(const Variable &variable) {
  if (variable.use == VariableUse::Managed) {
    variable.binary->add(variable);
  }
  Registry &r = registry();
  Lock lock(r.mutex);
  r.variables[variable.shadow].push_back(variable);
}

void finish_binary(FatBinary *binary) {
  if (!binary->has_managed()) {
    return;
  }
  bool loaded = static_cast<bool>(load_for_host(binary));
  for (const Variable &variable : binary->managed()) {
    if (!loaded) {
      use_host_storage(variable);
    }
    // The host's name for a managed variable is the storage itself.
    Registry &r = registry();
    Lock lock(r.mutex);
    r.variables[*static_cast<void *const *>(variable.shadow)].push_back(variable);
  }
}

void remove_binary(FatBinary *binary) {
  Registry &r = registry();
  {
    Lock lock(r.mutex);
    r.binaries.erase(std::remove(r.binaries.begin(), r.binaries.end(), binary), r.binaries.end());
    erase_binary(r.kernels, binary);
    erase_binary(r.variables, binary);
    r.changes.fetch_add(1, std::memory_order_release);
  }
  if (process_exits()) {
    return;
  }
  if (Result<const DriverTable *> cu = driver()) {
    binary->unload_everywhere(*cu.value());
  }
  delete binary;
}

const Kernel *find_kernel(const void *stub) {
  Registry &r = registry();
  Lock lock(r.mutex);
  auto found = r.kernels.find(stub);
  return found == r.kernels.end() ? nullptr : &found->second.front();
}

Result<CUfunction> function_of(const void *stub) {
  const DriverTable *cu = HEL_TRY(bound_driver());
  unsigned long long context = HEL_TRY(current_context_id(*cu));
  unsigned changes = registry().changes.load(std::memory_order_acquire);
  CachedFunction &slot = cache_slot(stub);
  if (slot.stub == stub && slot.context == context && slot.changes == changes && slot.function != nullptr) [[likely]] {
    return slot.function;
  }
  const Kernel *kernel = find_kernel(stub);
  if (kernel == nullptr) {
    return function_of_handle(*cu, stub);
  }
  CUmodule module = HEL_TRY(kernel->binary->module_in(*cu, context));
  CUfunction function = nullptr;
  CUresult code = cu->ModuleGetFunction(&function, module, kernel->name);
  if (code == CUDA_ERROR_NOT_FOUND) {
    return HEL_FAIL(cudaErrorInvalidDeviceFunction, "the module has no kernel %s", kernel->name);
  }
  HEL_TRY(check(code));
  slot = {stub, context, changes, function};
  return function;
}

Result<VariablePlace> variable_of(const void *shadow) {
  const DriverTable *cu = HEL_TRY(bound_driver());
  Variable variable;
  {
    Registry &r = registry();
    Lock lock(r.mutex);
    auto found = r.variables.find(shadow);
    if (found == r.variables.end()) {
      return HEL_FAIL(cudaErrorInvalidSymbol, "%p is no device variable of this program", shadow);
    }
    variable = found->second.front();
  }
  CUmodule module = HEL_TRY(variable.binary->module_in(*cu, HEL_TRY(current_context_id(*cu))));
  VariablePlace place;
  CUresult code = cu->ModuleGetGlobal(&place.address, &place.bytes, module, variable.name);
  if (code == CUDA_ERROR_NOT_FOUND) {
    return HEL_FAIL(cudaErrorInvalidSymbol, "the module has no variable %s", variable.name);
  }
  HEL_TRY(check(code));
  return place;
}

Result<void> load_eager_modules() {
  if (!loads_eagerly()) {
    return {};
  }
  std::vector<FatBinary *> binaries;
  {
    Registry &r = registry();
    Lock lock(r.mutex);
    binaries = r.binaries;
  }
  for (FatBinary *binary : binaries) {
    HEL_TRY(load_now(binary));
  }
  return {};
}

void forget_context(CUcontext context) {
  const DriverTable &cu = *driver().value();
  unsigned long long id = 0;
  if (cu.CtxGetId(context, &id) != CUDA_SUCCESS) {
    return;
  }
  Registry &r = registry();
  Lock lock(r.mutex);
  for (FatBinary *binary : r.binaries) {
    binary->forget(id);
  }
  r.changes.fetch_add(1, std::memory_order_release);
}

}  // namespace hel::rt
