// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SIMT IR as PTX text, by LLVM's NVPTX back end.
#pragma once

#include "base/result.h"

#include <string>

namespace llvm {
class Module;
}

namespace hel::cc {

/// `cpu` is sm_NN. The module is optimised and changed.
Result<std::string> ptx_text(llvm::Module &module, const std::string &cpu);

/// SIMT IR as LLVM IR text.
std::string ir_text(const llvm::Module &module);

/// What each kernel needs, one line a kernel (-res-usage).
std::string resource_report(const llvm::Module &module);

}  // namespace hel::cc
