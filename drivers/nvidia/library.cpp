// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/nvidia/library.h"

#include "base/settings.h"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <vector>

namespace hel::nvidia {
namespace {

/// Helicon's library carries the name libcuda.so.1 too; this symbol tells it.
constexpr char kOurMark[] = "__hl_register_rdc";

std::vector<std::string> candidates() {
  if (!settings().nvidia_library.empty()) {
    return {settings().nvidia_library};
  }
  return {"libcuda.so.1",
          "/usr/lib/x86_64-linux-gnu/libcuda.so.1",
          "/usr/lib64/libcuda.so.1",
          "/usr/lib64/nvidia/libcuda.so.1",
          "/usr/lib/x86_64-linux-gnu/nvidia/current/libcuda.so.1",
          "/usr/local/nvidia/lib64/libcuda.so.1",
          "/usr/lib/wsl/lib/libcuda.so.1"};
}

/// dlopen for a library whose own functions come first for it: ours have the same names. The function is the C
/// library's own: that of a sanitizer ends the process when it is asked for such a thing, whether there is a library or
/// not.
void *open_apart(const std::string &name) {
  static const auto own = [] {
    void *libc = dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);
    void *function = libc != nullptr ? dlsym(libc, "dlopen") : nullptr;
    return function != nullptr ? reinterpret_cast<decltype(&dlopen)>(function) : &dlopen;
  }();
  return own(name.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
}

std::string path_of(void *handle, const std::string &asked) {
  link_map *map = nullptr;
  bool known = dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map->l_name != nullptr && *map->l_name != '\0';
  return known ? map->l_name : asked;
}

}  // namespace

Result<DriverLibrary> DriverLibrary::open() {
  std::string tried;
  for (const std::string &name : candidates()) {
    void *handle = open_apart(name);
    if (handle == nullptr) {
      const char *why = dlerror();
      bool worth_telling = tried.empty() || access(name.c_str(), F_OK) == 0;
      if (worth_telling) {
        tried += (tried.empty() ? "" : "; ") + std::string(why != nullptr ? why : name.c_str());
      }
      continue;
    }
    DriverLibrary library;
    library.path_ = path_of(handle, name);
    if (dlsym(handle, kOurMark) != nullptr) {
      tried += (tried.empty() ? "" : "; ") + library.path_ + " is Helicon's own";
      dlclose(handle);
      continue;
    }
    library.handle_ = handle;
    void *get = dlsym(handle, "cuGetProcAddress_v2");
    library.get_proc_address_ = reinterpret_cast<decltype(library.get_proc_address_)>(get);
    if (get == nullptr) {
      return HEL_FAIL(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, "%s is older than CUDA 12", library.path_.c_str());
    }
    return library;
  }
  return HEL_FAIL(CUDA_ERROR_NO_DEVICE, "no driver library (%s)", tried.c_str());
}

void *DriverLibrary::find(const char *name, int since, bool per_thread) const {
  void *function = nullptr;
  CUdriverProcAddressQueryResult status{};
  cuuint64_t flags = per_thread ? CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM : CU_GET_PROC_ADDRESS_LEGACY_STREAM;
  return get_proc_address_(name, &function, since, flags, &status) == CUDA_SUCCESS ? function : nullptr;
}

}  // namespace hel::nvidia
