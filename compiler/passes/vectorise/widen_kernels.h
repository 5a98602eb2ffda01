// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// widen_kernels: gives every kernel that the warp engine can run a block function beside its thread function.
//
// before:  ptx_kernel void k(…)
// after:   ptx_kernel void k(…)   and   void k.block(ptr launch, ptr block, i32 begin, i32 end)
//
// On entry: one address space, shared variables are offsets in the window, llvm.nvvm.* special registers, barriers and
// warp functions are still intrinsics.
// On exit: the kernel's facts name its block function, or say why it has none. With -G there is none.
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> widen_kernels(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
