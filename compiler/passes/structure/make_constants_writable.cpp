// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/structure/make_constants_writable.h"

#include "compiler/ir/llvm_headers.h"
#include "compiler/ir/variable_facts.h"

namespace hel::cc {

Result<void> make_constants_writable(llvm::Module &module, Compilation &) {
  for (llvm::GlobalVariable &variable : module.globals()) {
    if (is_device_variable(variable)) {
      variable.setConstant(false);
      if (read_variable_facts(variable).kind == abi::VariableKind::Constant) {
        variable.setSection(kConstantSection);
      }
    }
  }
  return {};
}

}  // namespace hel::cc
