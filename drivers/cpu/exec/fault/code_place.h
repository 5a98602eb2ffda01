// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a code address to the function and, if the image was built with -lineinfo or -G, the source line.
#pragma once

#include <string>

namespace hel::cpu::exec {

struct CodePlace {
  std::string function;  ///< as in the source; empty if unknown
  std::string line;      ///< "file.cu:12"; empty if unknown
};

/// `image`: the dlopen handle of the kernel's image, or null. For a return address pass the address minus 1.
CodePlace find_code_place(void *image, const void *address);

std::string demangle(const char *name);

}  // namespace hel::cpu::exec
