// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a code address to the source line, by the table of an image that was built with -lineinfo.
#pragma once

#include <string>

namespace hel::cpu::exec {

/// "file.cu:12", or empty if unknown. `image`: the dlopen handle, or null.
std::string source_line(void *image, const void *place);

}  // namespace hel::cpu::exec
