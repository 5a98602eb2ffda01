// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/nvptx/unroll_inner_loops.h"

#include "compiler/ir/llvm_headers.h"
#include "compiler/ir/run_passes.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

namespace hel::cc {
namespace {

constexpr unsigned kTimes = 4;
constexpr unsigned kLargest = 60;         // instructions of a loop that is worth it
constexpr unsigned kLargestOfWarp = 300;  // of one in which a warp acts together: products of tiles are long
constexpr unsigned kCheapTripCount = 8;   // instructions that find the number of turns

struct Contents {
  unsigned instructions = 0;
  bool is_plain = true;        // arithmetic and memory: nothing that polls or waits, no function that stays a call
  bool is_convergent = false;  // must not be copied to where fewer lanes come
  bool acts_together = false;  // exchanges something between the lanes of a warp
  bool can_be_copied = true;
};

/// Inline PTX counts as convergent altogether; what is not for one lane alone says so.
bool acts_together(const llvm::CallBase &call) {
  auto *text = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand());
  return call.isConvergent() && (!text || text->getAsmString().find(".sync") != std::string::npos);
}

bool is_block_barrier(const llvm::CallBase &call) {
  return call.getCalledFunction() && call.getCalledFunction()->getName().starts_with("llvm.nvvm.barrier");
}

Contents contents(const llvm::Loop &loop) {
  Contents found;
  for (const llvm::BasicBlock *block : loop.blocks()) {
    for (const llvm::Instruction &inst : *block) {
      ++found.instructions;
      found.is_plain &= !inst.isAtomic() && !inst.isVolatile();
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&inst)) {
        bool is_instruction = llvm::isa<llvm::IntrinsicInst>(call) || (call->isInlineAsm() && call->isConvergent());
        found.is_plain &= is_instruction && !is_block_barrier(*call);
        found.is_convergent |= call->isConvergent();
        found.acts_together |= acts_together(*call);
        found.can_be_copied &=
            !call->cannotDuplicate() && !call->getOperandBundle(llvm::LLVMContext::OB_convergencectrl);
      }
    }
  }
  return found;
}

/// How many turns of a loop of unknown length should stand one after the other.
unsigned times(const llvm::Loop &loop, const Contents &found) {
  switch (llvm::hasUnrollTransformation(&loop)) {
    case llvm::TM_Unspecified:
      return found.is_plain && found.instructions <= (found.acts_together ? kLargestOfWarp : kLargest) ? kTimes : 1;
    case llvm::TM_ForcedByUser:
      return llvm::getOptionalIntLoopAttribute(&loop, "llvm.loop.unroll.count").value_or(kTimes);
    default:
      return 1;
  }
}

/// LLVM does not unroll a loop of unknown length in which a warp acts together, because lanes with another number of
/// turns would part earlier than they do. Where all lanes of a warp have the same number nothing parts.
bool stays_together(llvm::Loop &loop, llvm::FunctionAnalysisManager &analyses) {
  llvm::Function &function = *loop.getHeader()->getParent();
  llvm::ScalarEvolution &evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  llvm::UniformityInfo &uniformity = analyses.getResult<llvm::UniformityInfoAnalysis>(function);
  return !llvm::SCEVExprContains(evolution.getBackedgeTakenCount(&loop), [&](const llvm::SCEV *part) {
    auto *value = llvm::dyn_cast<llvm::SCEVUnknown>(part);
    return value && uniformity.isDivergent(value->getValue());
  });
}

bool unroll(llvm::Loop &loop, unsigned times, llvm::FunctionAnalysisManager &analyses) {
  llvm::Function &function = *loop.getHeader()->getParent();
  llvm::UnrollLoopOptions options{};
  options.Count = times;
  options.Runtime = true;
  options.AllowExpensiveTripCount = true;
  options.SCEVExpansionBudget = kCheapTripCount;
  llvm::LoopUnrollResult result = llvm::UnrollLoop(
      &loop, options, &analyses.getResult<llvm::LoopAnalysis>(function),
      &analyses.getResult<llvm::ScalarEvolutionAnalysis>(function),
      &analyses.getResult<llvm::DominatorTreeAnalysis>(function),
      &analyses.getResult<llvm::AssumptionAnalysis>(function), &analyses.getResult<llvm::TargetIRAnalysis>(function),
      &analyses.getResult<llvm::OptimizationRemarkEmitterAnalysis>(function),
      /*PreserveLCSSA=*/true);
  if (result == llvm::LoopUnrollResult::PartiallyUnrolled) {
    loop.setLoopAlreadyUnrolled();
  }
  return result != llvm::LoopUnrollResult::Unmodified;
}

struct UnrollInnerLoops : llvm::PassInfoMixin<UnrollInnerLoops> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
    llvm::ScalarEvolution &evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
    llvm::SmallVector<std::pair<llvm::Loop *, unsigned>, 4> convergent;
    for (llvm::Loop *loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
      bool is_countable =
          evolution.hasLoopInvariantBackedgeTakenCount(loop) && evolution.getSmallConstantTripCount(loop) == 0;
      if (!loop->isInnermost() || !is_countable || !loop->getLoopLatch()) {
        continue;
      }
      Contents found = contents(*loop);
      unsigned count = times(*loop, found);
      if (count > 1 && !found.is_convergent) {
        llvm::addStringMetadataToLoop(loop, "llvm.loop.unroll.count", count);
      } else if (count > 1 && found.can_be_copied && stays_together(*loop, analyses)) {
        convergent.push_back({loop, count});
      }
    }
    bool changed = false;
    for (auto [loop, count] : convergent) {
      changed |= unroll(*loop, count, analyses);
    }
    return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
  }
};

}  // namespace

Result<void> unroll_inner_loops(llvm::Module &module, Compilation &compilation) {
  if (!compilation.options.debug) {
    run_llvm_passes(module, &compilation.target, [](llvm::PassBuilder &, llvm::ModulePassManager &manager) {
      llvm::FunctionPassManager passes;
      passes.addPass(llvm::LoopSimplifyPass());
      passes.addPass(llvm::LCSSAPass());
      passes.addPass(UnrollInnerLoops());
      manager.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(passes)));
    });
  }
  return {};
}

}  // namespace hel::cc
