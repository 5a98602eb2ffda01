// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects to a program, a shared object, or a static library; the linker (lld) and the archiver run in this process.
#pragma once

#include "compiler/driver/clang_arguments.h"
#include "compiler/driver/steps.h"

namespace hel::cc {

Result<void> link_objects(const CompileSettings &settings, const std::vector<std::string> &objects, const std::string &output,
                          Steps *steps);

Result<void> write_library(const std::vector<std::string> &objects, const std::string &output, Steps *steps);

}  // namespace hel::cc
