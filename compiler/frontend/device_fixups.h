// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns what clang's device pass emits into SIMT IR proper:
//   declarations of host functions          ->  marked "hl.host" (the call traps, compile.h)
//   threadIdx and its like             ->  constants: only their member functions mean something
//   a second pointer of a managed variable  ->  the first (managed_pointers.h)
//   undefined `X` beside `X__static__<id>`  ->  the definition (relocatable code only)
#pragma once

namespace llvm {
class Module;
}

namespace hel::cc {

struct HookState;

void fix_device_module(llvm::Module &module, const HookState &state);

}  // namespace hel::cc
