// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/structure/link_device_library.h"

#include "compiler/ir/llvm_headers.h"

#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/SourceMgr.h"

namespace hel::cc {

Result<void> link_device_library(llvm::Module &module, Compilation &compilation) {
  std::string path = compilation.options.device_library;
  if (path.empty()) {
    path = default_device_library();
  }
  if (path.empty()) {
    return {};
  }
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> library =
      llvm::getLazyIRFileModule(path, problem, module.getContext(), /*ShouldLazyLoadMetadata=*/true);
  if (!library) {
    return HEL_FAIL(CompileCode::FileNotFound, "cannot read the device library %s: %s", path.c_str(),
                    problem.getMessage().str().c_str());
  }
  library->setTargetTriple(module.getTargetTriple());
  library->setDataLayout(module.getDataLayout());
  if (llvm::Linker::linkModules(module, std::move(library), llvm::Linker::LinkOnlyNeeded)) {
    return HEL_FAIL_KIND(CompileCode::Internal, Internal, "cannot link the device library %s", path.c_str());
  }
  return {};
}

}  // namespace hel::cc
