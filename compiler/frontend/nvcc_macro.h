// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `__NVCC__` is for the program's own files. Headers of the system do not see it: CCCL, which is one, would take it for
// nvcc's front end and use what only that has.
#pragma once

namespace clang {
class Preprocessor;
}

namespace hel::cc {

void hide_nvcc_macro_in_system_headers(clang::Preprocessor &PP);

}  // namespace hel::cc
