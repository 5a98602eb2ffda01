// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that are entered at more than one place (a `goto` or a `case` into a loop) get one entry that branches on. The
// GPU's compiler counts in registers that a warp's lanes share where the count is the same for all of them, also in
// such loops, though the lanes come in one part after the other there and each part counts on.
//
// before: a: br %c, %b, %d        b: …; br %d        d: …; br %more, %b, %out
// after:  a: br %entry            entry: %first = phi [%c, %a], [true, %d]; br %first, %b, %d        b: …; br %entry'
//
// Follows everything that could thread the new branch away again.
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> make_loops_reducible(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
