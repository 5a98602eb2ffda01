// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns what clang's device pass emits into SIMT IR proper:
//   annotate("mcc.cluster_dims", x, y, z)   ->  "nvvm.cluster_dim"="x,y,z"
//   annotate("mcc.block_size", x, y, z)     ->  "nvvm.reqntid"="x,y,z"
//   annotate("mcc.maxnreg", n)              ->  "nvvm.maxnreg"="n"
//   declarations of host functions          ->  marked "hl.host" (the call traps, compile.h)
//   undefined `X` beside `X__static__<id>`  ->  the definition (relocatable code only)
#pragma once

namespace llvm {
class Module;
}

namespace hel::cc {

struct HookFindings;

void fix_device_module(llvm::Module &module, const HookFindings &findings);

}  // namespace hel::cc
