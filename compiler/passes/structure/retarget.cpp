// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/structure/retarget.h"

#include "compiler/codegen/target.h"
#include "compiler/ir/llvm_headers.h"

#include "llvm/IR/DebugInfo.h"

namespace hel::cc {
namespace {

void retarget_function(llvm::Function &function, const llvm::TargetMachine &target, const std::string &tune_for) {
  for (const char *name : {"target-cpu", "target-features", "tune-cpu", "uniform-work-group-size"}) {
    function.removeFnAttr(name);
  }
  function.setCallingConv(llvm::CallingConv::C);
  for (llvm::User *user : function.users()) {
    auto *call = llvm::dyn_cast<llvm::CallBase>(user);
    if (call && call->getCalledOperand() == &function) {
      call->setCallingConv(llvm::CallingConv::C);
    }
  }
  if (function.isDeclaration()) {
    return;
  }
  function.addFnAttr("target-cpu", target.getTargetCPU());
  if (!target.getTargetFeatureString().empty()) {
    function.addFnAttr("target-features", target.getTargetFeatureString());
  }
  if (!tune_for.empty()) {
    function.addFnAttr("tune-cpu", tune_for);
  }
  if (target.getTargetCPU() == "x86-64-v4") {  // LLVM would keep to half of the registers' width
    function.addFnAttr("prefer-vector-width", "512");
    function.addFnAttr("min-legal-vector-width", "512");
  }
  // A big frame must hit the guard page of its fiber's stack, not jump over it.
  function.addFnAttr("probe-stack", "inline-asm");
  function.addFnAttr("frame-pointer", "none");
  function.addFnAttr(llvm::Attribute::NoUnwind);
}

/// A unit like `unit`, with line tables.
llvm::DICompileUnit *with_line_tables(llvm::DICompileUnit *unit) {
  return llvm::DICompileUnit::getDistinct(
      unit->getContext(), unit->getSourceLanguage(), unit->getRawFile(), unit->getRawProducer(), unit->isOptimized(),
      unit->getRawFlags(), unit->getRuntimeVersion(), unit->getRawSplitDebugFilename(),
      llvm::DICompileUnit::LineTablesOnly, unit->getRawEnumTypes(), unit->getRawRetainedTypes(),
      unit->getRawGlobalVariables(), unit->getRawImportedEntities(), unit->getRawMacros(), unit->getDWOId(),
      unit->getSplitDebugInlining(), unit->getDebugInfoForProfiling(), static_cast<unsigned>(unit->getNameTableKind()),
      unit->getRangesBaseAddress(), unit->getRawSysRoot(), unit->getRawSDK());
}

/// Line directives for PTX become line tables.
void retarget_debug_info(llvm::Module &module) {
  llvm::DebugInfoFinder finder;
  finder.processModule(module);
  llvm::NamedMDNode *units = module.getNamedMetadata("llvm.dbg.cu");
  for (unsigned i = 0; units && i < units->getNumOperands(); ++i) {
    auto *unit = llvm::cast<llvm::DICompileUnit>(units->getOperand(i));
    if (unit->getEmissionKind() != llvm::DICompileUnit::DebugDirectivesOnly) {
      continue;
    }
    llvm::DICompileUnit *better = with_line_tables(unit);
    units->setOperand(i, better);
    for (llvm::DISubprogram *subprogram : finder.subprograms()) {
      if (subprogram->getUnit() == unit) {
        subprogram->replaceUnit(better);
      }
    }
  }
  if (module.debug_compile_units().begin() != module.debug_compile_units().end()) {
    module.setModuleFlag(llvm::Module::Max, "Dwarf Version", uint32_t{5});
    module.setModuleFlag(llvm::Module::Warning, "Debug Info Version", uint32_t{llvm::DEBUG_METADATA_VERSION});
  }
}

}  // namespace

Result<void> retarget(llvm::Module &module, Compilation &compilation) {
  TargetChoice choice = HEL_TRY(choose_target(compilation.options.cpu));
  module.setTargetTriple(compilation.target.getTargetTriple());
  module.setDataLayout(compilation.target.createDataLayout());
  for (llvm::Function &function : module) {
    retarget_function(function, compilation.target, choice.tune_for);
  }
  retarget_debug_info(module);
  // Replaces the flag that -fPIC has left; setPICLevel would add a second one.
  module.setModuleFlag(llvm::Module::Min, "PIC Level", uint32_t{llvm::PICLevel::BigPIC});
  return {};
}

}  // namespace hel::cc
