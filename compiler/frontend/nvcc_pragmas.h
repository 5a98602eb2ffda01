// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pragmas of nvcc: `nv_diag_suppress`, `nv_diag_warning`, `nv_diag_error`, `nv_diag_once` and `nv_diag_default` set
// the level of messages, `nv_diagnostic push` and `pop` keep and restore the levels (the forms without `nv_` are
// older); `nv_abi`, `nv_mma_throughput`, `nv_exec_check_disable` and their like change no result and are read over.
#pragma once

namespace clang {
class Preprocessor;
}

namespace hel::cc {

void add_nvcc_pragmas(clang::Preprocessor &PP);

}  // namespace hel::cc
