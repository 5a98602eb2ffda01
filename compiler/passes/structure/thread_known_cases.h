// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pass of LLVM's function pass manager: what comes from the case of one switch goes straight on to where the next
// switch over the same value leads. `if (v == 0) f(); if (v == 1) g(); …` becomes a series of switches of which each
// leads into the others; warps would carry the lanes of every case through all of them, which is code that grows with
// the square of the number of cases.
//
// before:  switch %v [0: a, 1: b] else next;  a: …; br next;  next: switch %v [1: b] else done
// after:   switch %v [0: a, 1: b] else next;  a: …; br done
#pragma once

#include "llvm/IR/PassManager.h"

namespace hel::cc {

struct ThreadKnownCases : llvm::PassInfoMixin<ThreadKnownCases> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace hel::cc
