// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/nvptx/unroll_inner_loops.h"

#include "compiler/ir/llvm_headers.h"
#include "compiler/ir/run_passes.h"

#include "llvm/Transforms/Utils/LoopUtils.h"

namespace hel::cc {
namespace {

constexpr unsigned kLargest = 60;  // instructions of a loop that is worth it
constexpr unsigned kTimes = 4;

/// Plain arithmetic and memory: nothing that other threads take part in, nothing that is large once inlined.
bool is_small(const llvm::Loop &loop) {
  unsigned count = 0;
  for (const llvm::BasicBlock *block : loop.blocks()) {
    for (const llvm::Instruction &inst : *block) {
      auto *call = llvm::dyn_cast<llvm::CallBase>(&inst);
      bool is_plain = !call || (llvm::isa<llvm::IntrinsicInst>(call) && !call->isConvergent());
      if (!is_plain || inst.isAtomic() || inst.isVolatile() || ++count > kLargest) {
        return false;
      }
    }
  }
  return true;
}

struct UnrollHints : llvm::PassInfoMixin<UnrollHints> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
    llvm::ScalarEvolution &evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
    for (llvm::Loop *loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
      bool is_countable = evolution.hasLoopInvariantBackedgeTakenCount(loop);
      if (loop->isInnermost() && is_countable && evolution.getSmallConstantTripCount(loop) == 0 &&
          loop->getLoopLatch() && llvm::hasUnrollTransformation(loop) == llvm::TM_Unspecified && is_small(*loop)) {
        llvm::addStringMetadataToLoop(loop, "llvm.loop.unroll.count", kTimes);
      }
    }
    return llvm::PreservedAnalyses::all();
  }
};

}  // namespace

Result<void> unroll_inner_loops(llvm::Module &module, Compilation &compilation) {
  if (!compilation.options.debug) {
    run_llvm_passes(module, &compilation.target, [](llvm::PassBuilder &, llvm::ModulePassManager &manager) {
      manager.addPass(llvm::createModuleToFunctionPassAdaptor(UnrollHints()));
    });
  }
  return {};
}

}  // namespace hel::cc
