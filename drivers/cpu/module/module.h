// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules and their functions. A module is one loaded image in one context; its variables are memory of that context.
#pragma once

#include "abi/kernel.h"
#include "base/mutex.h"
#include "drivers/cpu/core/context.h"
#include "drivers/cpu/core/handle.h"
#include "drivers/cpu/memory/registry.h"
#include "drivers/cpu/module/loaded_image.h"

#include <cuda.h>

#include <atomic>
#include <string>
#include <unordered_map>
#include <vector>

namespace hel::cpu {

class Module;

/// What cuFuncSetAttribute may set; for kernels of libraries also before there is a function.
struct FunctionSettings {
  std::atomic<int> max_dynamic_shared{-1};  ///< -1: never set, the limit without opt-in holds
  std::atomic<int> carveout{-1};
  std::atomic<CUfunc_cache> cache{CU_FUNC_CACHE_PREFER_NONE};
  std::atomic<unsigned> cluster_width{0}, cluster_height{0}, cluster_depth{0};
  std::atomic<int> non_portable_cluster{0};
  std::atomic<int> cluster_scheduling{0};
};

/// What cuFuncSetBlockShape and cuParamSet* gather for cuLaunch.
struct NextLaunch {
  unsigned block[3] = {1, 1, 1};
  unsigned shared = 0;
  std::vector<uint8_t> params;
};

class Function : public HandleObject<Function, Tag::Function> {
public:
  Function(Module &module, const abi::KernelInfo &info) : module_(module), info_(info) {}
  Module &module() const { return module_; }
  const abi::KernelInfo &info() const { return info_; }
  FunctionSettings settings;
  Mutex next_mutex;
  NextLaunch next HEL_GUARDED_BY(next_mutex);

private:
  Module &module_;  ///< its end is the function's end
  const abi::KernelInfo &info_;
};

/// Where the managed variables of a module live: with the module, or with the library that all its copies share.
class ManagedStorage {
public:
  virtual ~ManagedStorage() = default;
  /// Memory with the variable's initial contents.
  virtual Result<void *> storage_of(Context &context, const abi::VariableInfo &variable) = 0;
};

struct Global {
  CUdeviceptr address;
  size_t bytes;
  abi::VariableKind kind;
};

class Module : public HandleObject<Module, Tag::Module> {
public:
  /// Loads into `context`. `managed` null: the module owns its managed variables.
  static Result<Ref<Module>> load(Context &context, std::unique_ptr<LoadedImage> image, ManagedStorage *managed);
  ~Module() override;

  Context &context() const { return context_; }
  const LoadedImage &image() const { return *image_; }
  Result<Ref<Function>> function(const char *name);
  Result<Ref<Function>> function(size_t index);
  size_t function_count() const { return image_->info().kernel_count; }
  Result<Global> global(const char *name) const;
  /// Ends the handles of its functions and the memory of its variables. The context has no unfinished work.
  void close();
  void owner_gone() override { close(); }

private:
  Module(Context &context, std::unique_ptr<LoadedImage> image) : context_(context), image_(std::move(image)) {}
  Result<void> place_variables(ManagedStorage *managed);

  Context &context_;
  std::unique_ptr<LoadedImage> image_;
  std::unordered_map<std::string, size_t> kernel_index_;  ///< fixed after load()
  std::unordered_map<std::string, Global> globals_;       ///< fixed after load()
  Mutex mutex_;
  std::vector<Allocation *> variables_ HEL_GUARDED_BY(mutex_);
  std::vector<Ref<Function>> functions_ HEL_GUARDED_BY(mutex_);  ///< made at first use; null before
};

/// Managed memory that does not end with a context.
Result<void *> make_managed_variable(Context &context, const abi::VariableInfo &variable, Allocation **allocation);

/// The function that a launch means: a CUfunction, or a CUkernel of a library, which stands for its function in the
/// current context.
Result<Ref<Function>> find_function(CUfunction handle);

}  // namespace hel::cpu
