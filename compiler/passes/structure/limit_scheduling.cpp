// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/structure/limit_scheduling.h"

#include "compiler/ir/machine_size.h"

namespace hel::cc {
namespace {

constexpr uint64_t kLongest = 1500;  ///< machine instructions of a block

}  // namespace

Result<void> limit_scheduling(llvm::Module &module, Compilation &) {
  for (llvm::Function &function : module) {
    if (llvm::any_of(function, [](const auto &block) { return machine_instructions(block) > kLongest; })) {
      function.removeFnAttr("tune-cpu");
    }
  }
  return {};
}

}  // namespace hel::cc
