// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang's own driver as a library: it knows where the host's C and C++ headers, start files and libraries are. Turns
// arguments of the `clang++` command into those of the compilation proper (cc1) and of the linker.
#pragma once

#include "base/result.h"

#include <string>
#include <vector>

namespace hel::cc {

/// The tree that mcc belongs to, found from its own executable.
struct Toolkit {
  std::string executable;  ///< P/bin/mcc
  std::string root;        ///< P
  std::string include() const { return root + "/include"; }
  std::string lib() const { return root + "/lib"; }
};

Toolkit find_toolkit();

/// cc1 arguments of the one compilation that `arguments` describe.
Result<std::vector<std::string>> cc1_arguments(const Toolkit &toolkit, const std::vector<std::string> &arguments);

/// Arguments of the linker, with its name first.
Result<std::vector<std::string>> linker_arguments(const Toolkit &toolkit, const std::vector<std::string> &arguments);

}  // namespace hel::cc
