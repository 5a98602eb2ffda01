// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/codegen/emission_passes.h"

#include "compiler/ir/llvm_headers.h"
#include "compiler/passes/nvptx/recompute_values.h"

#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Target/RegisterTargetPassConfigCallback.h"

#include <mutex>
#include <optional>

namespace hel::cc {
namespace {

llvm::cl::opt<bool> &setting(llvm::StringRef name) {
  return *static_cast<llvm::cl::opt<bool> *>(llvm::cl::getRegisteredOptions().lookup(name));
}

/// `recompute_values` as a pass of the back end.
class RecomputeValues : public llvm::FunctionPass {
public:
  static char ID;
  RecomputeValues() : FunctionPass(ID) {}
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override {
    usage.addRequired<llvm::LoopInfoWrapperPass>();
    usage.setPreservesCFG();
  }
  bool runOnFunction(llvm::Function &function) override {
    return recompute_values(function, getAnalysis<llvm::LoopInfoWrapperPass>().getLoopInfo());
  }
};
char RecomputeValues::ID;

/// Values are recomputed after the last of the back end's passes over IR, and before instructions are selected: what
/// comes before would share them again, and so would its sharing of machine instructions.
void add_own_passes(llvm::TargetMachine &target, llvm::PassManagerBase &, llvm::TargetPassConfig *passes) {
  if (target.getTargetTriple().isNVPTX() && target.getOptLevel() != llvm::CodeGenOptLevel::None) {
    std::unique_ptr<llvm::Pass> last(llvm::createCodeGenPrepareLegacyPass());
    passes->insertPass(last->getPassID(), new RecomputeValues());
    passes->disablePass(&llvm::MachineCSELegacyID);
  }
}

/// The one setting of LLVM's that is on at the moment.
struct Loan {
  std::mutex mutex;
  llvm::cl::opt<bool> *setting = nullptr;

  void end() {
    *setting = false;
    mutex.unlock();
  }
} loan;

/// Turns a setting on or off for a while; also where LLVM gives up meanwhile, and survive() goes on without
/// destructors.
class Borrowed {
public:
  Borrowed(llvm::StringRef name, bool value) {
    loan.mutex.lock();
    loan.setting = &setting(name);
    *loan.setting = value;
    on_crash_.emplace(&loan);
  }
  ~Borrowed() {
    on_crash_.reset();
    loan.end();
  }
  Borrowed(const Borrowed &) = delete;
  Borrowed &operator=(const Borrowed &) = delete;

private:
  class EndLoan : public llvm::CrashRecoveryContextCleanupBase<EndLoan, Loan> {
  public:
    EndLoan(llvm::CrashRecoveryContext *context, Loan *loan) : CrashRecoveryContextCleanupBase(context, loan) {}
    void recoverResources() override { resource->end(); }
  };

  std::optional<llvm::CrashRecoveryContextCleanupRegistrar<Loan, EndLoan>> on_crash_;
};

}  // namespace

std::unique_ptr<llvm::TargetMachine> with_short_pointers(llvm::function_ref<llvm::TargetMachine *()> make) {
  const Borrowed short_pointers("nvptx-short-ptr", true);
  return std::unique_ptr<llvm::TargetMachine>(make());
}

bool add_emission_passes(llvm::TargetMachine &target, llvm::legacy::PassManager &manager, llvm::raw_pwrite_stream &out,
                         llvm::CodeGenFileType type) {
  // Reduced strength is an induction variable for each address: on a GPU two registers each, of which there are few.
  static llvm::RegisterTargetPassConfigCallback own_passes(add_own_passes);
  const Borrowed no_lsr("disable-lsr", target.getTargetTriple().isNVPTX());
  return !target.addPassesToEmitFile(manager, out, nullptr, type, /*DisableVerify=*/true);
}

}  // namespace hel::cc
