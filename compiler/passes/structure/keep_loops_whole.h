// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM takes rounds out in front of a loop (peeling) without a look at what is convergent in them. Where two loops
// share a header, which threads enter by the one and which by the other, these would then meet at different copies of a
// barrier. KeepLoopsWhole tells it to leave loops with convergent calls alone; it belongs in front of every pass that
// unrolls.
#pragma once

#include "compiler/ir/llvm_headers.h"

#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace hel::cc {

struct KeepLoopsWhole : llvm::PassInfoMixin<KeepLoopsWhole> {
  llvm::PreservedAnalyses run(llvm::Loop &loop, llvm::LoopAnalysisManager &, llvm::LoopStandardAnalysisResults &,
                              llvm::LPMUpdater &) {
    constexpr unsigned kMoreThanLlvmTakesOut = 1000;
    bool convergent = llvm::any_of(loop.blocks(), [](const llvm::BasicBlock *block) {
      return llvm::any_of(*block, [](const llvm::Instruction &inst) {
        const auto *call = llvm::dyn_cast<llvm::CallBase>(&inst);
        return call != nullptr && call->isConvergent();
      });
    });
    if (convergent) {
      llvm::addStringMetadataToLoop(&loop, "llvm.loop.peeled.count", kMoreThanLlvmTakesOut);
    }
    return llvm::PreservedAnalyses::all();
  }
};

}  // namespace hel::cc
