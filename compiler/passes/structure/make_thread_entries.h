// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes a kernel a function of its parameter buffer (abi::ThreadEntry) and records the buffer's layout.
//
// before: define ptx_kernel void @k(i32 %n, ptr byval(%S) align 8 %s)
// after:  define hidden void @k(ptr %params) "hl.kernel" "hl.params"="0,4,8,24": loads from the buffer in place of
//         parameters; a struct that the kernel changes is copied to private memory, any other one is used in place
#pragma once

#include "compiler/ir/compilation.h"

namespace llvm {
class Argument;
}

namespace hel::cc {

/// A parameter that is passed by value and that no thread writes, for all that is seen or promised
/// (`__grid_constant__`): it is used where the launch has put it.
bool stays_in_place(llvm::Argument &argument);

Result<void> make_thread_entries(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
