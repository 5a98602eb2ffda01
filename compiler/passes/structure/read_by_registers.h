// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the first so many lanes read from anywhere, as at the end of a loop, is read and worked on a register at a time,
// and no further than there are lanes: a gather takes its time for lanes that are masked off, too.
//
// before:  %mask = bitcast (~(-1 << %count))
//          %v = masked.gather <32 x float> (%places, %mask)   %s = fma %v, %w, %sum
// after:   %v.0 = masked.gather <16 x float> (low %places, low %mask)   %s.0 = fma %v.0, low %w, low %sum
//          if (%mask >> 16 != 0)
//            %v.1 = masked.gather <16 x float> (high %places, high %mask)   %s.1 = fma %v.1, high %w, high %sum
// In code for x86-64-v3, where masks are vectors, only under a mask that is a comparison (compare_counted_lanes); there
// registers that are full are read without a mask, and only the last one under its own.
// Stands after the stages that look for masked loads in the blocks of loops.
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> read_by_registers(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
