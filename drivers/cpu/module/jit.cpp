// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The way to libhelicon-jit, which holds the compiler: opened when it is first needed, from beside this library.
#include "abi/jit.h"
#include "base/log.h"
#include "base/mutex.h"
#include "base/settings.h"
#include "drivers/cpu/module/image.h"

#include <cuda.h>
#include <dlfcn.h>

#include <cstdlib>

namespace hel::cpu {
namespace {

std::string beside_this_library(const char *name) {
  Dl_info info{};
  if (dladdr(reinterpret_cast<void *>(&jit_link), &info) == 0 || info.dli_fname == nullptr) {
    return name;
  }
  std::string path = info.dli_fname;
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? name : path.substr(0, slash + 1) + name;
}

Result<abi::JitLink> link_function() {
  static Mutex mutex;
  static abi::JitLink found HEL_GUARDED_BY(mutex) = nullptr;
  Lock lock(mutex);
  if (found != nullptr) {
    return found;
  }
  void *library = dlopen(beside_this_library(abi::kJitLibrary).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    library = dlopen(abi::kJitLibrary, RTLD_NOW | RTLD_LOCAL);
  }
  if (library == nullptr) {
    return HEL_FAIL(CUDA_ERROR_JIT_COMPILER_NOT_FOUND, "%s cannot be opened: %s", abi::kJitLibrary, dlerror());
  }
  found = reinterpret_cast<abi::JitLink>(dlsym(library, abi::kJitLinkSymbol));
  if (found == nullptr) {
    return HEL_FAIL(CUDA_ERROR_JIT_COMPILER_NOT_FOUND, "%s has no %s", abi::kJitLibrary, abi::kJitLinkSymbol);
  }
  return found;
}

}  // namespace

Result<std::vector<uint8_t>> jit_link(const std::vector<const void *> &containers, const char *options) {
  abi::JitLink link = HEL_TRY(link_function());
  void *out = nullptr;
  size_t bytes = 0;
  char *error = nullptr;
  // Unasked, the compiler also tunes for the very processor.
  const std::string cpu = settings().cpu_level == 0 ? "native" : format("x86-64-v%d", usable_level());
  const std::string words = "-cpu=" + cpu + " " + options;
  HEL_LOG(module, 1, "jit containers=%zu target=%s", containers.size(), cpu.c_str());
  const int code = link(containers.data(), containers.size(), words.c_str(), &out, &bytes, &error);
  std::string message = error == nullptr ? "no reason given" : error;
  std::free(error);
  if (code != 0) {
    std::free(out);
    return HEL_FAIL(code, "%s", message.c_str());
  }
  const auto *data = static_cast<const uint8_t *>(out);
  std::vector<uint8_t> elf(data, data + bytes);
  std::free(out);
  return elf;
}

}  // namespace hel::cpu
