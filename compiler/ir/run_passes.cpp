// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/run_passes.h"

#include "compiler/ir/llvm_headers.h"

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/PassInstrumentation.h"

#include <optional>

namespace hel::cc {
namespace {

/// Device functions may have the names of C library functions without being them, so that only the memory functions
/// that LLVM's own intrinsics become are known.
llvm::TargetLibraryInfoImpl device_library_info(const llvm::Triple &triple) {
  llvm::TargetLibraryInfoImpl info(triple);
  info.disableAllFunctions();
  for (llvm::LibFunc known : {llvm::LibFunc_memcpy, llvm::LibFunc_memmove, llvm::LibFunc_memset}) {
    info.setAvailable(known);
  }
  return info;
}

/// More conditions on numbers than ConstraintElimination is asked to look at: its time grows with the cube of how many
/// hold at once, which are all of them where a kernel returns early time and again.
bool has_many_conditions(const llvm::Function &function) {
  constexpr unsigned kMany = 200;
  unsigned conditions = 0;
  for (const llvm::BasicBlock &block : function) {
    const auto *branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    conditions += branch != nullptr && branch->isConditional() && llvm::isa<llvm::ICmpInst>(branch->getCondition());
  }
  return conditions >= kMany;
}

/// Passes are left out where they would take longer than all others.
void keep_to_affordable_passes(llvm::PassInstrumentationCallbacks &callbacks) {
  callbacks.registerShouldRunOptionalPassCallback([](llvm::StringRef pass, const llvm::Any &unit) {
    const auto *function = llvm::any_cast<const llvm::Function *>(&unit);
    return pass != "ConstraintEliminationPass" || function == nullptr || !has_many_conditions(**function);
  });
}

}  // namespace

void run_llvm_passes(llvm::Module &module, llvm::TargetMachine *target,
                     llvm::function_ref<void(llvm::PassBuilder &, llvm::ModulePassManager &)> fill) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = true;
  tuning.SLPVectorization = true;
  tuning.LoopInterleaving = true;
  llvm::PassInstrumentationCallbacks callbacks;
  keep_to_affordable_passes(callbacks);
  llvm::PassBuilder builder(target, tuning, std::nullopt, &callbacks);
  functions.registerPass([&] { return llvm::TargetLibraryAnalysis(device_library_info(module.getTargetTriple())); });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  llvm::ModulePassManager manager;
  fill(builder, manager);
  manager.run(module, modules);
}

void run_llvm_passes(llvm::Function &function, llvm::FunctionPassManager &passes) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  passes.run(function, functions);
}

}  // namespace hel::cc
