// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of a few aligned 16-byte pieces (float4, double2) are vector loads and stores; LLVM's back end would copy 8
// bytes at a time.
//
// before: call void @llvm.memcpy(ptr align 16 %to, ptr align 16 %from, i64 16, i1 false)
// after:  %piece = load <4 x i32>, ptr %from, align 16   store <4 x i32> %piece, ptr %to, align 16
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> copy_in_vectors(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
