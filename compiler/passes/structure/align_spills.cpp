// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/structure/align_spills.h"

#include "compiler/ir/llvm_headers.h"

namespace hel::cc {
namespace {

constexpr unsigned kStackAlignment = 128;  ///< bits: what the calling convention guarantees

bool is_wide(const llvm::Instruction &inst) {
  const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(inst.getType());
  return vector != nullptr && vector->getPrimitiveSizeInBits().getFixedValue() > kStackAlignment;
}

}  // namespace

Result<void> align_spills(llvm::Module &module, Compilation &) {
  for (llvm::Function &function : module) {
    if (llvm::any_of(llvm::instructions(function), is_wide)) {
      function.addFnAttr("frame-pointer", "all");
    }
  }
  return {};
}

}  // namespace hel::cc
