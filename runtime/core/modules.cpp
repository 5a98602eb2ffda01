// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/modules.h"

#include "base/platform_variable.h"
#include "base/thread_value.h"
#include "loader/forked_child.h"
#include "loader/spelling.h"
#include "runtime/core/context.h"

#include <driver_types.h>
#include <strings.h>
#include <sys/uio.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>
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
  std::unordered_map<const void *, const void *> stubs HEL_GUARDED_BY(mutex);  ///< by kernel handle
  std::atomic<unsigned> changes{0};  ///< counts what makes cached look-ups wrong
};

Registry &registry() {
  static Registry *const made = new Registry;  // never destroyed: used until the last dlclose
  return *made;
}

/// A thread's recent look-ups, by stub.
struct CachedKernel {
  const void *stub = nullptr;
  unsigned changes = 0;
  CUkernel kernel = nullptr;
};
// Few: the library's thread-local data must fit into what the system keeps free for libraries opened by dlopen.
constexpr size_t kCachedKernels = 16;
HEL_THREAD_LOCAL constinit CachedKernel cached_kernels[kCachedKernels];

CachedKernel &cache_slot(const void *stub) {
  uintptr_t bits = reinterpret_cast<uintptr_t>(stub);
  return cached_kernels[(bits >> 4 ^ bits >> 10) % kCachedKernels];
}

template <typename Entry> void erase_binary(SymbolMap<Entry> &map, const FatBinary *binary) {
  for (auto at = map.begin(); at != map.end();) {
    std::vector<Entry> &entries = at->second;
    entries.erase(std::remove_if(entries.begin(), entries.end(), [&](const Entry &e) { return e.binary == binary; }),
                  entries.end());
    at = entries.empty() ? map.erase(at) : std::next(at);
  }
}

/// A handle in the place of a stub. Looking up a handle is safe for any pointer.
Result<CUfunction> launchable_handle(const DriverTable &cu, const void *handle) {
  auto function = static_cast<CUfunction>(const_cast<void *>(handle));
  CUlibrary library = nullptr;
  CUmodule module = nullptr;
  if (handle != nullptr && (cu.KernelGetLibrary(&library, reinterpret_cast<CUkernel>(function)) == CUDA_SUCCESS ||
                            cu.FuncGetModule(&module, function) == CUDA_SUCCESS)) {
    return function;
  }
  return HEL_FAIL(cudaErrorInvalidDeviceFunction, "%p is no kernel of this program", handle);
}

const Kernel *find_kernel(Registry &r, const void *stub) HEL_REQUIRES(r.mutex) {
  auto found = r.kernels.find(stub);
  return found == r.kernels.end() ? nullptr : &found->second.front();
}

/// The text at a pointer that may be anything; empty if there is none that could be a name.
std::string name_at(const void *pointer) {
  char text[256] = {};
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  iovec own{text, sizeof(text) - 1};
  iovec there{reinterpret_cast<void *>(address), std::min(sizeof(text) - 1, 4096 - address % 4096)};
  if (process_vm_readv(getpid(), &own, 1, &there, 1, 0) <= 0) {
    return "";
  }
  return std::strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::strlen(text)
             ? text
             : "";
}

/// Programs from before CUDA 5 name a variable by a string.
const Variable *find_variable_by_name(Registry &r, const void *pointer) HEL_REQUIRES(r.mutex) {
  const std::string name = name_at(pointer);
  if (name.empty()) {
    return nullptr;
  }
  for (const auto &[shadow, entries] : r.variables) {
    if (entries.front().name == name) {
      return &entries.front();
    }
  }
  return nullptr;
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
    const char *mode = platform_variable(PlatformVariable::ModuleLoading);
    return mode != nullptr && strcasecmp(mode, "EAGER") == 0;
  }();
  return eager;
}

/// Loads outside any thread's choice of device: the current context is as before afterwards.
Result<void> load_for_host(FatBinary *binary) {
  const DriverTable *cu = HEL_TRY(driver());
  CUcontext before = nullptr;
  HEL_TRY(check(cu->CtxGetCurrent(&before)));
  HEL_TRY(bound_driver());
  Result<void> result = binary->load_now(*cu);
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
  if (binary->managed().empty()) {
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
  if (loader::is_forked_child()) {
    return;  // what it was loaded into is the parent's, and so may the lock be
  }
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
    binary->unload(*cu.value());
  }
  delete binary;
}

Result<CUfunction> launchable(const DriverTable &cu, const void *stub) {
  Registry &r = registry();
  unsigned changes = r.changes.load(std::memory_order_acquire);
  CachedKernel &slot = cache_slot(stub);
  if (slot.stub != stub || slot.changes != changes || slot.kernel == nullptr) [[unlikely]] {
    Kernel kernel{};
    {
      Lock lock(r.mutex);
      if (const Kernel *found = find_kernel(r, stub)) {
        kernel = *found;
      }
    }
    if (kernel.binary == nullptr) {
      return launchable_handle(cu, stub);
    }
    CUkernel handle = nullptr;
    CUresult code = cu.LibraryGetKernel(&handle, HEL_TRY(kernel.binary->library(cu)), kernel.name);
    if (code == CUDA_ERROR_NOT_FOUND) {
      return HEL_FAIL(cudaErrorInvalidDeviceFunction, "the module has no kernel %s", kernel.name);
    }
    HEL_TRY(check(code));
    slot = {stub, changes, handle};
    Lock lock(r.mutex);
    r.stubs[handle] = stub;
  }
  return reinterpret_cast<CUfunction>(slot.kernel);
}

Result<CUfunction> launchable(const void *stub) { return launchable(*HEL_TRY(bound_driver()), stub); }

const void *stub_of(CUfunction launchable) {
  Registry &r = registry();
  Lock lock(r.mutex);
  auto found = r.stubs.find(launchable);
  return found == r.stubs.end() ? launchable : found->second;
}

Result<CUfunction> function_of(const void *stub) {
  CUfunction launch = HEL_TRY(launchable(stub));
  CUfunction function = nullptr;
  CUresult code = HEL_TRY(driver())->KernelGetFunction(&function, reinterpret_cast<CUkernel>(launch));
  return code == CUDA_SUCCESS ? function : launch;  // a CUfunction is no CUkernel
}

Result<VariablePlace> variable_of(const void *shadow) {
  const DriverTable *cu = HEL_TRY(bound_driver());
  Variable variable;
  {
    Registry &r = registry();
    Lock lock(r.mutex);
    auto found = r.variables.find(shadow);
    const Variable *known = found != r.variables.end() ? &found->second.front() : find_variable_by_name(r, shadow);
    if (known == nullptr) {
      return HEL_FAIL(cudaErrorInvalidSymbol, "%p is no device variable of this program", shadow);
    }
    variable = *known;
  }
  CUlibrary library = HEL_TRY(variable.binary->library(*cu));
  VariablePlace place;
  auto get = variable.use == VariableUse::Managed ? cu->LibraryGetManaged : cu->LibraryGetGlobal;
  CUresult code = get(&place.address, &place.bytes, library, variable.name);
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
  const DriverTable *cu = HEL_TRY(driver());
  for (FatBinary *binary : binaries) {
    HEL_TRY(binary->load_now(*cu));
  }
  return {};
}

}  // namespace hel::rt
