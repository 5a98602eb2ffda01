// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device code that the compiler embedded in the program, and the way from a host symbol (a kernel's stub, a
// variable's shadow) to what it stands for. Code is loaded when one of its kernels or variables is first used, into the
// context that uses it (CUDA_MODULE_LOADING=EAGER: when the context is made).
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

/// One container, or all containers of a shared object that are linked together (separate compilation). For the driver
/// it is a library: one for the process, with a module in each context that uses it.
class FatBinary {
public:
  explicit FatBinary(std::vector<const abi::ImageHeader *> containers) : containers_(std::move(containers)) {}

  /// The library; loads it at the first call. A context must be current.
  Result<CUlibrary> library(const DriverTable &cu);
  /// Loads the module into the current context and gives managed variables their storage.
  Result<void> load_now(const DriverTable &cu);
  void unload(const DriverTable &cu);

  void add(const Variable &managed) { managed_.push_back(managed); }
  const std::vector<Variable> &managed() const { return managed_; }

private:
  Result<CUlibrary> load(const DriverTable &cu);
  Result<CUlibrary> link(const DriverTable &cu);

  const std::vector<const abi::ImageHeader *> containers_;
  std::vector<Variable> managed_;  // filled during registration only
  Mutex mutex_;
  CUlibrary library_ HEL_GUARDED_BY(mutex_) = nullptr;
};

// Registration.
FatBinary *add_binary(std::vector<const abi::ImageHeader *> containers);
void add_kernel(const Kernel &kernel);
void add_variable(const Variable &variable);
/// All symbols are registered: managed variables get their storage now, since the host may use them at once.
void finish_binary(FatBinary *binary);
void remove_binary(FatBinary *binary);

/// The kernel behind a stub, to be launched in any context (the driver takes a CUkernel where it takes a CUfunction).
/// Also accepts a CUkernel or a CUfunction. cudaErrorInvalidDeviceFunction: none of these. Binds a context.
Result<CUfunction> launchable(const void *stub);
/// The same with what bound_driver() gave.
Result<CUfunction> launchable(const DriverTable &cu, const void *stub);

/// The stub behind what launchable() gave, or the handle itself.
const void *stub_of(CUfunction launchable);

/// Its function in the current context.
Result<CUfunction> function_of(const void *stub);

struct VariablePlace {
  CUdeviceptr address = 0;
  size_t bytes = 0;
};

/// The variable behind a host symbol in the current context. cudaErrorInvalidSymbol: not a device variable.
Result<VariablePlace> variable_of(const void *shadow);

/// CUDA_MODULE_LOADING=EAGER: loads everything into the current context. Else does nothing.
Result<void> load_eager_modules();

}  // namespace hel::rt
