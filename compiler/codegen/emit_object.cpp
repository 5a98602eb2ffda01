// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/codegen/emit_object.h"

#include "compiler/codegen/emission_passes.h"
#include "compiler/compile.h"
#include "compiler/ir/llvm_headers.h"

#include "llvm/IR/LegacyPassManager.h"

namespace hel::cc {

Result<llvm::SmallVector<char, 0>> emit_object(llvm::Module &module, llvm::TargetMachine &target) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager manager;
  if (!add_emission_passes(target, manager, stream, llvm::CodeGenFileType::ObjectFile)) {
    return HEL_FAIL_KIND(CompileCode::Internal, Internal, "the x86-64 back end cannot emit objects");
  }
  manager.run(module);
  return bytes;
}

}  // namespace hel::cc
