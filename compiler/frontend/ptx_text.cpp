// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/ptx_text.h"

#include "compiler/ir/compilation.h"
#include "compiler/passes/analysis/read_annotations.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"

#include <set>

namespace hel::cc {
namespace {

constexpr unsigned kSharedSpace = 3;

void optimise(llvm::Module &module, llvm::TargetMachine *machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graphs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graphs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graphs, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(module, modules);
}

/// PTX identifiers know no dots; clang's names of managed variables have one.
void rename_for_ptx(llvm::Module &module) {
  for (llvm::GlobalVariable &variable : module.globals()) {
    if (variable.getName().contains(".managed")) {
      std::string name = variable.getName().str();
      name.replace(name.find('.'), 1, "_");
      variable.setName(name);
    }
  }
}

/// What annotations say about a kernel, in the attributes that the NVPTX back end knows.
Result<void> apply_annotations(llvm::Module &module, llvm::TargetMachine &machine) {
  CompileOptions options;
  Compilation compilation{options, machine, Diagnostics(options)};
  HEL_TRY(read_annotations(module, compilation));
  HEL_TRY(compilation.diagnostics.finish());
  for (llvm::Function &function : module) {
    if (function.hasFnAttribute("hl.block_size")) {
      function.addFnAttr("nvvm.reqntid", function.getFnAttribute("hl.block_size").getValueAsString());
    }
  }
  return {};
}

/// The values that a function's instructions refer to, through the functions it calls.
void collect_uses(const llvm::Value *value, std::set<const llvm::Value *> *seen) {
  if (!seen->insert(value).second) {
    return;
  }
  if (const auto *function = llvm::dyn_cast<llvm::Function>(value)) {
    for (const llvm::BasicBlock &block : *function) {
      for (const llvm::Instruction &instruction : block) {
        for (const llvm::Value *operand : instruction.operands()) {
          if (llvm::isa<llvm::Constant>(operand)) {
            collect_uses(operand, seen);
          }
        }
      }
    }
  } else if (const auto *expression = llvm::dyn_cast<llvm::ConstantExpr>(value)) {
    for (const llvm::Value *operand : expression->operands()) {
      collect_uses(operand, seen);
    }
  }
}

}  // namespace

Result<std::string> ptx_text(llvm::Module &module, const std::string &cpu) {
  std::string error;
  const llvm::Triple triple("nvptx64-nvidia-cuda");
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target) {
    return HEL_FAIL_KIND(1, Internal, "%s", error.c_str());
  }
  std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(triple, cpu, "+ptx88", llvm::TargetOptions(), std::nullopt));
  rename_for_ptx(module);
  HEL_TRY(apply_annotations(module, *machine));
  optimise(module, machine.get());
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile)) {
    return HEL_FAIL_KIND(1, Internal, "the NVPTX back end writes no text");
  }
  passes.run(module);
  return text.str().str();
}

std::string ir_text(const llvm::Module &module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return text;
}

std::string resource_report(const llvm::Module &module) {
  std::string text;
  const llvm::DataLayout &layout = module.getDataLayout();
  for (const llvm::Function &function : module) {
    if (function.isDeclaration() || function.getCallingConv() != llvm::CallingConv::PTX_Kernel) {
      continue;
    }
    std::set<const llvm::Value *> used;
    collect_uses(&function, &used);
    uint64_t shared = 0;
    for (const llvm::Value *value : used) {
      const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(value);
      if (variable && variable->getAddressSpace() == kSharedSpace && !variable->isDeclaration()) {
        shared += layout.getTypeAllocSize(variable->getValueType());
      }
    }
    uint64_t parameters = 0;
    for (const llvm::Argument &argument : function.args()) {
      llvm::Type *type = argument.hasByValAttr() ? argument.getParamByValType() : argument.getType();
      parameters += layout.getTypeAllocSize(type);
    }
    text += format("mcc info    : kernel '%s' (%s): %llu bytes smem, %llu bytes of parameters\n", function.getName().str().c_str(),
                   llvm::demangle(function.getName()).c_str(), static_cast<unsigned long long>(shared),
                   static_cast<unsigned long long>(parameters));
  }
  return text;
}

}  // namespace hel::cc
