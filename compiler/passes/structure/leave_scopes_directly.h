// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pass of LLVM's function pass manager: a block that does nothing but choose by where control comes from is left out.
// Clang ends a scope that is left by break, continue and return in such a block; warps would come together in it, and
// lanes that go on would seem to have a way to where those that leave go.
//
// before:  a: …; br end   b: …; br end   end: %way = phi [0, a], [3, b]; switch %way [0: next, 3: out] else unreachable
// after:   a: …; br next   b: …; br out
#pragma once

#include "llvm/IR/PassManager.h"

namespace hel::cc {

struct LeaveScopesDirectly : llvm::PassInfoMixin<LeaveScopesDirectly> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

}  // namespace hel::cc
