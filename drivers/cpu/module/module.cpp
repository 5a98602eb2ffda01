// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/module/module.h"

#include "base/log.h"
#include "drivers/cpu/core/device.h"

#include <algorithm>
#include <cstring>

namespace hel::cpu {

Result<void *> make_managed_variable(Context &context, const abi::VariableInfo &variable, Allocation **allocation) {
  Allocation *memory =
      HEL_TRY(allocate(context, MemoryKind::Managed, std::max<size_t>(variable.bytes, 1), CU_MEM_ATTACH_GLOBAL));
  void *storage = reinterpret_cast<void *>(memory->base);
  if (variable.init != nullptr) {
    std::memcpy(storage, variable.init, variable.bytes);
  } else {
    std::memset(storage, 0, variable.bytes);
  }
  *allocation = memory;
  return storage;
}

Result<Ref<Module>> Module::load(Context &context, std::unique_ptr<LoadedImage> image, ManagedStorage *managed) {
  Ref<Module> module = HEL_TRY(publish(new Module(context, std::move(image))));
  const abi::ImageInfo &info = module->image_->info();
  for (uint32_t i = 0; i < info.kernel_count; i++) {
    module->kernel_index_.emplace(info.kernels[i].name, i);
  }
  {
    Lock lock(module->mutex_);
    module->functions_.resize(info.kernel_count);
  }
  if (Result<void> placed = module->place_variables(managed); !placed) {
    (void)retire<Module>(module->handle());
    return placed.take_failure();
  }
  context.add_child(*module, Tag::Module);
  HEL_LOG(module, 1, "loaded kernels=%u variables=%u", info.kernel_count, info.variable_count);
  return module;
}

Result<void> Module::place_variables(ManagedStorage *managed) {
  const abi::ImageInfo &info = image_->info();
  Lock lock(mutex_);
  for (uint32_t i = 0; i < info.variable_count; i++) {
    const abi::VariableInfo &variable = info.variables[i];
    uintptr_t address = reinterpret_cast<uintptr_t>(variable.address);
    if (variable.kind == abi::VariableKind::Managed) {
      Allocation *own = nullptr;
      void *storage = HEL_TRY(managed != nullptr ? managed->storage_of(context_, variable)
                                                 : make_managed_variable(context_, variable, &own));
      if (own != nullptr) {
        variables_.push_back(own);
      }
      std::memcpy(variable.address, &storage, sizeof storage);
      address = reinterpret_cast<uintptr_t>(storage);
    } else if (variable.bytes != 0) {
      variables_.push_back(HEL_TRY(register_external(context_, MemoryKind::Variable, address, variable.bytes, 0)));
    }
    globals_.emplace(variable.name, Global{address, variable.bytes, variable.kind});
  }
  return {};
}

void Module::close() {
  std::vector<Ref<Function>> functions;
  std::vector<Allocation *> variables;
  {
    Lock lock(mutex_);
    functions.swap(functions_);
    variables.swap(variables_);
  }
  for (const Ref<Function> &function : functions) {
    if (function) {
      (void)retire<Function>(function->handle());
    }
  }
  for (Allocation *variable : variables) {
    release(*variable);
  }
}

Module::~Module() { close(); }

Result<Ref<Function>> Module::function(size_t index) {
  Lock lock(mutex_);
  if (index >= functions_.size()) {
    return HEL_FAIL(CUDA_ERROR_INVALID_HANDLE, "the module is being unloaded");
  }
  if (!functions_[index]) {
    functions_[index] = HEL_TRY(publish(new Function(*this, image_->info().kernels[index])));
  }
  return functions_[index];
}

Result<Ref<Function>> Module::function(const char *name) {
  auto found = kernel_index_.find(name);
  if (found == kernel_index_.end()) {
    return HEL_FAIL(CUDA_ERROR_NOT_FOUND, "the module has no kernel '%s'", name);
  }
  return function(found->second);
}

Result<Global> Module::global(const char *name) const {
  auto found = globals_.find(name);
  if (found == globals_.end()) {
    return HEL_FAIL(CUDA_ERROR_NOT_FOUND, "the module has no variable '%s'", name);
  }
  return found->second;
}

}  // namespace hel::cpu
