// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the headers of thrust, cub and libcu++ are. They are a package of their own (CCCL), used as it comes.
#pragma once

#include "compiler/driver/clang_arguments.h"

namespace hel::cc {

/// The folder to search for `<thrust/…>`, `<cub/…>` and `<cuda/std/…>`; empty when CCCL is not installed. In this order: --cccl,
/// HELICON_CCCL, the toolkit's include/cccl, what package managers install. A folder that was named must be right.
Result<std::string> find_cccl(const Toolkit &toolkit, const CommandLine &line);

}  // namespace hel::cc
