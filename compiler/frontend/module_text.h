// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a module of SIMT IR is shown as: LLVM IR text, and the report of what its kernels need.
#pragma once

#include <string>

namespace llvm {
class Module;
}

namespace hel::cc {

/// SIMT IR as LLVM IR text.
std::string ir_text(const llvm::Module &module);

/// What each kernel needs, one line a kernel (-res-usage).
std::string resource_report(const llvm::Module &module);

}  // namespace hel::cc
