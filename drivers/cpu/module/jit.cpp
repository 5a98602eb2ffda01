// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The way to libhelicon-jit, which holds the compiler: opened when it is first needed, from beside this library.
#include "base/log.h"
#include "base/mutex.h"
#include "drivers/cpu/module/image.h"

#include <cuda.h>
#include <dlfcn.h>

#include <cstdlib>

namespace hel::cpu {
namespace {

using LinkFunction = int (*)(const void *const *containers, size_t n, const char *options, void **out, size_t *out_bytes,
                             char **error);

constexpr char kLibrary[] = "libhelicon-jit.so.0";

std::string beside_this_library(const char *name) {
  Dl_info info{};
  if (dladdr(reinterpret_cast<void *>(&jit_link), &info) == 0 || info.dli_fname == nullptr) {
    return name;
  }
  std::string path = info.dli_fname;
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? name : path.substr(0, slash + 1) + name;
}

Result<LinkFunction> link_function() {
  static Mutex mutex;
  static LinkFunction found HEL_GUARDED_BY(mutex) = nullptr;
  Lock lock(mutex);
  if (found != nullptr) {
    return found;
  }
  void *library = dlopen(beside_this_library(kLibrary).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  }
  if (library == nullptr) {
    return HEL_FAIL(CUDA_ERROR_JIT_COMPILER_NOT_FOUND, "%s cannot be opened: %s", kLibrary, dlerror());
  }
  found = reinterpret_cast<LinkFunction>(dlsym(library, "hel_jit_link"));
  if (found == nullptr) {
    return HEL_FAIL(CUDA_ERROR_JIT_COMPILER_NOT_FOUND, "%s has no hel_jit_link", kLibrary);
  }
  return found;
}

}  // namespace

Result<std::vector<uint8_t>> jit_link(const std::vector<const void *> &containers, const char *options) {
  LinkFunction link = HEL_TRY(link_function());
  void *out = nullptr;
  size_t bytes = 0;
  char *error = nullptr;
  HEL_LOG(module, 1, "jit containers=%zu", containers.size());
  const int code = link(containers.data(), containers.size(), options, &out, &bytes, &error);
  std::string message = error == nullptr ? "no reason given" : error;
  std::free(error);
  if (code != 0) {
    std::free(out);
    return HEL_FAIL(CUDA_ERROR_INVALID_IMAGE, "the device code cannot be linked: %s", message.c_str());
  }
  const auto *data = static_cast<const uint8_t *>(out);
  std::vector<uint8_t> elf(data, data + bytes);
  std::free(out);
  return elf;
}

}  // namespace hel::cpu
