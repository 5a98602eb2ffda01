// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvcc's messages by number or name, as options and pragmas give them.
#pragma once

#include <string_view>

namespace hel::cc {

/// The group of clang's warnings that says what this message of nvcc says; null: there is none.
const char *clang_warning_of(std::string_view number_or_name);

}  // namespace hel::cc
