// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/codegen/target.h"

#include "compiler/compile.h"
#include "compiler/ir/llvm_headers.h"

#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"

#include <mutex>

namespace hel::cc {
namespace {

bool has_all(const llvm::StringMap<bool> &features, std::initializer_list<const char *> names) {
  return llvm::all_of(names, [&](const char *name) { return features.lookup(name); });
}

std::string host_level() {
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  if (!has_all(features, {"avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe"})) {
    return "x86-64-v2";
  }
  if (!has_all(features, {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"})) {
    return "x86-64-v3";
  }
  return "x86-64-v4";
}

void initialise_backend() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser();
  });
}

}  // namespace

Result<TargetChoice> choose_target(const std::string &cpu) {
  if (cpu == "native") {
    return TargetChoice{host_level(), llvm::sys::getHostCPUName().str()};
  }
  if (cpu == "x86-64-v2" || cpu == "x86-64-v3" || cpu == "x86-64-v4") {
    return TargetChoice{cpu, ""};
  }
  return HEL_FAIL(CompileCode::InvalidValue, "unknown processor '%s'; known: x86-64-v2, x86-64-v3, x86-64-v4, native",
                  cpu.c_str());
}

Result<std::vector<std::string>> split_levels(const std::string &cpus) {
  llvm::SmallVector<llvm::StringRef> words;
  llvm::StringRef(cpus).split(words, ',');
  std::vector<std::string> parts, levels;
  for (llvm::StringRef word : words) {
    TargetChoice choice = HEL_TRY(choose_target(word.str()));
    if (!llvm::is_contained(levels, choice.level)) {
      levels.push_back(choice.level);
      parts.push_back(word.str());
    }
  }
  return parts;
}

VectorRegisters vector_registers(const llvm::TargetMachine &target) {
  return llvm::StringSwitch<VectorRegisters>(target.getTargetCPU())
      .Case("x86-64-v4", {512, 32})
      .Case("x86-64-v3", {256, 16})
      .Default({128, 16});
}

Result<std::unique_ptr<llvm::TargetMachine>> make_target_machine(const TargetChoice &choice,
                                                                 const CompileOptions &options) {
  initialise_backend();
  llvm::Triple triple("x86_64-unknown-linux-gnu");
  std::string problem;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, problem);
  if (!target) {
    return HEL_FAIL_KIND(CompileCode::Internal, Internal, "no x86-64 back end: %s", problem.c_str());
  }
  llvm::TargetOptions settings;
  // Code that LLVM has proved undefined must not run on into what stands behind it: it faults there.
  settings.TrapUnreachable = true;
  settings.NoTrapAfterNoreturn = true;
  settings.EmitStackSizeSection = true;
  settings.MCOptions.AsmVerbose = false;
  llvm::CodeGenOptLevel level = options.debug || options.optimise == 0 ? llvm::CodeGenOptLevel::None
                                : options.optimise == 1                ? llvm::CodeGenOptLevel::Less
                                                                       : llvm::CodeGenOptLevel::Default;
  // A gather instruction for scattered lanes: without it each lane's load is a branch of its own.
  const char *features = choice.level == "x86-64-v3" ? "+fast-gather" : "";
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, choice.level, features, settings, llvm::Reloc::PIC_, llvm::CodeModel::Small, level));
}

}  // namespace hel::cc
