// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where one memory is read as numbers of several sizes by the same index, all addresses but those of the first size are
// written in bytes. LLVM's vectoriser of loads and stores, which the back end runs, looks at the indices of two addresses
// alone, and takes p[i] of numbers of 4 bytes for the same place as p[i] of numbers of 16.
//
// before: getelementptr i32, ptr %p, i64 %i    getelementptr %int4, ptr %p, i64 %i
// after:  getelementptr i32, ptr %p, i64 %i    %bytes = shl i64 %i, 4   getelementptr i8, ptr %p, i64 %bytes
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

/// Follows everything that could make one address of the two again.
Result<void> tell_strides_apart(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
