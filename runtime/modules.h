// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device code that the compiler embedded in the program, and the way from a host symbol (a kernel's stub, a
// variable's shadow) to what it stands for in the current context. A module is loaded into a context when one of its
// kernels or variables is first used there (CUDA_MODULE_LOADING=EAGER: when the context is made).
//
// Registration runs before main and inside dlopen, unregistration at exit and inside dlclose: nothing here has a
// constructor or destructor that runs by itself.
#pragma once

#include "abi/image.h"
#include "base/mutex.h"
#include "base/result.h"
#include "helicon/gen/driver_table.h"

#include <vector>

namespace hel::rt {

class FatBinary;

struct Kernel {
  const void *stub;
  const char *name;  ///< mangled
  FatBinary *binary;
};

enum class VariableUse { Device, Constant, Managed, Texture, Surface };

struct Variable {
  const void *shadow;  ///< the host's variable; for managed ones the host's pointer to the storage
  const char *name;
  size_t bytes;
  VariableUse use;
  const void *init;  ///< of a managed variable; null: zeros
  FatBinary *binary;
};

/// One container, or all containers of a shared object that are linked together (separate compilation).
class FatBinary {
public:
  explicit FatBinary(std::vector<const abi::ImageHeader *> containers) : containers_(std::move(containers)) {}

  /// The module in the context that is current and has the id `context`; loads it at the first call.
  Result<CUmodule> module_in(const DriverTable &cu, unsigned long long context);

  void add(const Variable &managed) { managed_.push_back(managed); }
  bool has_managed() const { return !managed_.empty(); }
  const std::vector<Variable> &managed() const { return managed_; }

  /// The context is about to be destroyed, and the module in it.
  void forget(unsigned long long context);
  void unload_everywhere(const DriverTable &cu);

private:
  struct Loaded {
    unsigned long long context_id;
    CUcontext context;
    CUmodule module;
  };
  Result<CUmodule> load(const DriverTable &cu);
  Result<CUmodule> link(const DriverTable &cu);
  Result<void> point_managed_variables(const DriverTable &cu, CUmodule module);

  const std::vector<const abi::ImageHeader *> containers_;
  std::vector<Variable> managed_;  // filled during registration only
  Mutex mutex_;
  std::vector<Loaded> loaded_ HEL_GUARDED_BY(mutex_);
};

// Registration.
FatBinary *add_binary(std::vector<const abi::ImageHeader *> containers);
void add_kernel(const Kernel &kernel);
void add_variable(const Variable &variable);
/// All symbols are registered: managed variables get their storage now, since the host may use them at once.
void finish_binary(FatBinary *binary);
void remove_binary(FatBinary *binary);

/// The function behind a stub in the current context. Also accepts a CUfunction or CUkernel.
/// cudaErrorInvalidDeviceFunction: neither.
Result<CUfunction> function_of(const void *stub);

/// The registered kernel of a stub; null if there is none.
const Kernel *find_kernel(const void *stub);

struct VariablePlace {
  CUdeviceptr address = 0;
  size_t bytes = 0;
};

/// The variable behind a host symbol in the current context. cudaErrorInvalidSymbol: not a device variable.
Result<VariablePlace> variable_of(const void *shadow);

/// CUDA_MODULE_LOADING=EAGER: loads everything into the current context. Else does nothing.
Result<void> load_eager_modules();

/// Call before a context is destroyed.
void forget_context(CUcontext context);

}  // namespace hel::rt
