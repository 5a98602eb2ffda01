// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loading of one fat binary.
#include "base/log.h"
#include "runtime/core/context.h"
#include "runtime/core/modules.h"

#include <utility>

namespace hel::rt {

Result<CUlibrary> FatBinary::library(const DriverTable &cu) {
  Lock lock(mutex_);
  if (library_ == nullptr) {
    library_ = HEL_TRY(load(cu));
  }
  return library_;
}

Result<CUlibrary> FatBinary::load(const DriverTable &cu) {
  bool linked = containers_.size() > 1 || (containers_[0]->flags & abi::kImageRelocatable) != 0;
  HEL_LOG(module, 1, "load containers=%zu link=%d", containers_.size(), linked);
  if (linked) {
    return HEL_TRY_CONTEXT(link(cu), "linking %zu relocatable modules", containers_.size());
  }
  CUlibrary library = nullptr;
  CUlibraryOption preserved = CU_LIBRARY_BINARY_IS_PRESERVED;  // it is part of the program
  void *value = nullptr;
  HEL_TRY_CONTEXT(check(cu.LibraryLoadData(&library, containers_[0], nullptr, nullptr, 0, &preserved, &value, 1)),
                  "loading an embedded module");
  return library;
}

Result<CUlibrary> FatBinary::link(const DriverTable &cu) {
  CUlinkState state = nullptr;
  HEL_TRY(check(cu.LinkCreate(0, nullptr, nullptr, &state)));
  CUlibrary library = nullptr;
  auto steps = [&]() -> Result<void> {
    for (const abi::ImageHeader *container : containers_) {
      HEL_TRY(check(cu.LinkAddData(state, CU_JIT_INPUT_FATBINARY, const_cast<abi::ImageHeader *>(container),
                                   container->total_bytes, container->module_id, 0, nullptr, nullptr)));
    }
    void *image = nullptr;
    size_t bytes = 0;
    HEL_TRY(check(cu.LinkComplete(state, &image, &bytes)));
    return check(cu.LibraryLoadData(&library, image, nullptr, nullptr, 0, nullptr, nullptr, 0));
  };
  Result<void> result = steps();
  cu.LinkDestroy(state);
  HEL_TRY(std::move(result));
  return library;
}

Result<void> FatBinary::load_now(const DriverTable &cu) {
  CUlibrary loaded = HEL_TRY(library(cu));
  CUmodule module = nullptr;
  HEL_TRY(check(cu.LibraryGetModule(&module, loaded)));
  for (const Variable &variable : managed_) {
    CUdeviceptr address = 0;
    HEL_TRY_CONTEXT(check(cu.LibraryGetManaged(&address, nullptr, loaded, variable.name)),
                    "finding the managed variable %s", variable.name);
    *static_cast<void **>(const_cast<void *>(variable.shadow)) = reinterpret_cast<void *>(address);
  }
  return {};
}

void FatBinary::unload(const DriverTable &cu) {
  Lock lock(mutex_);
  if (library_ != nullptr) {
    cu.LibraryUnload(std::exchange(library_, nullptr));
  }
}

}  // namespace hel::rt
