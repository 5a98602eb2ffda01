// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives everything but kernels and named device variables internal linkage and drops what nobody refers to.
//
// A host/device function has the same name in host and device code with different bodies, hence nothing of it may be
// visible outside the image. Device variables keep external linkage so that no pass takes them for private to a thread.
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> keep_reachable(llvm::Module &module, Compilation &compilation);

/// clang lists what the host refers to. Variables of the lists stay, whatever their linkage; the lists go.
void release_used_lists(llvm::Module &module);

}  // namespace hel::cc
