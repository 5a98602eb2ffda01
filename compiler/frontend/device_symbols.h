// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Separate compilation: what a translation unit's device code gives to and takes from others. The host object repeats it in
// host symbols `__hl_device_<name>`, so that an ordinary linker finds undefined and doubly defined device symbols and takes
// the members of static libraries that device code needs.
#pragma once

#include <string>
#include <vector>

namespace llvm {
class Module;
}

namespace hel::cc {

struct DeviceSymbols {
  struct Definition {
    std::string name;
    bool is_weak;  ///< several objects may define it (templates, inline functions)
  };
  std::vector<Definition> defined;
  std::vector<std::string> undefined;
};

DeviceSymbols device_symbols(const llvm::Module &module);

}  // namespace hel::cc
