// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Masks that are numbers as comparisons, in code for processors whose masks are vectors (below x86-64-v4): there a
// number with a bit for each lane takes longer to spread, and where the mask goes through blocks or into other masks,
// LLVM does so bit by bit.
//
// before:  %mask = bitcast i32 (~(-1 << %count)) to <32 x i1>
// after:   %mask = icmp ugt <32 x i32> (%count, %count, …), <0, 1, …>
// before:  %mask = bitcast i32 %bits to <32 x i1>, or %mask = load <32 x i1>
// after:   %mask = icmp eq <32 x i32> ((%bits, %bits, …) & <1, 2, 4, …>), <1, 2, 4, …>
//          in each block that uses it
// Stands after optimise, which makes scalar tests of the number where that is enough.
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> compare_counted_lanes(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
