// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loading of one fat binary into contexts.
#include "base/log.h"
#include "runtime/context.h"
#include "runtime/modules.h"

#include <algorithm>

namespace hel::rt {

Result<CUmodule> FatBinary::module_in(const DriverTable &cu, unsigned long long context) {
  Lock lock(mutex_);
  for (const Loaded &loaded : loaded_) {
    if (loaded.context_id == context) {
      return loaded.module;
    }
  }
  CUmodule module = HEL_TRY(load(cu));
  CUcontext handle = nullptr;
  HEL_TRY(check(cu.CtxGetCurrent(&handle)));
  loaded_.push_back({context, handle, module});
  HEL_TRY(point_managed_variables(cu, module));
  return module;
}

Result<CUmodule> FatBinary::load(const DriverTable &cu) {
  bool linked = containers_.size() > 1 || (containers_[0]->flags & abi::kImageRelocatable) != 0;
  HEL_LOG(module, 1, "load containers=%zu link=%d", containers_.size(), linked);
  if (linked) {
    return link(cu);
  }
  CUmodule module = nullptr;
  HEL_TRY_CONTEXT(check(cu.ModuleLoadData(&module, containers_[0])), "loading an embedded module");
  return module;
}

Result<CUmodule> FatBinary::link(const DriverTable &cu) {
  CUlinkState state = nullptr;
  HEL_TRY(check(cu.LinkCreate(0, nullptr, nullptr, &state)));
  CUmodule module = nullptr;
  auto steps = [&]() -> Result<void> {
    for (const abi::ImageHeader *container : containers_) {
      HEL_TRY(check(cu.LinkAddData(state, CU_JIT_INPUT_FATBINARY, const_cast<abi::ImageHeader *>(container),
                                   container->total_bytes, container->module_id, 0, nullptr, nullptr)));
    }
    void *image = nullptr;
    size_t bytes = 0;
    HEL_TRY(check(cu.LinkComplete(state, &image, &bytes)));
    return check(cu.ModuleLoadData(&module, image));
  };
  Result<void> result = steps();
  cu.LinkDestroy(state);
  HEL_TRY_CONTEXT(std::move(result), "linking %zu relocatable modules", containers_.size());
  return module;
}

Result<void> FatBinary::point_managed_variables(const DriverTable &cu, CUmodule module) {
  for (const Variable &variable : managed_) {
    CUdeviceptr address = 0;
    HEL_TRY_CONTEXT(check(cu.ModuleGetGlobal(&address, nullptr, module, variable.name)),
                    "finding the managed variable %s", variable.name);
    *static_cast<void **>(const_cast<void *>(variable.shadow)) = reinterpret_cast<void *>(address);
  }
  return {};
}

void FatBinary::forget(unsigned long long context) {
  Lock lock(mutex_);
  loaded_.erase(std::remove_if(loaded_.begin(), loaded_.end(),
                               [&](const Loaded &loaded) { return loaded.context_id == context; }),
                loaded_.end());
}

void FatBinary::unload_everywhere(const DriverTable &cu) {
  std::vector<Loaded> modules;
  {
    Lock lock(mutex_);
    modules.swap(loaded_);
  }
  for (const Loaded &loaded : modules) {
    if (cu.CtxPushCurrent(loaded.context) == CUDA_SUCCESS) {
      cu.CtxSynchronize();
      cu.ModuleUnload(loaded.module);
      CUcontext popped = nullptr;
      cu.CtxPopCurrent(&popped);
    }
  }
}

}  // namespace hel::rt
