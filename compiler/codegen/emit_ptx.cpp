// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/codegen/emit_ptx.h"

#include "compiler/codegen/emission_passes.h"
#include "compiler/compile.h"
#include "compiler/ir/llvm_headers.h"

#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/TargetSelect.h"

#include <mutex>

namespace hel::cc {
namespace {

void initialise_backend() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
}

thread_local std::string *last_words;  // of LLVM, while this thread is in survive()

void give_up(void *, const char *reason, bool) {
  if (last_words) {
    *last_words = reason;
  }
  if (llvm::CrashRecoveryContext *recovery = llvm::CrashRecoveryContext::GetCurrent()) {
    recovery->HandleExit(1);
  }
  std::fprintf(stderr, "mcc: %s\n", reason);  // of another thread, which nothing can go on after
}

/// sm_90 -> 90; what PTX of an architecture needs at least.
unsigned least_version(llvm::StringRef gpu) {
  unsigned number = 0;
  gpu.drop_front(3).consumeInteger(10, number);
  return number >= 120 ? 87 : number >= 100 ? 86 : kOldestPtx;
}

}  // namespace

Result<std::unique_ptr<llvm::TargetMachine>> make_nvptx_machine(const CompileOptions &options, unsigned ptx_version) {
  initialise_backend();
  llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string problem;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, problem);
  if (!target) {
    return HEL_FAIL_KIND(CompileCode::Internal, Internal, "no NVPTX back end: %s", problem.c_str());
  }
  llvm::TargetOptions settings;
  settings.MCOptions.AsmVerbose = false;
  std::string features = format("+ptx%u", std::max(ptx_version, least_version(options.gpu)));
  llvm::CodeGenOptLevel level = options.debug ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Aggressive;
  return with_short_pointers([&] {
    return target->createTargetMachine(triple, options.gpu, features, settings, std::nullopt, std::nullopt, level);
  });
}

Result<std::string> emit_ptx(llvm::Module &module, llvm::TargetMachine &target) {
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager manager;
  if (!add_emission_passes(target, manager, stream, llvm::CodeGenFileType::AssemblyFile)) {
    return HEL_FAIL_KIND(CompileCode::Internal, Internal, "the NVPTX back end writes no text");
  }
  manager.run(module);
  return text.str().str();
}

Result<std::string> survive(llvm::function_ref<Result<std::string>()> work) {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::CrashRecoveryContext::Enable();
    llvm::remove_fatal_error_handler();
    llvm::install_fatal_error_handler(give_up);
  });
  std::string reason = "the back end crashed";
  last_words = &reason;
  std::optional<Result<std::string>> result;
  llvm::CrashRecoveryContext recovery;
  bool ended = recovery.RunSafely([&] { result.emplace(work()); });
  last_words = nullptr;
  if (!ended || !result) {
    return HEL_FAIL_KIND(CompileCode::InvalidSource, Unsupported, "%s", reason.c_str());
  }
  return std::move(*result);
}

}  // namespace hel::cc
