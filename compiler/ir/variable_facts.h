// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the compiler knows about a device variable, and the one reader and writer of it. Facts travel as attributes
// ("hl.variable") on the global.
#pragma once

#include "abi/kernel.h"

namespace llvm {
class GlobalVariable;
}

namespace hel::cc {

/// Where the constant variables of an image lie.
inline constexpr char kConstantSection[] = "hl_constant";

struct VariableFacts {
  abi::VariableKind kind = abi::VariableKind::Device;
  /// Managed variables are two globals: a pointer under the variable's name, and the initial contents.
  llvm::GlobalVariable *contents = nullptr;
};

/// Marks a variable as one that the host can name; its address space tells the kind.
void mark_device_variable(llvm::GlobalVariable &variable);
bool is_device_variable(const llvm::GlobalVariable &variable);
VariableFacts read_variable_facts(llvm::GlobalVariable &variable);

}  // namespace hel::cc
