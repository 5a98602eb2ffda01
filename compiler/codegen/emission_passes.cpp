// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/codegen/emission_passes.h"

#include "base/mutex.h"
#include "compiler/ir/llvm_headers.h"
#include "compiler/passes/nvptx/recompute_values.h"

#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Target/RegisterTargetPassConfigCallback.h"

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

Mutex settings_mutex;  // guards LLVM's settings while machines are made and passes are chosen by them

}  // namespace

std::unique_ptr<llvm::TargetMachine> with_short_pointers(llvm::function_ref<llvm::TargetMachine *()> make) {
  Lock lock(settings_mutex);
  setting("nvptx-short-ptr") = true;
  std::unique_ptr<llvm::TargetMachine> machine(make());
  setting("nvptx-short-ptr") = false;
  return machine;
}

bool add_emission_passes(llvm::TargetMachine &target, llvm::legacy::PassManager &manager, llvm::raw_pwrite_stream &out,
                         llvm::CodeGenFileType type) {
  // Reduced strength is an induction variable for each address: on a GPU two registers each, of which there are few.
  static llvm::RegisterTargetPassConfigCallback own_passes(add_own_passes);
  Lock lock(settings_mutex);
  setting("disable-lsr") = target.getTargetTriple().isNVPTX();
  bool is_unknown = target.addPassesToEmitFile(manager, out, nullptr, type, /*DisableVerify=*/true);
  setting("disable-lsr") = false;
  return !is_unknown;
}

}  // namespace hel::cc
