// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/exec/fault/code_place.h"

#include <cxxabi.h>
#include <dlfcn.h>

#include <cstdlib>

#include "abi/lineinfo.h"
#include "base/result.h"

namespace hel::cpu::exec {

std::string demangle(const char *name) {
  int status = 0;
  char *plain = ::abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string result = status == 0 && plain != nullptr ? plain : name;
  free(plain);
  return result;
}

CodePlace find_code_place(void *image, const void *address) {
  CodePlace result;
  auto *table =
      image != nullptr ? static_cast<const hel::abi::LineInfo *>(dlsym(image, hel::abi::kLineInfoSymbol)) : nullptr;
  hel::abi::SourcePlace place;
  if (table != nullptr && table->version == hel::abi::kLineInfoVersion &&
      hel::abi::find_place(*table, address, place)) {
    result.function = place.function != nullptr ? demangle(place.function) : "";
    result.line = place.file != nullptr ? format("%s:%u", place.file, place.line) : "";
    return result;
  }
  Dl_info info;
  if (address != nullptr && dladdr(address, &info) != 0 && info.dli_sname != nullptr) {
    result.function = demangle(info.dli_sname);
  }
  return result;
}

}  // namespace hel::cpu::exec
