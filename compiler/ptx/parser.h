// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The statements of PTX text.
#pragma once

#include "compiler/ptx/syntax.h"

namespace hel::cc::ptx {

/// The tree, or what the text has wrong.
struct Parsed {
  Block body;
  std::string error;  ///< empty: none
};

/// Reads the statements of a body: what stands between the braces of a function, or the text of an assembly statement.
Parsed parse_body(llvm::StringRef text);

}  // namespace hel::cc::ptx
