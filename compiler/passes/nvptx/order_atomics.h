// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The NVPTX back end writes every read-modify-write as relaxed: what the source asked for beyond that becomes fences.
//
// before: atomicrmw add ptr %p, i32 1 syncscope("block") acq_rel
// after:  fence syncscope("block") release; atomicrmw … monotonic; fence syncscope("block") acquire
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> order_atomics(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
