// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A warp that goes through a row of elements and gathers has few turns, and how many is hard to foresee. Its turns of
// all lanes and its last turn (widen_last_turn) become one loop: the last turn does for all, as its mask of so many
// first lanes may have all of them. read_by_registers then leaves each turn where the lanes end, so that the processor
// guesses once where a row ends instead of once for each kind of turn.
//
// before:  while (%i + 31 < %end)  { %sum = all lanes' turn at %i; %i += 32 }
//          if (%i < %end)          { %sum = turn at %i of the first %end - %i lanes }      !hl.last_turn
// after:   while (%i < %end)       { %sum = turn at %i of the first %end - %i lanes; %i += 32 }
// Only turns that gather, write nothing, and step by a warp's lanes. Stands before read_by_registers, and after the
// stages that look for loops of full turns.
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> repeat_last_turns(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
