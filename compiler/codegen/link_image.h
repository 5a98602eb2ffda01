// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Relocatable objects to one ELF shared object that needs libhelicon.so.0 and nothing else.
#pragma once

#include "base/result.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <vector>

namespace hel::cc {

/// Links in this process, with lld. Undefined symbols stay undefined: check_supported has seen to them.
Result<std::vector<uint8_t>> link_image(llvm::ArrayRef<llvm::ArrayRef<char>> objects);

}  // namespace hel::cc
