// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The NVPTX back end writes every read-modify-write for the scope of the device. Narrower ones may be that; one of the
// whole system, which the host takes part in, is written as PTX here.
//
// before: atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
// after:  call i32 asm sideeffect "atom.relaxed.sys.global.add.u32 $0, [$1], $2;", "=r,l,r,~{memory}"(…)
//
// Follows infer_address_spaces, so that the address space is known where it can be.
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> widen_atomic_scope(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
