// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/run_passes.h"

#include "compiler/ir/llvm_headers.h"

#include "llvm/Analysis/TargetLibraryInfo.h"

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
  llvm::PassBuilder builder(target, tuning);
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
