// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/module/library.h"

#include "drivers/cpu/core/device.h"
#include "drivers/cpu/module/function.h"

#include <cstring>

namespace hel::cpu {

Result<Ref<Library>> Library::load(const void *image, size_t bytes, bool preserved) {
  ImageSource source = HEL_TRY(open_image(image, bytes));
  Ref<Library> library = HEL_TRY(publish(new Library));
  auto read = [&]() -> Result<void> {
    library->elf_ = HEL_TRY(choose_elf(source));
    if (library->elf_.owned.empty() && !preserved) {
      library->copy_.assign(library->elf_.data, library->elf_.data + library->elf_.bytes);
      library->elf_.data = library->copy_.data();
    }
    return library->read_records();
  };
  if (Result<void> done = read(); !done) {
    (void)retire<Library>(library->handle());
    return done.take_failure();
  }
  return library;
}

/// The names and facts of the kernels, from a first copy, which the first context gets later.
Result<void> Library::read_records() {
  std::unique_ptr<LoadedImage> image = HEL_TRY(LoadedImage::load(elf_));
  for (uint32_t i = 0; i < image->info().kernel_count; i++) {
    const abi::KernelInfo &info = image->info().kernels[i];
    auto record = std::make_unique<KernelRecord>();
    record->name = info.name;
    record->info = info;
    record->params.assign(info.params, info.params + info.param_count);
    record->info.name = record->name.c_str();
    record->info.params = record->params.data();
    record->info.thread_entry = nullptr;
    record->info.block_entry = nullptr;
    records_.push_back(std::move(record));
  }
  Lock lock(mutex_);
  kernels_.resize(records_.size());
  spare_ = std::move(image);
  return {};
}

Library::~Library() {
  close();
  Lock lock(managed_mutex_);
  for (auto &[name, allocation] : managed_) {
    release(*allocation);
  }
}

void Library::close() {
  std::map<uint64_t, Ref<Module>> modules;
  std::vector<Ref<Kernel>> kernels;
  {
    Lock lock(mutex_);
    modules.swap(modules_);
    kernels.swap(kernels_);
  }
  for (const Ref<Kernel> &kernel : kernels) {
    if (kernel) {
      (void)retire<Kernel>(kernel->handle());
    }
  }
  for (auto &[id, module] : modules) {
    if (module->alive()) {
      (void)retire<Module>(module->handle());
      module->context().synchronize();
      module->context().remove_child(*module);
      module->close();
    }
  }
}

Result<Ref<Module>> Library::module_in(Context &context) {
  Lock lock(mutex_);
  Ref<Module> &slot = modules_[context.unique_id()];
  if (slot && slot->alive()) {
    return slot;
  }
  slot = nullptr;
  std::unique_ptr<LoadedImage> image = spare_ != nullptr ? std::move(spare_) : HEL_TRY(LoadedImage::load(elf_));
  Ref<Module> module = HEL_TRY(Module::load(context, std::move(image), this));
  for (const Setting &setting : settings_) {
    if (setting.device == context.device().ordinal) {
      Ref<Function> function = HEL_TRY(module->function(setting.kernel));
      HEL_TRY(apply_function_attribute(function->info(), function->settings, setting.attribute, setting.value));
    }
  }
  slot = module;
  return module;
}

Result<Ref<Kernel>> Library::kernel(size_t index) {
  Lock lock(mutex_);
  if (index >= kernels_.size()) {
    return HEL_FAIL(CUDA_ERROR_INVALID_HANDLE, "the library is being unloaded");
  }
  if (!kernels_[index]) {
    kernels_[index] = HEL_TRY(publish(new Kernel(*this, index)));
  }
  return kernels_[index];
}

Result<Ref<Kernel>> Library::kernel(const char *name) {
  for (size_t i = 0; i < records_.size(); i++) {
    if (records_[i]->name == name) {
      return kernel(i);
    }
  }
  return HEL_FAIL(CUDA_ERROR_NOT_FOUND, "the library has no kernel '%s'", name);
}

Result<void> Library::set_attribute(size_t kernel, const Device &device, CUfunction_attribute attribute, int value) {
  Lock lock(mutex_);
  FunctionSettings checked;
  HEL_TRY(apply_function_attribute(records_[kernel]->info, checked, attribute, value));
  settings_.push_back({kernel, device.ordinal, attribute, value});
  for (auto &[id, module] : modules_) {
    if (module && module->alive() && &module->context().device() == &device) {
      Ref<Function> function = HEL_TRY(module->function(kernel));
      HEL_TRY(apply_function_attribute(function->info(), function->settings, attribute, value));
    }
  }
  return {};
}

Result<void> Library::settings_of(size_t kernel, int device, FunctionSettings &settings) {
  Lock lock(mutex_);
  for (const Setting &setting : settings_) {
    if (setting.kernel == kernel && setting.device == device) {
      HEL_TRY(apply_function_attribute(records_[kernel]->info, settings, setting.attribute, setting.value));
    }
  }
  return {};
}

Result<void *> Library::storage_of(Context &context, const abi::VariableInfo &variable) {
  Lock lock(managed_mutex_);
  if (auto borrowed = borrowed_.find(variable.name); borrowed != borrowed_.end()) {
    return borrowed->second;
  }
  Allocation *&slot = managed_[variable.name];
  if (slot == nullptr) {
    Result<void *> made = make_managed_variable(context, variable, &slot);
    if (!made) {
      managed_.erase(variable.name);
      return made;
    }
    slot->context_id = 0;  // no context takes it along when it closes
  }
  return reinterpret_cast<void *>(slot->base);
}

Result<void> Library::borrow_managed(const char *name, void *storage) {
  Lock lock(mutex_);
  if (!modules_.empty()) {
    return HEL_FAIL(CUDA_ERROR_NOT_SUPPORTED, "the managed variable '%s' has storage of this device's driver already",
                    name);
  }
  Lock managed(managed_mutex_);
  borrowed_[name] = storage;
  return {};
}

Result<Global> Library::managed(const char *name, Context &context) {
  Ref<Module> module = HEL_TRY(module_in(context));
  Global global = HEL_TRY(module->global(name));
  if (global.kind != abi::VariableKind::Managed) {
    return HEL_FAIL(CUDA_ERROR_NOT_FOUND, "the variable '%s' is not managed", name);
  }
  return global;
}

Result<Ref<Function>> Kernel::function_in(Context &context) {
  Ref<Module> module = HEL_TRY(library_.module_in(context));
  return module->function(index_);
}

Result<Ref<Function>> find_function(CUfunction handle) {
  HandleArena &arena = HandleArena::instance();
  if (Object *object = arena.acquire(handle, Tag::Function)) {
    return Ref<Function>::adopt(static_cast<Function *>(object));
  }
  if (Object *object = arena.acquire(handle, Tag::Kernel)) {
    Ref<Kernel> kernel = Ref<Kernel>::adopt(static_cast<Kernel *>(object));
    return kernel->function_in(*HEL_TRY(current_context()));
  }
  return HEL_FAIL(CUDA_ERROR_INVALID_HANDLE, "%p is no function (any more)", static_cast<void *>(handle));
}

}  // namespace hel::cpu
